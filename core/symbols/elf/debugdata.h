/* debugdata: the little symbol table that some distributions leave in stripped files: the
 * section .gnu_debugdata is an ELF file of its own, compressed by xz, that has a .symtab of
 * the functions which .dynsym lacks ("MiniDebugInfo" in gdb's manual). */
#ifndef CORE_SYMBOLS_ELF_DEBUGDATA_H
#define CORE_SYMBOLS_ELF_DEBUGDATA_H

#include <libelf.h>
#include <stddef.h>

struct debugdata { /* {0} is empty */
	Elf *elf;
	char *bytes;
};

/* Open that of elf.  Returns 0, or -1: there is none, or it is damaged, or would
 * need more memory than it is worth. */
int debugdata_open(struct debugdata *d, Elf *elf);

void debugdata_close(struct debugdata *d);

#endif
