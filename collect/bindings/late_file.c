#include "collect/bindings/late_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/symbols/names/demangle.h"

enum {
	SEGMENTS_MAX = 128,
	DYNAMIC_MAX = 4096,        /* entries of a dynamic section */
	RELOCATIONS_MAX = 1 << 20, /* of a PLT */
	CODE_BYTES = 9,            /* the longest code that binds */
	NAME_MAX_BYTES = 1 << 16,
};

struct image {
	const struct remote *process;
	uint64_t start, end, moved; /* moved: the offset of memory addresses from those in the file */
	Elf64_Ehdr header;
	Elf64_Phdr segments[SEGMENTS_MAX];
	bool has_interpreter;
	uint64_t dynamic, dynamic_size;
};

/* What the dynamic section says; 0: nothing. */
struct dynamic {
	uint64_t relocations, size, symbols, strings;
	bool now, needs, is_program, other;
};

/* ---- headers ---- */

static bool late_file_read_segments(struct image *m)
{
	bool placed = false;

	if (m->header.e_phentsize != sizeof(Elf64_Phdr) || m->header.e_phnum > SEGMENTS_MAX ||
	    !remote_read(m->process, m->start + m->header.e_phoff, m->segments,
			 m->header.e_phnum * sizeof(*m->segments)))
		return false;
	for (size_t i = 0; i < m->header.e_phnum; i++) {
		const Elf64_Phdr *s = &m->segments[i];

		if (s->p_type == PT_LOAD && !placed) {
			m->moved = m->start - (s->p_vaddr - s->p_offset);
			placed = true;
		}
		m->has_interpreter |= s->p_type == PT_INTERP;
		if (s->p_type == PT_DYNAMIC) {
			m->dynamic = s->p_vaddr;
			m->dynamic_size = s->p_memsz;
		}
	}
	m->dynamic += m->moved;
	return placed;
}

/* glibc adds moved to the addresses in the dynamic section itself, musl and others leave them as they are. */
static uint64_t late_file_place(const struct image *m, uint64_t address)
{
	return address < m->moved ? address + m->moved : address;
}

static void late_file_note(const struct image *m, const Elf64_Dyn *d, struct dynamic *t)
{
	switch (d->d_tag) {
	case DT_JMPREL: t->relocations = late_file_place(m, d->d_un.d_ptr); break;
	case DT_PLTRELSZ: t->size = d->d_un.d_val; break;
	case DT_PLTREL: t->other = d->d_un.d_val != DT_RELA; break;
	case DT_SYMTAB: t->symbols = late_file_place(m, d->d_un.d_ptr); break;
	case DT_STRTAB: t->strings = late_file_place(m, d->d_un.d_ptr); break;
	case DT_BIND_NOW: t->now = true; break;
	case DT_FLAGS: t->now |= (d->d_un.d_val & DF_BIND_NOW) != 0; break;
	case DT_FLAGS_1:
		t->now |= (d->d_un.d_val & DF_1_NOW) != 0;
		t->is_program = d->d_un.d_val & DF_1_PIE;
		break;
	case DT_NEEDED: t->needs = true; break;
	default: break;
	}
}

static bool late_file_read_tables(const struct image *m, struct dynamic *t)
{
	size_t count = m->dynamic_size / sizeof(Elf64_Dyn);
	Elf64_Dyn *entries;
	bool read;

	if (count > DYNAMIC_MAX)
		return false;
	entries = xcalloc(count, sizeof(*entries));
	read = remote_read(m->process, m->dynamic, entries, count * sizeof(*entries));
	for (size_t i = 0; read && i < count && entries[i].d_tag != DT_NULL; i++)
		late_file_note(m, &entries[i], t);
	free(entries);
	return read;
}

/* ---- slots ---- */

/* The functions of the PLT. */
struct slots {
	Elf64_Rela *relocations;     /* [count] */
	uint64_t *targets;           /* [count]: where their slots lead to */
	uint8_t (*code)[CODE_BYTES]; /* [count]: and what is there */
	struct remote_part *parts;   /* [count] */
	size_t count;
};

static bool late_file_is_function(const struct image *m, const Elf64_Rela *r)
{
	return ELF64_R_TYPE(r->r_info) ==
	       (m->header.e_machine == EM_X86_64 ? (uint32_t)R_X86_64_JUMP_SLOT : (uint32_t)R_AARCH64_JUMP_SLOT);
}

