#include "core/symbols/elf/plt.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

/* --- the slot of a stub, from its code --- */

static uint32_t plt_code_load_u32(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static size_t endbr_len(const uint8_t *code, size_t len)
{
	return len >= 4 && !memcmp(code, "\xf3\x0f\x1e\xfa", 4) ? 4 : 0;
}

/* x86-64: does a stub for indirect branch tracking begin here that only binds: "endbr64; push $NUMBER"?
 * *number: of the relocation in .rela.plt.
 *
 *     f3 0f 1e fa  68 NUMBER */
static bool plt_code_pushes(const uint8_t *code, size_t len, uint32_t *number)
{
	size_t at = endbr_len(code, len);

	if (!at || len - at < 5 || code[at] != 0x68)
		return false;
	*number = plt_code_load_u32(code + at + 1);
	return true;
}

/*   [f3 0f 1e fa]  [f2] ff 25 REL32    endbr64; bnd jmp *REL32(%rip) */
static bool x86_slot(const uint8_t *code, size_t len, uint64_t address, uint64_t *slot)
{
	size_t at = endbr_len(code, len);

	at += at < len && code[at] == 0xf2;
	if (len - at < 6 || code[at] != 0xff || code[at + 1] != 0x25)
		return false;
	*slot = address + at + 6 + (uint64_t)(int64_t)(int32_t)plt_code_load_u32(code + at + 2);
	return true;
}

/* [bti c]  adrp x16, PAGE;  ldr x17, [x16, #OFFSET] */
static bool arm_slot(const uint8_t *code, size_t len, uint64_t address, uint64_t *slot)
{
	size_t at = len >= 4 && plt_code_load_u32(code) == 0xd503245f ? 4 : 0;
	uint32_t adrp, ldr;
	int64_t pages;

	if (len - at < 8)
		return false;
	adrp = plt_code_load_u32(code + at);
	ldr = plt_code_load_u32(code + at + 4);
	if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
		return false;
	pages = (int64_t)((uint64_t)((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 43) >> 43;
	*slot = ((address + at) & ~UINT64_C(4095)) + (uint64_t)pages * 4096 + (ldr >> 10 & 0xfff) * 8;
	return true;
}

/* Does a stub begin at code[0..len), which is at address, in an x86-64 or aarch64 file (machine: EM_X86_64,
 * EM_AARCH64)?  *slot is the address that the stub reads. */
static bool plt_code_slot(unsigned machine, const uint8_t *code, size_t len, uint64_t address, uint64_t *slot)
{
	return machine == EM_X86_64 ? x86_slot(code, len, address, slot) : arm_slot(code, len, address, slot);
}

/* --- stubs, and the slots that they jump through --- */

/* The section of stubs whose functions may be bound late. */
static const char *const stub_sections[] = { ".plt", ".plt.sec" };

enum { SECTIONS = sizeof(stub_sections) / sizeof(*stub_sections), STEP = 4, NUMBER_MAX = 1 << 20 };

static unsigned plt_stub_machine_of(const struct elf_file *file)
{
	GElf_Ehdr header;

	return gelf_getehdr(file->elf, &header) ? header.e_machine : EM_NONE;
}

/* The relocations of stubs, which refer to the symbols of section header->sh_link; NULL: there are none. */
static Elf_Scn *relocations(const struct elf_file *file, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(file->elf, section))) {
		if (gelf_getshdr(section, header) && header->sh_type == SHT_RELA &&
		    (header->sh_flags & (SHF_ALLOC | SHF_INFO_LINK)) == (SHF_ALLOC | SHF_INFO_LINK))
			return section;
	}
	return NULL;
}

bool plt_slot_of_relocation(const struct elf_file *file, uint64_t number, uint64_t *slot)
{
	GElf_Shdr header;
	Elf_Scn *section = relocations(file, &header);
	GElf_Rela rela;

	if (!section || number > NUMBER_MAX || !gelf_getrela(elf_getdata(section, NULL), (int)number, &rela))
		return false;
	*slot = rela.r_offset;
	return true;
}

static bool plt_stub_slot_at(const Elf_Data *data, uint64_t start, uint64_t address, unsigned machine, uint64_t *slot)
{
	uint64_t at = address - start;

	return at < data->d_size &&
	       plt_code_slot(machine, (const uint8_t *)data->d_buf + at, data->d_size - at, address, slot);
}

bool plt_slot_of_stub(const struct elf_file *file, uint64_t address, uint64_t *slot)
{
	unsigned machine = plt_stub_machine_of(file);
	GElf_Shdr header;

	for (size_t i = 0; i < SECTIONS; i++) {
		Elf_Data *data = elf_file_section(file->elf, stub_sections[i], &header);

		if (data && data->d_buf && plt_stub_slot_at(data, header.sh_addr, address, machine, slot))
			return true;
	}
	return false;
}

bool plt_stub_of_slot(const struct elf_file *file, uint64_t slot, uint64_t *stub)
{
	unsigned machine = plt_stub_machine_of(file);
	GElf_Shdr header;
	uint64_t found;

	for (size_t i = 0; i < SECTIONS; i++) {
		Elf_Data *data = elf_file_section(file->elf, stub_sections[i], &header);

		for (uint64_t at = 0; data && data->d_buf && at < data->d_size; at += STEP) {
			*stub = header.sh_addr + at;
			if (plt_stub_slot_at(data, header.sh_addr, *stub, machine, &found) && found == slot)
				return true;
		}
	}
	return false;
}

/* --- who jumps to a stub --- */

const char *plt_function_of_stub(const struct elf_file *file, uint64_t address)
{
	GElf_Shdr header, symbols;
	Elf_Scn *section = relocations(file, &header), *linked;
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Rela rela;
	GElf_Sym symbol;
	uint64_t slot;

	if (!data || !plt_slot_of_stub(file, address, &slot))
		return NULL;
	linked = elf_getscn(file->elf, header.sh_link);
	if (!linked || !gelf_getshdr(linked, &symbols))
		return NULL;
	for (int i = 0; i < NUMBER_MAX && gelf_getrela(data, i, &rela); i++) {
		if (rela.r_offset == slot)
			return gelf_getsym(elf_getdata(linked, NULL), (int)GELF_R_SYM(rela.r_info), &symbol)
				       ? elf_strptr(file->elf, symbols.sh_link, symbol.st_name)
				       : NULL;
	}
	return NULL;
}

bool plt_find_function(const struct elf_file *file, const char *name, uint64_t *address)
{
	GElf_Shdr header;
	Elf_Data *data = elf_file_section(file->elf, ".dynsym", &header);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *its = elf_strptr(file->elf, header.sh_link, symbol.st_name);

		if (symbol.st_shndx == SHN_UNDEF || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || !its ||
		    strcmp(its, name))
			continue;
		*address = symbol.st_value;
		return true;
	}
	return false;
}

