#include "core/symbols/elf/plt_stub.h"

#include "core/symbols/elf/plt_code.h"

/* Where stubs are whose functions may be bound late. */
static const char *const sections[] = { ".plt", ".plt.sec" };

enum { SECTIONS = sizeof(sections) / sizeof(*sections), STEP = 4, NUMBER_MAX = 1 << 20 };

static unsigned machine_of(const struct elf_file *file)
{
	GElf_Ehdr header;

	return gelf_getehdr(file->elf, &header) ? header.e_machine : EM_NONE;
}

bool plt_slot_of_relocation(const struct elf_file *file, uint64_t number, uint64_t *slot)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;
	GElf_Rela rela;

	while ((section = elf_nextscn(file->elf, section))) {
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA ||
		    (header.sh_flags & (SHF_ALLOC | SHF_INFO_LINK)) != (SHF_ALLOC | SHF_INFO_LINK))
			continue;
		if (number > NUMBER_MAX || !gelf_getrela(elf_getdata(section, NULL), (int)number, &rela))
			return false;
		*slot = rela.r_offset;
		return true;
	}
	return false;
}

static bool slot_at(const Elf_Data *data, uint64_t start, uint64_t address, unsigned machine, uint64_t *slot)
{
	uint64_t at = address - start;

	return at < data->d_size &&
	       plt_code_slot(machine, (const uint8_t *)data->d_buf + at, data->d_size - at, address, slot);
}

bool plt_slot_of_stub(const struct elf_file *file, uint64_t address, uint64_t *slot)
{
	unsigned machine = machine_of(file);
	GElf_Shdr header;

	for (size_t i = 0; i < SECTIONS; i++) {
		Elf_Data *data = elf_file_section(file->elf, sections[i], &header);

		if (data && data->d_buf && slot_at(data, header.sh_addr, address, machine, slot))
			return true;
	}
	return false;
}

bool plt_stub_of_slot(const struct elf_file *file, uint64_t slot, uint64_t *stub)
{
	unsigned machine = machine_of(file);
	GElf_Shdr header;
	uint64_t found;

	for (size_t i = 0; i < SECTIONS; i++) {
		Elf_Data *data = elf_file_section(file->elf, sections[i], &header);

		for (uint64_t at = 0; data && data->d_buf && at < data->d_size; at += STEP) {
			*stub = header.sh_addr + at;
			if (slot_at(data, header.sh_addr, *stub, machine, &found) && found == slot)
				return true;
		}
	}
	return false;
}