/* Is this the code in the file itself that binds function number i? */
static bool binds(const struct image *m, const uint8_t *code, size_t i)
{
	uint32_t word;

	memcpy(&word, code, sizeof(word));
	if (m->header.e_machine == EM_AARCH64) {
		if (word == 0xd503245f) /* bti c */
			memcpy(&word, code + 4, sizeof(word));
		return word == 0xa9bf7bf0;
	}
	if (!memcmp(code, "\xf3\x0f\x1e\xfa", 4))
		code += 4;
	memcpy(&word, code + 1, sizeof(word));
	return code[0] == 0x68 && word == i;
}

/* Follow each slot to its code: if this is in the file itself, the function is not bound yet. */
static void late_file_follow(const struct image *m, struct slots *s)
{
	size_t parts = 0;

	for (size_t i = 0; i < s->count; i++)
		s->parts[i] = (struct remote_part){ m->moved + s->relocations[i].r_offset, &s->targets[i], 8 };
	remote_read_parts(m->process, s->parts, s->count);
	for (size_t i = 0; i < s->count; i++) {
		if (s->targets[i] >= m->start && s->targets[i] < m->end)
			s->parts[parts++] = (struct remote_part){ s->targets[i], s->code[i], CODE_BYTES };
	}
	remote_read_parts(m->process, s->parts, parts);
}

static void late_file_add_name(const struct image *m, const struct dynamic *t, const Elf64_Rela *r, char *text,
			       struct str *names)
{
	Elf64_Sym symbol;

	if (!remote_read(m->process, t->symbols + ELF64_R_SYM(r->r_info) * sizeof(symbol), &symbol, sizeof(symbol)) ||
	    !remote_text(m->process, t->strings + symbol.st_name, text, NAME_MAX_BYTES) || !*text)
		strcpy(text, "?");
	demangle_symbol(names, text, DEMANGLE_SIMPLE);
	str_add(names, "", 1);
}

static void late_file_judge(const struct image *m, const struct dynamic *t, const struct slots *s,
			    struct late_file *file)
{
	char *text = xmalloc(NAME_MAX_BYTES);

	for (size_t i = 0; i < s->count; i++) {
		if (!late_file_is_function(m, &s->relocations[i]))
			continue;
		file->functions++;
		if (!binds(m, s->code[i], i))
			continue;
		file->unbound++;
		late_file_add_name(m, t, &s->relocations[i], text, &file->names);
	}
	free(text);
}

static bool late_file_read_slots(const struct image *m, const struct dynamic *t, struct late_file *file)
{
	struct slots s = { .count = t->size / sizeof(Elf64_Rela) };
	bool read;

	if (s.count > RELOCATIONS_MAX)
		return false;
	s.relocations = xcalloc(s.count, sizeof(*s.relocations));
	s.targets = xcalloc(s.count, sizeof(*s.targets));
	s.code = xcalloc(s.count, sizeof(*s.code));
	s.parts = xcalloc(s.count, sizeof(*s.parts));
	read = remote_read(m->process, t->relocations, s.relocations, s.count * sizeof(*s.relocations));
	if (read) {
		late_file_follow(m, &s);
		late_file_judge(m, t, &s, file);
	}
	free(s.relocations);
	free(s.targets);
	free(s.code);
	free(s.parts);
	return read;
}

/* ---- a file ---- */

static enum late_kind read_image(struct image *m, struct late_file *file)
{
	struct dynamic t = { 0 };

	if (!remote_read(m->process, m->start, &m->header, sizeof(m->header)) ||
	    memcmp(m->header.e_ident, ELFMAG, SELFMAG) != 0)
		return LATE_UNREADABLE;
	if (m->header.e_ident[EI_CLASS] != ELFCLASS64 || m->header.e_ident[EI_DATA] != ELFDATA2LSB ||
	    (m->header.e_machine != EM_X86_64 && m->header.e_machine != EM_AARCH64))
		return LATE_OTHER;
	if (!late_file_read_segments(m))
		return LATE_UNREADABLE;
	if (!m->dynamic_size)
		return m->has_interpreter ? LATE_NONE : LATE_STATIC;
	if (!late_file_read_tables(m, &t))
		return LATE_UNREADABLE;
	if (t.is_program && !m->has_interpreter && !t.needs)
		return LATE_STATIC;
	if (!t.size || !t.relocations || t.other)
		return LATE_NONE;
	if (!late_file_read_slots(m, &t, file))
		return LATE_UNREADABLE;
	if (!file->functions)
		return LATE_NONE;
	return t.now ? LATE_AT_START : LATE_LAZY;
}

struct late_file late_file_read(const struct remote *process, uint64_t start, uint64_t end)
{
	struct image *m = xcalloc(1, sizeof(*m));
	struct late_file file = { 0 };

	m->process = process;
	m->start = start;
	m->end = end;
	file.kind = read_image(m, &file);
	free(m);
	return file;
}