bool plt_find_jump(const struct elf_file *file, uint64_t address, size_t len, uint64_t target, uint64_t *jump)
{
	enum { JUMP = 5 }; /* e9, and how far it is from the instruction's end */
	GElf_Shdr header;
	Elf_Data *data = elf_file_section(file->elf, ".text", &header);
	uint64_t at = address - header.sh_addr;
	const uint8_t *code = data ? data->d_buf : NULL;
	int32_t far;

	for (; code && len && at < data->d_size && data->d_size - at >= JUMP; at++, len--) {
		memcpy(&far, code + at + 1, sizeof(far));
		*jump = header.sh_addr + at;
		if (code[at] == 0xe9 && *jump + JUMP + (uint64_t)(int64_t)far == target)
			return true;
	}
	return false;
}

enum { STUB_BYTES_MAX = 24, SLOTS_MAX = 1 << 20 };

/* A slot of a relocation that stores a function's address. */
struct slot {
	uint64_t address;
	const char *name; /* NULL: there is no symbol, and the function at addend returns the address */
	uint64_t addend;
};

/* A resolver: a function that chooses an implementation when the program starts. */
struct resolver {
	uint64_t address;
	const char *name; /* NULL: it has no symbol */
	bool weak;
};

struct slots {
	struct slot *items; /* [count], sorted by address; at first, those of .rela.plt in its order */
	size_t count, cap;
	struct slot *jumps; /* [jump_count], from .rela.plt, in its order */
	size_t jump_count, jump_cap;
	struct resolver *resolvers; /* [resolver_count], sorted by address; if several are equal, one has the name */
	size_t resolver_count;
};

/* --- names of slots --- */

static bool is_function_slot(unsigned machine, uint64_t type)
{
	if (machine == EM_X86_64)
		return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_IRELATIVE;
	return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_IRELATIVE;
}

struct symbol_table {
	Elf_Data *symbols;
	Elf *elf;
	uint32_t strings;
};

static struct symbol_table table_of(Elf *elf, uint32_t section)
{
	Elf_Scn *symbols = section ? elf_getscn(elf, section) : NULL;
	GElf_Shdr header;

