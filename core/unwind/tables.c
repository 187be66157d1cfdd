#include "core/unwind/tables.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <libelf.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/symbols/space/process_root.h"
#include "core/unwind/cfi_check.h"
#include "core/unwind/instructions.h"

/* --- where the functions of a file begin, by its symbols --- */

/* For code without tables. */

/* {0} is valid and empty. */
struct functions {
	uint64_t *starts; /* [count], ascending: addresses as in the file's tables */
	size_t count, cap;
};

/* Is the symbol a function, or an untyped label of hand-written code?  Labels that begin with "$" are the
 * assembler's own. */
static bool functions_is_function(Elf *elf, const GElf_Shdr *table, const GElf_Sym *symbol)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	const char *name;

	if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= SHN_LORESERVE || !symbol->st_value)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	name = type == STT_NOTYPE ? elf_strptr(elf, table->sh_link, symbol->st_name) : NULL;
	return name && name[0] && name[0] != '$';
}

static void functions_read_table(struct functions *f, Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;
	GElf_Sym symbol;

	for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &symbol); i++) {
		if (!functions_is_function(elf, header, &symbol))
			continue;
		f->starts = xgrow(f->starts, &f->cap, f->count + 1, sizeof(*f->starts));
		f->starts[f->count++] = symbol.st_value;
	}
}

static void functions_read_tables(struct functions *f, Elf *elf, uint32_t type)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, &header) && header.sh_type == type)
			functions_read_table(f, elf, section, &header);
	}
}

static void functions_read(struct functions *f, Elf *elf)
{
	functions_read_tables(f, elf, SHT_SYMTAB);
	if (!f->count)
		functions_read_tables(f, elf, SHT_DYNSYM);
	if (f->count)
		qsort(f->starts, f->count, sizeof(*f->starts), by_u64);
}

/* The start of the function that contains address.  Returns false if none begins before it. */
static bool functions_find(const struct functions *f, uint64_t address, uint64_t *start)
{
	size_t low = FIRST_NOT(i, f->count, f->starts[i] <= address);

	if (!low)
		return false;
	*start = f->starts[low - 1];
	return true;
}

static void functions_free(struct functions *f)
{
	if (!f)
		return;
	free(f->starts);
	*f = (struct functions){ 0 };
}

/* --- tables --- */

enum { OPEN_MAX_FILES = 64 };

/* The tables of one file, or of its debug file. */
struct frames {
	struct elf_file file;
	Dwarf_CFI *eh_frame;
	Dwarf *dwarf;
	Dwarf_CFI *debug_frame; /* belongs to dwarf */
	bool is_damaged;
};

struct table {
	bool is_open, no_file, no_debug_file, has_functions;
	uint64_t last_use;
	struct frames own, debug;
	struct functions functions;
};

/* Is a section safe for libdw?  Compressed sections are not checked. */
static bool is_modest(Elf *elf, const char *name, bool eh_frame)
{
	GElf_Shdr header;
	Elf_Data *data = elf_file_section(elf, name, &header);

	return !data || header.sh_flags & SHF_COMPRESSED ||
	       cfi_is_modest(data, (const unsigned char *)elf_getident(elf, NULL), eh_frame);
}

/* Open the call frame information of a file.  dwarf_begin_elf() is called only if there is a .debug_frame, since it
 * decompresses every compressed section. */
static void unwind_tables_open_frames(struct frames *f)
{
	if (is_modest(f->file.elf, ".eh_frame", true))
		f->eh_frame = dwarf_getcfi_elf(f->file.elf);
	if ((!elf_file_section(f->file.elf, ".debug_frame", NULL) &&
	     !elf_file_section(f->file.elf, ".zdebug_frame", NULL)) ||
	    !is_modest(f->file.elf, ".debug_frame", false))
		return;
	f->dwarf = dwarf_begin_elf(f->file.elf, DWARF_C_READ, NULL);
	f->debug_frame = f->dwarf ? dwarf_getcfi(f->dwarf) : NULL;
}

static void unwind_tables_close_frames(struct frames *f)
{
	if (f->eh_frame)
		dwarf_cfi_end(f->eh_frame);
	if (f->dwarf)
		dwarf_end(f->dwarf);
	if (f->file.elf)
		elf_file_close(&f->file);
	*f = (struct frames){ 0 };
}

static void close_table(struct tables *t, struct table *table)
{
	unwind_tables_close_frames(&table->debug);
	unwind_tables_close_frames(&table->own);
	table->is_open = false;
	t->open_count--;
}

