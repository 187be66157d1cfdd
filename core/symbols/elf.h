/* elf: names from the symbol tables of ELF files (elf(5), by libelf). */
#ifndef CORE_SYMBOLS_ELF_H
#define CORE_SYMBOLS_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "core/symbols/modules.h"
#include "core/symbols/places.h"

/* Name wanted[0..count), sorted by offset in the file, from the module's
 * .symtab, else .dynsym; from its separate debug file where one is installed.  The vdso is
 * that of this process: only right on the recording's machine.
 * Every place gets why it has no name, for the case that it has none.  Returns 0, or -1 when
 * no file could be used. */
int elf_resolve(const struct module *module, struct place *wanted, size_t count, struct arena *names);

#endif
