#include "core/symbols/elf/program_start.h"

#include <elfutils/libdw.h>
#include <stdlib.h>

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

/* Is the entry point that of a program?  In the header of a library, linkers put the first byte of .text there. */
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

void program_start_offer(struct chooser *chooser, const struct elf_file *file)
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