static void close_oldest(struct tables *t)
{
	struct table *oldest = NULL;

	for (size_t i = 0; i < t->count; i++) {
		struct table *table = t->items[i];

		if (table && table->is_open && (!oldest || table->last_use < oldest->last_use))
			oldest = table;
	}
	if (oldest)
		close_table(t, oldest);
}

static struct table *open_table(struct tables *t, const struct modules *modules, uint32_t module)
{
	enum why why;
	struct table *table;

	if (module >= t->count) {
		size_t before = t->cap;

		t->items = xgrow(t->items, &t->cap, module + 1, sizeof(struct table *));
		memset(t->items + before, 0, (t->cap - before) * sizeof(struct table *));
		t->count = module + 1;
	}
	if (!t->items[module])
		t->items[module] = xcalloc(1, sizeof(*table));
	table = t->items[module];
	table->last_use = ++t->clock;
	if (table->is_open || table->no_file)
		return table;
	if (t->open_count >= OPEN_MAX_FILES)
		close_oldest(t);
	table->no_file = elf_file_open(&table->own.file, &modules->items[module], &why) != 0;
	if (table->no_file) {
		table->own = (struct frames){ 0 };
		return table;
	}
	table->is_open = true;
	t->open_count++;
	unwind_tables_open_frames(&table->own);
	return table;
}

/* Open the table's debug file: /usr/lib/debug/.build-id/1a/2b3c....debug */
static void open_debug_file(struct table *table)
{
	char path[sizeof("/usr/lib/debug/.build-id//.debug") + 2 * BUILD_ID_MAX + 1];
	struct elf_build_id id = elf_file_build_id(table->own.file.elf);
	int fd = -1;

	if (table->debug.file.elf || table->no_debug_file)
		return;
	if (is_build_id(id.text)) {
		snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", id.text, id.text + 2);
		fd = process_root_open(0, path);
	}
	table->no_debug_file = fd < 0 || elf_file_open_fd(&table->debug.file, fd);
	if (table->no_debug_file) {
		table->debug = (struct frames){ 0 };
		return;
	}
	if (strcmp(elf_file_build_id(table->debug.file.elf).text, id.text) == 0)
		unwind_tables_open_frames(&table->debug);
}

/* An entry that cfi_is_modest() did not see may name any register number, and libdw then allocates gigabytes, at
 * each address.  One such failure is enough. */
static bool unwind_tables_find_frame(struct frames *f, uint64_t address, Dwarf_Frame **frame)
{
	enum { FRAME_BYTES_MAX = 1 << 16 };

	if (f->is_damaged)
		return false;
	if ((!f->eh_frame || dwarf_cfi_addrframe(f->eh_frame, address, frame)) &&
	    (!f->debug_frame || dwarf_cfi_addrframe(f->debug_frame, address, frame)))
		return false;
	f->is_damaged = malloc_usable_size(*frame) > FRAME_BYTES_MAX;
	if (f->is_damaged)
		free(*frame);
	return !f->is_damaged;
}

static const uint8_t *file_code(const struct table *table, uint64_t offset, size_t len)
{
	size_t size;
	char *bytes = elf_rawfile(table->own.file.elf, &size);

	return bytes && len <= size && offset <= size - len ? (const uint8_t *)bytes + offset : NULL;
}

const uint8_t *tables_code(struct tables *t, const struct modules *modules, uint32_t module, uint64_t address,
			   size_t len)
{
	struct table *table;

	if (modules->items[module].kind != MODULE_ELF && modules->items[module].kind != MODULE_VDSO)
		return NULL;
	table = open_table(t, modules, module);
	/* An address in a module is an offset in its file. */
	return table->no_file ? NULL : file_code(table, address, len);
}

const struct elf_file *tables_file(struct tables *t, const struct modules *modules, uint32_t module)
{
	struct table *table = modules->items[module].kind == MODULE_ELF ? open_table(t, modules, module) : NULL;

	return table && !table->no_file ? &table->own.file : NULL;
}

/* Code at the file's entry point, without a table: a few instructions, like _start of musl and
 * ld.so. */
static bool unwind_tables_is_entry(const struct elf_file *file, uint64_t address)
{
	enum { ENTRY_BYTES = 64 };
	GElf_Ehdr header;

	return gelf_getehdr(file->elf, &header) && address - header.e_entry < ENTRY_BYTES;
}

