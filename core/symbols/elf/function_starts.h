/* function_starts: where functions without a name begin, by the unwind table that a stripped file keeps (.eh_frame; LSB
 * Core, 10.6).  So code without names keeps its shape, the same for every recording of a build. */
#ifndef CORE_SYMBOLS_ELF_FUNCTION_STARTS_H
#define CORE_SYMBOLS_ELF_FUNCTION_STARTS_H

#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/places.h"

/* Set start, size and function of those of wanted[0..count), sorted by address, that have no name, but a table. */
void function_starts_find(const struct elf_file *file, struct place *wanted, size_t count);

#endif
