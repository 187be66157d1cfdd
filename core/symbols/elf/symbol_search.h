/* symbol_search: the address in a file of code that was seen elsewhere in memory, by the name that a profiler printed.
 *
 *     seen at 0x55d4c0001136, "main+0x16"; the file has main at 0x1120      it is at 0x1136 of the file
 *     the file has main at 0x1300                                           it is another file: pages move as a whole */
#ifndef CORE_SYMBOLS_ELF_SYMBOL_SEARCH_H
#define CORE_SYMBOLS_ELF_SYMBOL_SEARCH_H

#include <stddef.h>
#include <stdint.h>

#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/modules.h"

struct symbol_wanted {
	const char *name; /* as in the symbol table, or demangled, with or without parameters */
	size_t len;
	uint64_t seen, offset; /* the address in memory, or in the file; the distance from the symbol */
	uint64_t start;        /* found: the symbol's address, as in the tables of the file */
	enum symbol_found {
		SYMBOL_NONE,  /* no symbol has the name */
		SYMBOL_OTHER, /* some symbol has the name, but cannot be the one that was seen */
		SYMBOL_FOUND,
		SYMBOL_SEVERAL, /* it may be any of several */
	} found;
};

/* Set start and found of all wanted.  file is the file of module, whose debug file may have the symbols instead. */
void symbol_search(const struct elf_file *file, const struct module *module, struct symbol_wanted *wanted,
		   size_t count);

/* Is a file always mapped where its tables say, because it is a program that is not position-independent? */
bool elf_is_fixed(Elf *elf);

#endif
