/* program_start: the entry point of a program, which the ELF header gives even if a stripped file
 * has no symbol there: shows that a stack is complete. */
#ifndef CORE_SYMBOLS_ELF_PROGRAM_START_H
#define CORE_SYMBOLS_ELF_PROGRAM_START_H

#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/chooser.h"

/* Offer _start of a program (not of a library) to the chooser, whose places are offsets in the
 * file; its size comes from unwind information, else it is the usual one. */
void program_start_offer(struct chooser *chooser, const struct elf_file *file);

#endif
