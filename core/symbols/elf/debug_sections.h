/* debug_sections: opens the DWARF information of a file without what is not needed of it.  libdw unpacks all sections
 * at once, and line tables and lists of locations are a third of them. */
#ifndef CORE_SYMBOLS_ELF_DEBUG_SECTIONS_H
#define CORE_SYMBOLS_ELF_DEBUG_SECTIONS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/symbols/elf/debug_image.h"

/* {0} is valid and closed. */
struct debug_sections {
	Dwarf *dwarf;
	Elf *elf;                /* has the sections, at least those that are needed */
	struct debug_image copy; /* they are unpacked here, if the file has them compressed */
	Elf *group;              /* an ELF file in memory, with a section that lists the sections to be read */
	void *image;             /* its bytes */
};

/* Open the information of elf, which must outlive it; lines: with line tables.  Returns 0, or -1: there is none, or it
 * is damaged. */
int debug_sections_open(struct debug_sections *d, Elf *elf, bool lines);

void debug_sections_close(struct debug_sections *d);

#endif
