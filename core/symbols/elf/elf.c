#include "core/symbols/elf/elf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "core/sorted.h"
#include "core/symbols/elf/debug_file.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/elf/elf_symbols.h"
#include "core/symbols/elf/plt.h"
#include "core/symbols/space/chooser.h"
#include "core/symbols/space/places.h"

/* --- the entry point of a program --- */

/* The ELF header gives it even if a stripped file has no symbol there.  A stack that begins there is complete. */

/* _start of glibc has 34 to 48 bytes. */
enum { SIZE_USUAL = 48, SIZE_MAX_OF_START = 256 };

static bool says_program(const Elf_Data *dynamic)
{
	GElf_Dyn entry;

	for (int i = 0; dynamic && gelf_getdyn((Elf_Data *)dynamic, i, &entry) && entry.d_tag != DT_NULL; i++) {
		if (entry.d_tag == DT_FLAGS_1)
			return entry.d_un.d_val & DF_1_PIE;
	}
	return false;
}

/* Does the entry point belong to a program?  In the header of a library, linkers put the first byte of .text there. */
static bool program_start_is_program(Elf *elf, const GElf_Ehdr *header)
{
	return header->e_type == ET_EXEC ||
	       (header->e_type == ET_DYN && says_program(elf_file_section(elf, ".dynamic", NULL)));
}

static uint64_t start_size(Elf *elf, uint64_t entry)
{
	Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr start, end;
	uint64_t size = SIZE_USUAL;

	if (cfi && dwarf_cfi_addrframe(cfi, entry, &frame) == 0 && dwarf_frame_info(frame, &start, &end, NULL) >= 0 &&
	    start == entry && end > start && end - start <= SIZE_MAX_OF_START)
		size = end - start;
	free(frame);
	dwarf_cfi_end(cfi);
	return size;
}

static bool program_start_is_near(const struct chooser *c, uint64_t offset)
{
	for (size_t i = 0; i < c->count && c->wanted[i].address < offset + SIZE_MAX_OF_START; i++) {
		if (c->wanted[i].address >= offset)
			return true;
	}
	return false;
}

/* Offer _start of a program (not of a library) to the chooser, whose places are offsets in the
 * file; its size comes from unwind information, else it is the usual one. */
static void program_start_offer(struct chooser *chooser, const struct elf_file *file)
{
	struct symbol start = { .name = "_start", .weak = true, .local = true };
	GElf_Ehdr header;

	if (!gelf_getehdr(file->elf, &header) || !header.e_entry ||
	    !elf_to_offset(&file->segments, header.e_entry, &start.start) ||
	    !program_start_is_near(chooser, start.start) || !program_start_is_program(file->elf, &header))
		return;
	start.size = start_size(file->elf, header.e_entry);
	chooser_offer(chooser, &start);
}

/* --- where functions without a name begin, by the unwind table that a stripped file keeps (.eh_frame --- */

/* LSB
 * Core, 10.6).  So functions without names can be told apart, in the same way in every recording of a build. */

/* An entry (FDE) begins with the address of its function, relative to the entry, and its size, in the form that
 * compilers use for x86-64 and aarch64: 4 bytes each. */
enum { NUMBER = 4, ENCODING = DW_EH_PE_pcrel | DW_EH_PE_sdata4 };

/* The encoding ("R") is the last byte of the augmentation of the CIE, the entry that several FDEs share. */
static bool is_as_usual(const Dwarf_CIE *common)
{
	const char *encoding = strchr(common->augmentation, 'R');

	return encoding && !strpbrk(encoding + 1, "LP") && common->augmentation_data_size &&
	       common->augmentation_data[common->augmentation_data_size - 1] == ENCODING;
}

/* Give the places in it the function as their name; the function's address is as in the file's tables. */
static void function_starts_offer(const struct elf_segments *segments, uint64_t address, uint64_t size,
				  struct place *wanted, size_t count)
{
	uint64_t start;

	if (!address || !size || !elf_to_offset(segments, address, &start))
		return;
	for (size_t i = FIRST_NOT(k, count, wanted[k].address < start); i < count && wanted[i].address - start < size;
	     i++) {
		if (wanted[i].name)
			continue;
		wanted[i].start = start;
		wanted[i].size = size;
		wanted[i].function = address;
	}
}

static bool has_nameless(const struct place *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!wanted[i].name)
			return true;
	}
	return false;
}

static void offer_entry(const struct elf_file *file, const Dwarf_FDE *entry, const uint8_t *section,
			uint64_t section_address, struct place *wanted, size_t count)
{
	uint32_t size;
	int32_t away;

	if (entry->end - entry->start < 2 * NUMBER)
		return;
	memcpy(&away, entry->start, NUMBER);
	memcpy(&size, entry->start + NUMBER, NUMBER);
	function_starts_offer(&file->segments,
			      section_address + (uint64_t)(entry->start - section) + (uint64_t)(int64_t)away, size,
			      wanted, count);
}

/* Set start, size and function of those places in wanted[0..count), sorted by address, that have no name but are in the
 * table. */
