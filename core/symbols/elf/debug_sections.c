#include "core/symbols/elf/debug_sections.h"

#include <endian.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* Never asked of libdw: where variables are, macros, indexes, other tables for unwinding. */
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

/* The numbers of the other sections, at words[0..); words has room for all. */
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

/* libdw reads what a group of sections lists: flags, then numbers.  The group is in a file of its own:
 *
 *     ELF header | flags, numbers ... 0 | headers of section 0 (zeros) and of the group
 *
 * The 0 is for libdw 0.188, which reads a number more than there are. */
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

/* debug_units.h reads the addresses of units. */
static bool is_needless_here(const char *name)
{
	return is_needless(name) && strcmp(name, ".debug_aranges") != 0;
}

static bool is_needless_with_lines(const char *name)
{
	return is_needless_here(name) && strcmp(name, ".debug_line") != 0;
}

int debug_sections_open(struct debug_sections *d, Elf *elf, bool lines)
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

void debug_sections_close(struct debug_sections *d)
{
	if (!d)
		return;
	dwarf_end(d->dwarf);
	elf_end(d->group);
	debug_image_close(&d->copy);
	free(d->image);
	*d = (struct debug_sections){ 0 };
}
