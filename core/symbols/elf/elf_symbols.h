/* elf_symbols: the tables of symbols of an ELF file. */
#ifndef CORE_SYMBOLS_ELF_ELF_SYMBOLS_H
#define CORE_SYMBOLS_ELF_ELF_SYMBOLS_H

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_symbols {
	Elf_Data *symbols, *strings; /* every name in strings ends with NUL */
};

/* Find the first table of a type (SHT_SYMTAB, SHT_DYNSYM); it lives as long as elf.  Returns false if there is none, and
 * sets *damaged if there is one, but it is invalid. */
bool elf_symbols_find(struct elf_symbols *t, Elf *elf, uint32_t type, bool *damaged);

static inline bool symbol_is_code(const GElf_Sym *symbol)
{
	int type = GELF_ST_TYPE(symbol->st_info), visibility = GELF_ST_VISIBILITY(symbol->st_other);

	if (symbol->st_shndx == SHN_UNDEF || !symbol->st_name)
		return false;
	if (type == STT_FUNC || type == STT_GNU_IFUNC)
		return true;
	/* Untyped symbols may be labels of assembler code, e.g. _start. */
	return type == STT_NOTYPE && symbol->st_shndx != SHN_ABS && visibility != STV_HIDDEN &&
	       visibility != STV_INTERNAL;
}

/* The name of a symbol that stands for code; NULL: it stands for something else, or has no name. */
static inline const char *elf_symbols_code(const struct elf_symbols *t, const GElf_Sym *symbol)
{
	const char *name;

	if (!symbol_is_code(symbol) || symbol->st_name >= t->strings->d_size)
		return NULL;
	name = (const char *)t->strings->d_buf + symbol->st_name;
	return *name && *name != '$' ? name : NULL; /* mapping symbols of arm64: $x, $d */
}

/* The little table that some distributions leave in stripped files: the section .gnu_debugdata is an ELF file compressed with
 * xz, with a .symtab of the functions that .dynsym lacks ("MiniDebugInfo" in gdb's manual). */
struct debugdata { /* {0} is empty */
	Elf *elf;
	char *bytes;
};

/* Open the symbol table that elf contains.  Returns 0, or -1: there is none, it is damaged, or it would need too
 * much memory. */
int debugdata_open(struct debugdata *d, Elf *elf);

void debugdata_close(struct debugdata *d);

#endif
