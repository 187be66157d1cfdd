#include "core/symbols/elf/elf_symbols.h"

static bool ends_with_nul(const Elf_Data *strings)
{
	return strings->d_buf && strings->d_size && !((const char *)strings->d_buf)[strings->d_size - 1];
}

/* The first section of a given type. */
static Elf_Scn *find_section(Elf *elf, uint32_t type, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		if (gelf_getshdr(section, header) && header->sh_type == type)
			return section;
	}
	return NULL;
}

bool elf_symbols_find(struct elf_symbols *t, Elf *elf, uint32_t type, bool *damaged)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(elf, type, &header), *linked;

	*t = (struct elf_symbols){ NULL, NULL };
	if (!section)
		return false;
	t->symbols = elf_getdata(section, NULL);
	linked = elf_getscn(elf, header.sh_link);
	if (linked)
		t->strings = elf_getdata(linked, NULL);
	if (t->symbols && t->symbols->d_buf && t->symbols->d_size && header.sh_entsize && t->strings &&
	    ends_with_nul(t->strings))
		return true;
	*damaged = true;
	return false;
}
