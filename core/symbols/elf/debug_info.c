#include "core/symbols/elf/debug_info.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <endian.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/elf/debug_file.h"
#include "core/symbols/elf/debug_image.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/elf/function_names.h"

/* --- which units may have code at the wanted addresses --- */

/* Which units of debug information may have code at wanted addresses, by .debug_aranges (DWARF 5, 6.1.2).  A large
 * library has thousands of units: looking into each for its addresses takes longer than reading the needed ones. */

struct debug_unit {
	uint64_t offset; /* in .debug_info */
	bool wanted;
};

/* The units that may have code at the wanted addresses.  {0} is valid and empty: then any unit may have such code. */
struct debug_units {
	struct debug_unit *items; /* [count], by offset: the units whose addresses are listed */
	size_t count, cap;
};

/* A set: u32 length of what follows; u16 version, u32 offset of the unit, u8 bytes of an address, u8 of a segment; padding, as
 * if the section were aligned; pairs of address and length; a pair of zeros.  Those of more than 4 GB (64-bit DWARF) are not
 * read. */
enum { LENGTH_BYTES = 4, HEAD_BYTES = 12, PAIR_BYTES = 16, VERSION = 2 };

static bool debug_units_has_address(const uint64_t *addresses, size_t count, uint64_t start, uint64_t len)
{
	size_t first = FIRST_NOT(i, count, addresses[i] < start);

	return first < count && addresses[first] - start < len;
}

/* Read the set of len bytes, whose length is given.  Returns false if it is not understood. */
static bool debug_units_read_set(struct debug_units *u, const char *set, size_t len, const uint64_t *addresses,
				 size_t count)
{
	uint64_t pair[2];
	uint32_t offset;
	uint16_t version;
	bool wanted = false;

	if (len < HEAD_BYTES)
		return false;
	memcpy(&version, set + LENGTH_BYTES, sizeof(version));
	memcpy(&offset, set + LENGTH_BYTES + sizeof(version), sizeof(offset));
	if (version != VERSION || set[HEAD_BYTES - 2] != sizeof(pair[0]) || set[HEAD_BYTES - 1])
		return false;
	for (size_t at = PAIR_BYTES; !wanted && len - at >= sizeof(pair) && at < len; at += sizeof(pair)) {
		memcpy(pair, set + at, sizeof(pair));
		wanted = debug_units_has_address(addresses, count, pair[0], pair[1]);
	}
	u->items = xgrow(u->items, &u->cap, u->count + 1, sizeof(*u->items));
	u->items[u->count++] = (struct debug_unit){ offset, wanted };
	return true;
}

SORT_BY(by_offset, struct debug_unit, offset);

/* A unit may have several sets. */
static void merge_sets(struct debug_units *u)
{
	size_t kept = 0;

	if (u->count)
		qsort(u->items, u->count, sizeof(*u->items), by_offset);
	for (size_t i = 0; i < u->count; i++) {
		if (kept && u->items[kept - 1].offset == u->items[i].offset)
			u->items[kept - 1].wanted |= u->items[i].wanted;
		else
			u->items[kept++] = u->items[i];
	}
	u->count = kept;
}

static void debug_units_free(struct debug_units *u)
{
	if (!u)
		return;
	free(u->items);
	*u = (struct debug_units){ 0 };
}

/* Read the address lists of elf; addresses[0..count) are sorted. */
static void debug_units_read(struct debug_units *u, Elf *elf, const uint64_t *addresses, size_t count)
{
	GElf_Shdr header;
	Elf_Data *data = elf_file_section(elf, ".debug_aranges", &header);
	const char *bytes = data ? data->d_buf : NULL;
	GElf_Ehdr file;
	uint32_t len;

	*u = (struct debug_units){ 0 };
	if (!bytes || header.sh_flags & SHF_COMPRESSED || !gelf_getehdr(elf, &file) || file.e_type == ET_REL ||
	    file.e_ident[EI_DATA] != (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB))
		return;
	for (size_t at = 0; data->d_size - at > LENGTH_BYTES; at += len + LENGTH_BYTES) {
		memcpy(&len, bytes + at, sizeof(len));
		if (len > data->d_size - at - LENGTH_BYTES ||
		    !debug_units_read_set(u, bytes + at, len + LENGTH_BYTES, addresses, count)) {
			debug_units_free(u);
			return;
		}
	}
	merge_sets(u);
}

/* May the unit at an offset have code at one of these addresses?  Yes if its addresses are not listed: not all
 * compilers list them. */
