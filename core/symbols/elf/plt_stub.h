/* plt_stub: finds the stubs of the PLT (plt.h), the slots of the GOT that they jump through, and the relocations of
 * these.  Addresses are as in the file's tables. */
#ifndef CORE_SYMBOLS_ELF_PLT_STUB_H
#define CORE_SYMBOLS_ELF_PLT_STUB_H

#include <stdbool.h>
#include <stdint.h>

#include "core/symbols/elf/elf_file.h"

/* The slot that .rela.plt fills with its relocation of this number. */
bool plt_slot_of_relocation(const struct elf_file *file, uint64_t number, uint64_t *slot);

/* The slot of the stub that begins at address. */
bool plt_slot_of_stub(const struct elf_file *file, uint64_t address, uint64_t *slot);

/* The stub that jumps through slot. */
bool plt_stub_of_slot(const struct elf_file *file, uint64_t slot, uint64_t *stub);

#endif
