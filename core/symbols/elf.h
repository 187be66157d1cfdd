/* elf: names from the symbol tables of ELF files (elf(5), by libelf). */
#ifndef CORE_SYMBOLS_ELF_H
#define CORE_SYMBOLS_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/symbols/modules.h"
#include "core/symbols/places.h"

/* Name wanted[0..count), sorted by offset in the file, from the module's
 * .symtab, else .dynsym; from its separate debug file where one is installed.
 * A file whose build-id is not the module's is not used.  Returns 0, or -1 when
 * no file could be used; *why then says so in a few words (static). */
int elf_resolve(const struct module *module, struct place *wanted, size_t count,
		struct arena *names, const char **why);

/* The same for the vdso of this process; only right on the recording's machine. */
int elf_resolve_vdso(const struct module *module, struct place *wanted, size_t count,
		     struct arena *names);

/* The build-id of a module, in id[0..BUILD_ID_MAX): of its file, if that is still
 * the one that was mapped.  Returns its length, 0 when there is none. */
size_t elf_module_build_id(const struct module *module, uint8_t *id);

/* The build-id of the ELF file fd, in id[0..BUILD_ID_MAX).
 * Returns its length, 0 when there is none or the file is no ELF. */
size_t elf_build_id(int fd, uint8_t *id);

#endif