	if (!symbols || !gelf_getshdr(symbols, &header) || header.sh_type != SHT_DYNSYM)
		return (struct symbol_table){ 0 };
	return (struct symbol_table){ elf_getdata(symbols, NULL), elf, header.sh_link };
}

static const char *symbol_name(const struct symbol_table *table, size_t index)
{
	GElf_Sym symbol;
	const char *name = NULL;

	if (index && table->symbols && gelf_getsym(table->symbols, (int)index, &symbol))
		name = elf_strptr(table->elf, table->strings, symbol.st_name);
	return name && *name ? name : NULL;
}

static void add_slots(struct slots *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *header, unsigned machine)
{
	struct symbol_table table = table_of(elf, header->sh_link);
	Elf_Data *data = elf_getdata(section, NULL);
	bool jumps = header->sh_flags & SHF_INFO_LINK; /* these relocations are for .got.plt */
	GElf_Rela rela;

	for (int i = 0; data && i < SLOTS_MAX && gelf_getrela(data, i, &rela); i++) {
		struct slot slot = { rela.r_offset, symbol_name(&table, GELF_R_SYM(rela.r_info)),
				     (uint64_t)rela.r_addend };

		if (jumps) {
			s->jumps = xgrow(s->jumps, &s->jump_cap, s->jump_count + 1, sizeof(slot));
			s->jumps[s->jump_count++] = slot;
		}
		if (!is_function_slot(machine, GELF_R_TYPE(rela.r_info)))
			continue;
		s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(slot));
		s->items[s->count++] = slot;
	}
}

SORT_BY(plt_by_address, struct slot, address);

static void plt_read_slots(struct slots *s, Elf *elf, unsigned machine)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && header.sh_flags & SHF_ALLOC)
			add_slots(s, elf, section, &header, machine);
	}
	if (s->count)
		qsort(s->items, s->count, sizeof(*s->items), plt_by_address);
}

/* --- resolvers: called for slots without a symbol --- */

static size_t plt_leading_underscores(const char *name)
{
	return strspn(name, "_");
}

/* Is name the one that callers use: memset, rather than __memset or an older name? */
static bool plt_is_better(const char *name, bool weak, const struct resolver *than)
{
	size_t mine = plt_leading_underscores(name), theirs = than->name ? plt_leading_underscores(than->name) : 0;

	if (!than->name || mine != theirs)
		return !than->name || mine < theirs;
	return weak != than->weak ? !weak : strcmp(name, than->name) < 0;
}

SORT_BY(by_resolver, struct resolver, address);

static struct resolver *find_resolver(const struct slots *s, uint64_t address)
{
	const struct resolver wanted = { .address = address };

	return s->resolver_count ? bsearch(&wanted, s->resolvers, s->resolver_count, sizeof(wanted), by_resolver)
				 : NULL;
}

static void name_resolvers(struct slots *s, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		bool weak = GELF_ST_BIND(symbol.st_info) == STB_WEAK;
		struct resolver *r = NULL;
		const char *name = NULL;

		if (GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
			r = find_resolver(s, symbol.st_value);
		if (r)
			name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (name && *name && plt_is_better(name, weak, r)) {
			r->name = name;
			r->weak = weak;
		}
	}
}

static void read_resolvers(struct slots *s, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t cap = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (s->items[i].name)
			continue;
		s->resolvers = xgrow(s->resolvers, &cap, s->resolver_count + 1, sizeof(*s->resolvers));
		s->resolvers[s->resolver_count++] = (struct resolver){ .address = s->items[i].addend };
	}
	if (!s->resolver_count)
		return;
	qsort(s->resolvers, s->resolver_count, sizeof(*s->resolvers), by_resolver);
	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			name_resolvers(s, elf, section, &header);
	}
}

static const struct slot *plt_find_slot(const struct slots *s, uint64_t address)
{
	struct slot wanted = { .address = address };

	return s->count ? bsearch(&wanted, s->items, s->count, sizeof(*s->items), plt_by_address) : NULL;
}

/* --- names of stubs --- */

static const struct slot *slot_of_code(const struct slots *slots, unsigned machine, const uint8_t *code, size_t len,
				       uint64_t address)
{
	uint64_t slot;
	uint32_t number;

	if (machine == EM_X86_64 && plt_code_pushes(code, len, &number))
		return number < slots->jump_count ? &slots->jumps[number] : NULL;
	return plt_code_slot(machine, code, len, address, &slot) ? plt_find_slot(slots, slot) : NULL;
}

