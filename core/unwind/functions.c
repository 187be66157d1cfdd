#include "core/unwind/functions.h"

#include <gelf.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

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

void functions_read(struct functions *f, Elf *elf)
{
	functions_read_tables(f, elf, SHT_SYMTAB);
	if (!f->count)
		functions_read_tables(f, elf, SHT_DYNSYM);
	if (f->count)
		qsort(f->starts, f->count, sizeof(*f->starts), by_u64);
}

bool functions_find(const struct functions *f, uint64_t address, uint64_t *start)
{
	size_t low = FIRST_NOT(i, f->count, f->starts[i] <= address);

	if (!low)
		return false;
	*start = f->starts[low - 1];
	return true;
}

void functions_free(struct functions *f)
{
	if (!f)
		return;
	free(f->starts);
	*f = (struct functions){ 0 };
}