static bool debug_units_may_have(const struct debug_units *u, uint64_t offset)
{
	size_t i = FIRST_NOT(n, u->count, u->items[n].offset < offset);

	return i == u->count || u->items[i].offset != offset || u->items[i].wanted;
}

/* --- opens the DWARF information of a file without the parts that are not needed --- */

/* Libdw unpacks all sections
 * at once, and line tables and lists of locations are a third of them. */

/* {0} is valid and closed. */
struct debug_sections {
	Dwarf *dwarf;
	Elf *elf;                /* has the sections, or at least the needed ones */
	struct debug_image copy; /* the sections unpacked here, if the file has them compressed */
	Elf *group;              /* an ELF file in memory, with a section that lists the sections to be read */
	void *image;             /* its bytes */
};

/* Sections that are never needed from libdw: places of variables, macros, indexes, other tables for unwinding. */
static bool is_needless(const char *name)
{
	static const char *const needless[] = { "line",  "loc",      "loclists", "macinfo",
						"macro", "pubnames", "pubtypes", "gnu_pubnames",
						"frame", "names",    "aranges",  "gnu_pubtypes" };

	name += name[0] == '.';
	name += name[0] == 'z';
	if (strncmp(name, "debug_", 6) != 0)
		return false;
	for (size_t i = 0; i < sizeof(needless) / sizeof(*needless); i++) {
		if (!strcmp(name + 6, needless[i]))
			return true;
	}
	return false;
}

/* Put the numbers of the other sections into words[0..), which has room for all. */
static size_t list_sections(Elf *elf, size_t names, Elf32_Word *words)
{
	Elf_Scn *section = NULL;
	size_t count = 0;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		const char *name;

		/* Sections of real groups are not read either if libdw chooses. */
		if (!gelf_getshdr(section, &header) || header.sh_flags & SHF_GROUP)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && !is_needless(name))
			words[count++] = (Elf32_Word)elf_ndxscn(section);
	}
	return count;
}

/* If there is a group of sections, libdw reads only the sections that it lists: flags, then numbers.  Our group is in a
 * file of its own:
 *
 *     ELF header | flags, numbers ... 0 | headers of section 0 (zeros) and of the group
 *
 * The 0 is for libdw 0.188, which reads one number too many. */
static Elf_Scn *debug_sections_make_group(struct debug_sections *d, Elf *elf)
{
	size_t sections, names, count, at;
	Elf64_Shdr *headers;
	Elf64_Ehdr *header;
	Elf32_Word *words;

	if (elf_getshdrnum(elf, &sections) || elf_getshdrstrndx(elf, &names))
		return NULL;
	at = (sizeof(*header) + (sections + 2) * sizeof(*words) + 7) & ~(size_t)7;
	d->image = xcalloc(1, at + 2 * sizeof(*headers));
	header = d->image;
	words = (Elf32_Word *)(header + 1);
	headers = (Elf64_Shdr *)((char *)d->image + at);
	count = list_sections(elf, names, words + 1);
	memcpy(header->e_ident, ELFMAG, SELFMAG);
	header->e_ident[EI_CLASS] = ELFCLASS64;
	header->e_ident[EI_DATA] = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
	header->e_ident[EI_VERSION] = EV_CURRENT;
	header->e_type = ET_REL;
	header->e_version = EV_CURRENT;
	header->e_ehsize = sizeof(*header);
	header->e_shoff = at;
	header->e_shentsize = sizeof(*headers);
	header->e_shnum = 2;
	headers[1] = (Elf64_Shdr){ .sh_type = SHT_GROUP,
				   .sh_offset = sizeof(*header),
				   .sh_size = (count + 1) * sizeof(*words),
				   .sh_entsize = sizeof(*words),
				   .sh_addralign = sizeof(*words) };
	d->group = elf_memory(d->image, at + 2 * sizeof(*headers));
	return d->group ? elf_getscn(d->group, 1) : NULL;
}

/* Debug_units.h reads the addresses of units. */
static bool is_needless_here(const char *name)
{
	return is_needless(name) && strcmp(name, ".debug_aranges") != 0;
}

static bool is_needless_with_lines(const char *name)
{
	return is_needless_here(name) && strcmp(name, ".debug_line") != 0;
}

static void debug_sections_close(struct debug_sections *d)
{
	if (!d)
		return;
	dwarf_end(d->dwarf);
	elf_end(d->group);
	debug_image_close(&d->copy);
	free(d->image);
	*d = (struct debug_sections){ 0 };
}

/* Open the information of elf, which must outlive it; lines: with line tables.  Returns 0, or -1: there is none, or it
 * is damaged. */