/* Make the name of the function behind a slot; text is used for the name of one without a symbol. */
static const char *slot_name(const struct slots *slots, const struct slot *slot, char text[64])
{
	const struct resolver *resolver = slot->name ? NULL : find_resolver(slots, slot->addend);
	const char *name = resolver ? resolver->name : slot->name;

	if (name)
		return name;
	snprintf(text, 64, "*ABS*+0x%llx", (unsigned long long)slot->addend);
	return text;
}

struct stubs {
	struct chooser *chooser;
	const struct elf_segments *segments;
	const char *file; /* its name */
	struct arena *names;
	struct symbol last; /* the stub whose end is unknown yet */
};

static const char *plt_join(struct arena *names, const char *const *parts, size_t count)
{
	size_t len = 0, at = 0;
	char *text;

	for (size_t i = 0; i < count; i++)
		len += strlen(parts[i]);
	text = arena_alloc(names, len + 1);
	for (size_t i = 0; i < count; at += strlen(parts[i++]))
		memcpy(text + at, parts[i], strlen(parts[i]));
	text[len] = '\0';
	return text;
}

/* The previous stub ends at address at the latest. */
static void end_last(struct stubs *s, uint64_t address)
{
	uint64_t size = address - s->last.start;

	if (!s->last.name)
		return;
	s->last.size = size < STUB_BYTES_MAX ? size : STUB_BYTES_MAX;
	if (elf_to_offset(s->segments, s->last.start, &s->last.start))
		chooser_offer(s->chooser, &s->last);
	s->last.name = NULL;
}

/* A stub of this function begins at start.  Its second byte is within an instruction: no sample has its address. */
static void offer_stub(struct stubs *s, const char *function, uint64_t start)
{
	struct symbol binds = { .start = start + PLT_BINDS - 1, .size = 1 };

	end_last(s, start);
	s->last =
		(struct symbol){ .start = start, .name = plt_join(s->names, (const char *[]){ function, "@plt" }, 2) };
	binds.name = plt_join(s->names, (const char *[]){ "[binds ", function, " of ", s->file, "]" }, 5);
	if (elf_to_offset(s->segments, binds.start, &binds.start))
		chooser_offer(s->chooser, &binds);
}

static void offer_section(struct stubs *s, const Elf_Data *data, uint64_t start, unsigned machine,
			  const struct slots *slots)
{
	size_t step = machine == EM_X86_64 ? 8 : 4;
	char text[64];

	/* The first stub, which looks up functions, ends where the others begin. */
	s->last = (struct symbol){ .start = start, .name = ".plt" };
	for (size_t at = 0; at < data->d_size; at += step) {
		const struct slot *slot =
			slot_of_code(slots, machine, (const uint8_t *)data->d_buf + at, data->d_size - at, start + at);

		if (!slot)
			continue;
		offer_stub(s, slot_name(slots, slot, text), start + at);
		at += machine == EM_AARCH64 ? 8 : 0; /* so that the stub is not found again without its bti */
	}
	end_last(s, start + data->d_size);
}

static bool plt_is_wanted(const struct chooser *c, const struct elf_segments *segments, const GElf_Shdr *section)
{
	uint64_t start;

	if (!elf_to_offset(segments, section->sh_addr, &start))
		return false;
	for (size_t low = 0, high = c->count; low < high;) {
		size_t middle = (low + high) / 2;

		if (c->wanted[middle].address - start < section->sh_size)
			return true;
		if (c->wanted[middle].address < start)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

void plt_offer(struct chooser *chooser, const struct elf_file *file, const char *name, struct arena *names)
{
	static const char *const sections[] = { ".plt", ".plt.sec", ".plt.got", ".iplt" };
	struct stubs stubs = { .chooser = chooser, .segments = &file->segments, .file = name, .names = names };
	struct slots slots = { 0 };
	GElf_Ehdr header;
	bool read = false;

	if (!gelf_getehdr(file->elf, &header) || (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64))
		return;
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		GElf_Shdr section;
		Elf_Data *data = elf_file_section(file->elf, sections[i], &section);

		if (!data || !data->d_buf || !plt_is_wanted(chooser, &file->segments, &section))
			continue;
		if (!read)
			plt_read_slots(&slots, file->elf, header.e_machine);
		if (!read)
			read_resolvers(&slots, file->elf);
		read = true;
		offer_section(&stubs, data, section.sh_addr, header.e_machine, &slots);
	}
	free(slots.items);
	free(slots.jumps);
	free(slots.resolvers);
}