static void function_starts_find(const struct elf_file *file, struct place *wanted, size_t count)
{
	const unsigned char *ident = (const unsigned char *)elf_getident(file->elf, NULL);
	Dwarf_Off at = 0, next = 0, common_at = 0, unused;
	Dwarf_CFI_Entry entry, common;
	bool usual = false, has_common = false;
	GElf_Shdr header;
	Elf_Data *table;
	int end;

	if (!has_nameless(wanted, count))
		return;
	table = elf_file_section(file->elf, ".eh_frame", &header);
	if (!table || !table->d_buf || header.sh_flags & SHF_COMPRESSED)
		return;
	/* What cannot be read is skipped. */
	for (; (end = dwarf_next_cfi(ident, table, true, at, &next, &entry)) <= 0 && next > at; at = next) {
		if (end < 0 || dwarf_cfi_cie_p(&entry))
			continue;
		if (!has_common || common_at != entry.fde.CIE_pointer) {
			common_at = entry.fde.CIE_pointer;
			has_common = true;
			usual = !dwarf_next_cfi(ident, table, true, common_at, &unused, &common) &&
				dwarf_cfi_cie_p(&common) && is_as_usual(&common.cie);
		}
		if (usual)
			offer_entry(file, &entry.fde, table->d_buf, header.sh_addr, wanted, count);
	}
}

/* --- the file --- */

static void offer_symbol(struct chooser *chooser, const GElf_Sym *symbol, const struct elf_symbols *table,
			 const struct elf_segments *segments)
{
	int binding = GELF_ST_BIND(symbol->st_info);
	struct symbol s = { .size = symbol->st_size, .weak = binding == STB_WEAK, .local = binding == STB_LOCAL };

	s.name = elf_symbols_code(table, symbol);
	if (s.name && elf_to_offset(segments, symbol->st_value, &s.start))
		chooser_offer(chooser, &s);
}

/* There are hundreds of thousands of symbols, so a loop without calls pays off. */
static void offer_all(struct chooser *chooser, Elf *elf, const struct elf_symbols *table,
		      const struct elf_segments *segments)
{
	GElf_Sym symbol;

	if (gelf_getclass(elf) == ELFCLASS64 && (uintptr_t)table->symbols->d_buf % _Alignof(Elf64_Sym) == 0) {
		const Elf64_Sym *symbols = table->symbols->d_buf;

		for (size_t i = 0; i < table->symbols->d_size / sizeof(*symbols); i++)
			offer_symbol(chooser, &symbols[i], table, segments);
		return;
	}
	for (int i = 0; gelf_getsym(table->symbols, i, &symbol); i++)
		offer_symbol(chooser, &symbol, table, segments);
}

/* All sources of a module's names; they stay open until the chooser is done.  The segments are those of the file
 * that was mapped: the other files may lack them. */
struct sources {
	const struct module *module;
	struct elf_file file, debug;
	struct debugdata little;
	struct chooser chooser;
	struct arena made; /* names that are in no table */
	bool damaged;      /* a table is invalid */
};

/* Offer the symbols of a table.  Returns false if the file has no such table. */
static bool offer_table(struct sources *s, Elf *elf, uint32_t type)
{
	struct elf_symbols table;

	if (!elf_symbols_find(&table, elf, type, &s->damaged))
		return false;
	offer_all(&s->chooser, elf, &table, &s->file.segments);
	return true;
}

/* How many of a module's functions its symbols cover. */
enum extent { NO_SYMBOLS, SOME_SYMBOLS, ALL_SYMBOLS };

/* Offer every symbol of the best tables. */
static enum extent offer_tables(struct sources *s)
{
	bool some;

	if (offer_table(s, s->file.elf, SHT_SYMTAB))
		return ALL_SYMBOLS;
	if (debug_file_open(&s->debug, s->module, &s->file) == 0 && offer_table(s, s->debug.elf, SHT_SYMTAB))
		return ALL_SYMBOLS;
	some = offer_table(s, s->file.elf, SHT_DYNSYM);
	if (debugdata_open(&s->little, s->file.elf) == 0 && offer_table(s, s->little.elf, SHT_SYMTAB))
		return ALL_SYMBOLS;
	return some ? SOME_SYMBOLS : NO_SYMBOLS;
}

/* Does the ELF header refer to sections that are missing?  Then the file was cut short. */
static bool lacks_sections(Elf *elf)
{
	GElf_Ehdr header;

	return gelf_getehdr(elf, &header) && header.e_shoff && !elf_nextscn(elf, NULL);
}

static enum why why_nameless(const struct sources *s, enum extent extent)
{
	if (extent == ALL_SYMBOLS)
		return WHY_NO_SYMBOL;
	return s->damaged || lacks_sections(s->file.elf) ? WHY_DAMAGED : WHY_NO_SYMBOLS;
}

static void elf_say_why(struct place *wanted, size_t count, enum why why)
{
	for (size_t i = 0; i < count; i++)
		wanted[i].why = (uint8_t)why;
}

static void close_sources(struct sources *s)
{
	debugdata_close(&s->little);
	elf_file_close(&s->debug);
	elf_file_close(&s->file);
	arena_free(&s->made);
}

int elf_resolve(const struct module *module, struct place *wanted, size_t count, struct arena *names)
{
	struct sources s = { .module = module, .debug.fd = -1 };
	enum extent extent;
	enum why why;

	if (elf_file_open(&s.file, module, &why)) {
		elf_say_why(wanted, count, why);
		return -1;
	}
	chooser_init(&s.chooser, wanted, count);
	extent = offer_tables(&s);
	plt_offer(&s.chooser, &s.file, module_name(module), &s.made);
	program_start_offer(&s.chooser, &s.file);
	chooser_finish(&s.chooser, names); /* reads names that are in the mapped files */
	elf_say_why(wanted, count, why_nameless(&s, extent));
	if (module->kind == MODULE_ELF)
		function_starts_find(&s.file, wanted, count);
	close_sources(&s);
	return extent == NO_SYMBOLS ? -1 : 0;
}
