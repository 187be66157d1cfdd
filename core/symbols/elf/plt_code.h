/* plt_code: the slot of the GOT through which a stub of the PLT (plt.h) jumps, from its code. */
#ifndef CORE_SYMBOLS_ELF_PLT_CODE_H
#define CORE_SYMBOLS_ELF_PLT_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does a stub of an x86-64 or aarch64 file (machine: EM_X86_64, EM_AARCH64) begin at code[0..len), which is at address?
 * *slot: the address that it reads. */
bool plt_code_slot(unsigned machine, const uint8_t *code, size_t len, uint64_t address, uint64_t *slot);

/* x86-64: does a stub for indirect branch tracking begin here that only binds: "endbr64; push $NUMBER"?
 * *number: of the relocation in .rela.plt. */
bool plt_code_pushes(const uint8_t *code, size_t len, uint32_t *number);

#endif
