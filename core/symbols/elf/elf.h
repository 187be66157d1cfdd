/* elf: names from the symbol tables of ELF files (elf(5), by libelf). */
#ifndef CORE_SYMBOLS_ELF_ELF_H
#define CORE_SYMBOLS_ELF_ELF_H

#include <stddef.h>

#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"

/* Name wanted[0..count), sorted by offset in the file, from the first of these that exists:
 *
 *     .symtab of the module's file, which has every name of a separate debug file;
 *     .symtab of its debug file (debug_file.h), searched only when the first is missing;
 *     .gnu_debugdata, which has the names that .dynsym lacks (elf_symbols.h), and .dynsym;
 *     .dynsym alone;
 *
 * and with each of them the stubs of the PLT (plt.h) and the start of the program.  The vdso is that of this process:
 * right only on the recording's machine.
 *
 * Every place without a name gets the reason, and where its function begins.  Returns 0, or -1 if no file could be
 * used, or it has no symbols. */
int elf_resolve(const struct module *module, struct place *wanted, size_t count, struct arena *names);

#endif
