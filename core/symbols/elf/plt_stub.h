/* plt_stub: finds the stubs of the PLT (plt.h), the slots of the GOT that they jump through, the relocations of these, and
 * who jumps to a stub.  Addresses are as in the file's tables. */
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

/* The name of the function that the stub at address calls, as long as the file is open; NULL: no stub, or no name. */
const char *plt_function_of_stub(const struct elf_file *file, uint64_t address);

/* The address of a function that the file has for others. */
bool plt_find_function(const struct elf_file *file, const char *name, uint64_t *address);

/* x86-64: the place of the first jump to target in the len bytes of code at address. */
bool plt_find_jump(const struct elf_file *file, uint64_t address, size_t len, uint64_t target, uint64_t *jump);

#endif
