/* debugdata: the little symbol table that some distributions leave in stripped files: the
 * section .gnu_debugdata is an ELF file compressed with xz, with a .symtab of the functions
 * that .dynsym lacks ("MiniDebugInfo" in gdb's manual). */
#ifndef CORE_SYMBOLS_ELF_DEBUGDATA_H
#define CORE_SYMBOLS_ELF_DEBUGDATA_H

#include <libelf.h>

struct debugdata { /* {0} is empty */
	Elf *elf;
	char *bytes;
};

/* Open the symbol table that elf contains.  Returns 0, or -1: there is none, it is damaged, or it would need too
 * much memory. */
int debugdata_open(struct debugdata *d, Elf *elf);

void debugdata_close(struct debugdata *d);

#endif
