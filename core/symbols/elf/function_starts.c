#include "core/symbols/elf/function_starts.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <string.h>

#include "core/sorted.h"

/* An entry (FDE) begins with the address of its function, relative to where that is, and its size, as compilers write
 * them for x86-64 and aarch64: 4 bytes each. */
enum { NUMBER = 4, ENCODING = DW_EH_PE_pcrel | DW_EH_PE_sdata4 };

/* The encoding ("R") is the last byte of the augmentation of the entry that several have in common (CIE). */
static bool is_as_usual(const Dwarf_CIE *common)
{
	const char *encoding = strchr(common->augmentation, 'R');

	return encoding && !strpbrk(encoding + 1, "LP") && common->augmentation_data_size &&
	       common->augmentation_data[common->augmentation_data_size - 1] == ENCODING;
}

/* The function, at an address as in the file's tables, names the places in it. */
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

void function_starts_find(const struct elf_file *file, struct place *wanted, size_t count)
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
