/* elf: names from the symbol tables of ELF files (elf(5), by libelf). */
#ifndef CORE_SYMBOLS_ELF_ELF_H
#define CORE_SYMBOLS_ELF_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"

/* Name wanted[0..count), sorted by offset in the file, from the first of these that is there:
 *
 *     .symtab of the module's file, which has all that a separate debug file could name;
 *     .symtab of its debug file (debug_file.h), asked for only when the first is missing;
 *     .gnu_debugdata, which has what the next lacks (debugdata.h), together with .dynsym;
 *     .dynsym alone;
 *
 * and with each of them the stubs of the PLT (plt.h) and where the program begins
 * (program_start.h).  The vdso is that of this process: only right on the recording's machine.
 *
 * Every place gets why it has no name, for the case that it has none.  Returns 0, or -1 when
 * no file could be used, or that has no symbols at all. */
int elf_resolve(const struct module *module, struct place *wanted, size_t count, struct arena *names);

#endif
