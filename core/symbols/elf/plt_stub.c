#include "core/symbols/elf/plt_stub.h"

#include <string.h>

#include "core/symbols/elf/plt_code.h"

/* Where stubs are whose functions may be bound late. */
static const char *const sections[] = { ".plt", ".plt.sec" };

enum { SECTIONS = sizeof(sections) / sizeof(*sections), STEP = 4, NUMBER_MAX = 1 << 20 };

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
		Elf_Data *data = elf_file_section(file->elf, sections[i], &header);

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
		Elf_Data *data = elf_file_section(file->elf, sections[i], &header);

		for (uint64_t at = 0; data && data->d_buf && at < data->d_size; at += STEP) {
			*stub = header.sh_addr + at;
			if (plt_stub_slot_at(data, header.sh_addr, *stub, machine, &found) && found == slot)
				return true;
		}
	}
	return false;
}

/* ---- who jumps to a stub ---- */

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
	enum { JUMP = 5 }; /* e9, and how far it is from its end */
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