static int debug_sections_open(struct debug_sections *d, Elf *elf, bool lines)
{
	*d = (struct debug_sections){ .elf = elf };
	if (debug_image_open(&d->copy, elf, lines ? is_needless_with_lines : is_needless_here) == 0) {
		d->elf = d->copy.elf;
		d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	} else {
		d->dwarf = dwarf_begin_elf(elf, DWARF_C_READ, lines ? NULL : debug_sections_make_group(d, elf));
	}
	if (d->dwarf)
		return 0;
	debug_sections_close(d);
	return -1;
}

/* --- the index --- */

enum { MAX_NESTING = 1000 };

/* Limits for data of unknown size: ranges; entries of a unit in a separate file. */
enum { RANGES_BUDGET = 1 << 20, SPLIT_BUDGET = 1 << 26 };

/* A function, possibly inlined, that contains wanted addresses. */
struct function {
	const struct function *outer; /* the function that it was inlined into; NULL: none */
	Dwarf_Die die;
	int language;
	const char *name;      /* the name of an inlined function, else NULL */
	const char *call_file; /* where outer called it */
	uint32_t call_line;
};

/* A place that is wanted, by its address in the tables of the file. */
struct wanted_place {
	struct place *place;
	uint64_t address;
	const struct function *innermost; /* the innermost function around the place; NULL: none yet */
	uint64_t low, high;               /* that function's range around the address */
};

struct lookup {
	const struct elf_segments *segments; /* segments of the file that was mapped */
	struct wanted_place *targets;        /* [count], sorted by address */
	size_t count;
	struct arena *names, functions;
	struct function_names function_names;
	bool lines; /* source files and lines are wanted, too */
	bool damaged;

	/* The current unit: */
	const char *directory; /* the directory to which file names are relative, or NULL */
	Dwarf_Files *files;
	int language;
	bool thorough;   /* read everything, because some addresses have no function yet */
	uint64_t budget; /* entries and ranges that may still be read: damaged links form loops */
};

/* --- addresses ---------------------------------------------------------------------- */

static size_t first_target(const struct lookup *l, uint64_t address)
{
	return FIRST_NOT(i, l->count, l->targets[i].address < address);
}

/* The plausible ranges of an entry, one after the other: linkers leave the ranges of dropped
 * functions at the start of the address space. */
struct ranges {
	Dwarf_Die *die;
	ptrdiff_t offset;
	Dwarf_Addr base, low, high;
};

static bool next_range(struct lookup *l, struct ranges *r)
{
	while (l->budget && (r->offset = dwarf_ranges(r->die, r->offset, &r->base, &r->low, &r->high)) > 0) {
		l->budget--;
		if (r->low > 1 && r->low < r->high)
			return true;
	}
	return false;
}

static bool has_target(struct lookup *l, Dwarf_Die *die)
{
	struct ranges ranges = { .die = die };

	while (next_range(l, &ranges)) {
		size_t i = first_target(l, ranges.low);

		if (i < l->count && l->targets[i].address < ranges.high)
			return true;
	}
	return false;
}

static bool has_ranges(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_low_pc) || dwarf_hasattr(die, DW_AT_ranges);
}

/* --- functions ---------------------------------------------------------------------- */

static const char *source_file(struct lookup *l, const char *name)
{
	return function_names_file(&l->function_names, l->directory, name);
}

static const struct function *make_function(struct lookup *l, Dwarf_Die *die, const struct function *outer)
{
	struct function *f = arena_alloc(&l->functions, sizeof(*f));
	Dwarf_Attribute attribute;
	Dwarf_Word number;

	*f = (struct function){ .outer = outer, .die = *die, .language = l->language };
	if (!outer)
		return f;
	f->name = function_names_of(&l->function_names, die, l->language);
	if (!l->lines)
		return f;
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &number) && l->files)
		f->call_file = source_file(l, dwarf_filesrc(l->files, number, NULL, NULL));
	if (!dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &number))
		f->call_line = (uint32_t)number;
	return f;
}

/* Which function wins if several contain an address: the innermost; if they are not nested, which should not happen,
 * the one with the smaller range. */
static bool debug_info_is_inner(const struct wanted_place *t, const struct function *f, const struct ranges *r)
{
	return !t->innermost || t->innermost == f->outer || r->high - r->low < t->high - t->low;
}

