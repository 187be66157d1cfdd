/* program_start: where the kernel enters a program, its ELF header says also when a stripped
 * file has no symbol there.  So that a stack that is whole can be seen to be. */
#ifndef CORE_SYMBOLS_ELF_PROGRAM_START_H
#define CORE_SYMBOLS_ELF_PROGRAM_START_H

#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/chooser.h"

/* Offer _start of a program (not of a library) to the chooser, whose places are offsets in the
 * file; as large as its unwind information says, else as the usual one is. */
void program_start_offer(struct chooser *chooser, const struct elf_file *file);

#endif