/* The start of the function at an address; both are as in the file's tables.  Returns false if there is no
 * symbol. */
static bool unwind_tables_find_function(struct table *table, uint64_t address, uint64_t *start)
{
	enum { FUNCTION_MAX = 65536 };
	Dwarf_Frame *frame;

	if (!table->has_functions)
		functions_read(&table->functions, table->own.file.elf);
	table->has_functions = true;
	if (!functions_find(&table->functions, address, start) || address - *start > FUNCTION_MAX)
		return false;
	if (!unwind_tables_find_frame(&table->own, *start, &frame))
		return true;
	free(frame); /* the function at the address has a table, but no symbol */
	return false;
}

bool tables_function(struct tables *t, const struct modules *modules, uint32_t module, uint64_t address,
		     uint64_t *start)
{
	struct table *table;

	if (modules->items[module].kind != MODULE_ELF)
		return false;
	table = open_table(t, modules, module);
	return !table->no_file && elf_to_address(&table->own.file.segments, address, &address) &&
	       unwind_tables_find_function(table, address, start) &&
	       elf_to_offset(&table->own.file.segments, *start, start);
}

/* How to guess for code without a table.  Compilers make tables for all their functions: in a file with tables, a
 * function without one was written by hand, and rarely keeps frame pointers. */
static uint32_t guess_rule(struct table *table, uint64_t address, enum unwind_machine machine)
{
	enum { PROLOGUE_MAX = 256 };
	const struct elf_file *file = &table->own.file;
	uint64_t start, offset, len;
	const uint8_t *code;

	if (unwind_tables_is_entry(file, address))
		return RULE_ENTRY;
	if (!unwind_tables_find_function(table, address, &start) || !elf_to_offset(&file->segments, start, &offset))
		return RULE_UNCLEAR;
	len = address - start < PROLOGUE_MAX ? address - start : PROLOGUE_MAX;
	code = file_code(table, offset, len);
	if (code && code_sets_frame_pointer(code, len, machine))
		return RULE_NO_CFI;
	return table->own.eh_frame || table->own.debug_frame ? RULE_NO_FRAME : RULE_UNCLEAR;
}

/* The rule for an address; the address is as in the file's tables. */
static uint32_t read_rule(struct table *table, uint64_t address, struct rules *rules, enum unwind_machine machine)
{
	Dwarf_Frame *frame;
	uint32_t rule;

	if (!unwind_tables_find_frame(&table->own, address, &frame)) {
		open_debug_file(table);
		if (!unwind_tables_find_frame(&table->debug, address, &frame))
			return guess_rule(table, address, machine);
	}
	rule = unwind_rules_add(rules, frame, machine);
	free(frame);
	return rule;
}

uint32_t tables_rule(struct tables *t, const struct modules *modules, uint32_t module, uint64_t address,
		     struct rules *rules, enum unwind_machine machine)
{
	const uint8_t *code;
	struct table *table;
	uint64_t in_tables;
	uint32_t rule;

	if (modules->items[module].kind != MODULE_ELF && modules->items[module].kind != MODULE_VDSO)
		return RULE_NO_CFI;
	table = open_table(t, modules, module);
	if (table->no_file)
		return RULE_NO_FILE;
	if (!elf_to_address(&table->own.file.segments, address, &in_tables))
		return RULE_NO_CFI;
	rule = read_rule(table, in_tables, rules, machine);
	if (rule >= RULE_FIRST && rules->items[rule - RULE_FIRST].is_signal)
		return rule;
	/* The address is in a call; the code that a signal handler returns to begins after that. */
	code = file_code(table, address + 1, SIGNAL_RETURN_BYTES);
	if (code && code_returns_from_signal(code, machine))
		return unwind_rules_add_signal_return(rules, machine);
	/* In sigreturn(2), the pc is after the code, and outside the tables of that code. */
	code = address >= SIGNAL_RETURN_BYTES ? file_code(table, address - SIGNAL_RETURN_BYTES, SIGNAL_RETURN_BYTES)
					      : NULL;
	if (code && code_returns_from_signal(code, machine))
		return unwind_rules_add_signal_return(rules, machine);
	return rule;
}

void tables_free(struct tables *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->count; i++) {
		if (t->items[i] && t->items[i]->is_open)
			close_table(t, t->items[i]);
		if (t->items[i])
			functions_free(&t->items[i]->functions);
		free(t->items[i]);
	}
	free(t->items);
	*t = (struct tables){ 0 };
}