/* Note the function for all wanted addresses inside it.  Returns the function, or NULL if no address is inside. */
static const struct function *debug_info_enter(struct lookup *l, Dwarf_Die *die, const struct function *outer)
{
	const struct function *f = NULL;
	struct ranges ranges = { .die = die };

	while (next_range(l, &ranges)) {
		for (size_t i = first_target(l, ranges.low); i < l->count && l->targets[i].address < ranges.high; i++) {
			struct wanted_place *t = &l->targets[i];

			if (!f)
				f = make_function(l, die, outer);
			if (!debug_info_is_inner(t, f, &ranges))
				continue;
			t->innermost = f;
			t->low = ranges.low;
			t->high = ranges.high;
		}
	}
	return f;
}

static void debug_info_walk(struct lookup *l, Dwarf_Die *parent, const struct function *outer, size_t nesting);

static void debug_info_visit(struct lookup *l, Dwarf_Die *die, const struct function *outer, size_t nesting)
{
	const struct function *f;

	switch (dwarf_tag(die)) {
	case DW_TAG_namespace:
	case DW_TAG_module: debug_info_walk(l, die, NULL, nesting); break;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
		if (l->thorough)
			debug_info_walk(l, die, NULL, nesting);
		break;
	case DW_TAG_subprogram: /* the code of a nested function can be elsewhere */
		if ((f = debug_info_enter(l, die, NULL)) || l->thorough)
			debug_info_walk(l, die, f, nesting);
		break;
	case DW_TAG_inlined_subroutine:
		if (outer && (f = debug_info_enter(l, die, outer)))
			debug_info_walk(l, die, f, nesting);
		break;
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
		if (l->thorough || !has_ranges(die) || has_target(l, die))
			debug_info_walk(l, die, outer, nesting);
		break;
	}
}

static void debug_info_walk(struct lookup *l, Dwarf_Die *parent, const struct function *outer, size_t nesting)
{
	Dwarf_Die die, next;
	int end = nesting < MAX_NESTING ? dwarf_child(parent, &next) : -1;

	while (!end && l->budget) {
		die = next;
		l->budget--;
		debug_info_visit(l, &die, outer, nesting + 1);
		end = dwarf_siblingof(&die, &next);
		if (!end && (const char *)next.addr <= (const char *)die.addr)
			end = -1;
	}
	l->damaged |= end < 0 || !l->budget;
}

/* --- units -------------------------------------------------------------------------- */

static bool is_any_without_function(struct lookup *l, Dwarf_Die *unit)
{
	struct ranges ranges = { .die = unit };

	while (next_range(l, &ranges)) {
		for (size_t i = first_target(l, ranges.low); i < l->count && l->targets[i].address < ranges.high; i++) {
			if (!l->targets[i].innermost)
				return true;
		}
	}
	return false;
}

static void debug_info_read_lines(struct lookup *l, Dwarf_Die *unit)
{
	struct ranges ranges = { .die = unit };

	while (next_range(l, &ranges)) {
		for (size_t i = first_target(l, ranges.low); i < l->count && l->targets[i].address < ranges.high; i++) {
			struct wanted_place *t = &l->targets[i];
			Dwarf_Line *line = t->place->file ? NULL : dwarf_getsrc_die(unit, t->address);
			int number;

			if (!line)
				continue;
			t->place->file = source_file(l, dwarf_linesrc(line, NULL, NULL));
			if (!dwarf_lineno(line, &number) && number > 0)
				t->place->line = (uint32_t)number;
		}
	}
}

/* The functions of a unit can be in a separate file (.dwo); its ranges and lines are in this one. */
static void debug_info_read_unit(struct lookup *l, Dwarf_Die *unit)
{
	Dwarf_Attribute attribute;
	Dwarf_Die split;
	size_t count;

	if (!has_target(l, unit))
		return;
	l->directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
	if (l->lines)
		debug_info_read_lines(l, unit);
	if (!dwarf_cu_info(unit->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) && split.addr) {
		unit = &split;
		l->budget += SPLIT_BUDGET;
	}
	l->language = dwarf_srclang(unit);
	if (!l->lines || dwarf_getsrcfiles(unit, &l->files, &count))
		l->files = NULL;
	l->thorough = false;
	debug_info_walk(l, unit, NULL, 0);
	if (!is_any_without_function(l, unit))
		return;
	l->thorough = true;
	debug_info_walk(l, unit, NULL, 0);
}

static void read_units(struct lookup *l, Dwarf *dwarf, const struct debug_units *units)
{
	Dwarf_Off at = 0, next;
	size_t header_size;
	Dwarf_Die unit;
	int end;

	for (; !(end = dwarf_next_unit(dwarf, at, &next, &header_size, NULL, NULL, NULL, NULL, NULL, NULL));
	     at = next) {
		if (!debug_units_may_have(units, at))
			continue;
		if (!dwarf_offdie(dwarf, at + header_size, &unit)) {
			l->damaged = true;
			continue;
		}
		l->budget = 4 * (next - at) + RANGES_BUDGET;
		if (dwarf_tag(&unit) == DW_TAG_compile_unit || dwarf_tag(&unit) == DW_TAG_skeleton_unit)
			debug_info_read_unit(l, &unit);
	}
	l->damaged |= end < 0;
}

/* --- places ------------------------------------------------------------------------- */

static void name_place(struct lookup *l, const struct wanted_place *t, const struct function *f)
{
	uint64_t start;

	if (t->place->name || !elf_to_offset(l->segments, t->low, &start))
		return;
	t->place->name = function_names_of(&l->function_names, (Dwarf_Die *)&f->die, f->language);
	t->place->start = start;
	t->place->size = t->high - t->low;
}

/* The table has the line of the innermost function; of every other function, the line is where it called the next
 * one. */
static void fill_place(struct lookup *l, const struct wanted_place *t)
{
	struct place *p = t->place;
	const char *file = p->file;
	const struct function *f = t->innermost;
	struct inlined *inlined = NULL;
	uint32_t line = p->line;
	size_t count = 0;

	for (f = t->innermost; f && f->outer && count < UINT16_MAX; f = f->outer)
		count++;
	if (count)
		inlined = arena_alloc(l->names, count * sizeof(*inlined));
	f = t->innermost;
	for (size_t i = 0; i < count; i++, f = f->outer) {
		inlined[i] = (struct inlined){ f->name, file, line };
		file = f->call_file;
		line = f->call_line;
	}
	p->file = file;
	p->line = line;
	p->inlined = inlined;
	p->inlined_count = (uint16_t)count;
	if (f)
		name_place(l, t, f);
}

SORT_BY(debug_info_by_address, struct wanted_place, address);

static void make_targets(struct lookup *l, struct place *wanted, size_t count)
{
	l->targets = xmalloc(count * sizeof(*l->targets));
	for (size_t i = 0; i < count; i++) {
		struct wanted_place *t = &l->targets[l->count];

		*t = (struct wanted_place){ .place = &wanted[i] };
		l->count += elf_to_address(l->segments, wanted[i].address, &t->address);
	}
	qsort(l->targets, l->count, sizeof(*l->targets), debug_info_by_address);
}

/* --- files -------------------------------------------------------------------------- */

static bool has_debug_info(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		const char *name;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		if (name && (!strcmp(name, ".debug_info") || !strcmp(name, ".zdebug_info")))
			return true;
	}
	return false;
}

static void choose_units(const struct lookup *l, Elf *elf, struct debug_units *units)
{
	uint64_t *addresses = xmalloc(l->count * sizeof(*addresses));

	for (size_t i = 0; i < l->count; i++)
		addresses[i] = l->targets[i].address;
	debug_units_read(units, elf, addresses, l->count);
	free(addresses);
}

static int resolve_from(Elf *elf, const struct elf_segments *segments, bool lines, struct place *wanted, size_t count,
			struct arena *names)
{
	struct lookup l = { .segments = segments, .names = names, .function_names.texts = names, .lines = lines };
	struct debug_sections sections;
	struct debug_units units;

	if (debug_sections_open(&sections, elf, lines))
		return -1;
	make_targets(&l, wanted, count);
	choose_units(&l, sections.elf, &units);
	read_units(&l, sections.dwarf, &units);
	for (size_t i = 0; i < l.count; i++)
		fill_place(&l, &l.targets[i]);
	free(l.targets);
	arena_free(&l.functions);
	function_names_free(&l.function_names);
	debug_units_free(&units);
	debug_sections_close(&sections);
	return l.damaged ? -1 : 0;
}

int debug_info_resolve(const struct module *module, bool lines, struct place *wanted, size_t count, struct arena *names)
{
	struct elf_file main, debug;
	enum why why;
	int status = 0;

	if (elf_file_open(&main, module, &why))
		return 0;
	if (has_debug_info(main.elf)) {
		status = resolve_from(main.elf, &main.segments, lines, wanted, count, names);
	} else if (!debug_file_open(&debug, module, &main)) {
		if (has_debug_info(debug.elf))
			status = resolve_from(debug.elf, &main.segments, lines, wanted, count, names);
		elf_file_close(&debug);
	}
	elf_file_close(&main);
	return status;
}
