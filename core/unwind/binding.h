/* binding: which function a walked stack is binding.  A stub of the PLT jumps to the dynamic linker when its function
 * is called first, and leaves on the stack what is to be bound (glibc, sysdeps/x86_64/dl-trampoline.h and
 * sysdeps/aarch64/dl-trampoline.S):
 *
 *     x86-64                                            aarch64
 *     CFA - 8   return address into the caller          CFA + 8   return address into the caller
 *     CFA - 16  number of the relocation in .rela.plt   CFA       address of the slot in the GOT
 *     CFA - 24  struct link_map of the stub's file
 *
 * where CFA is that of _dl_runtime_resolve*, which are local symbols, and mostly stripped.  On x86-64 we know them by
 * their tables: no other function begins with a CFA 24 above the stack pointer; on aarch64, by a return address above
 * the CFA.  The file is that of the caller, if it calls a stub for that slot; or, after a tail call, by the link_map,
 * if it can be read; if not, by the code of the function that the caller called, which has the jump to the stub. */
#ifndef CORE_UNWIND_BINDING_H
#define CORE_UNWIND_BINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/unwind/walk.h"

/* May a function with this rule be one that binds?  Most are not. */
bool binding_is_possible(const struct walk *w, const struct rule *rule);

/* The walk went from the function at address, in mapping m, to its caller.  If that function binds, *entry is the stub of
 * the function that is being bound, for the chain (core/symbols/elf/plt.h, PLT_BINDS). */
bool binding_find(struct walk *w, const struct mapping *m, uint64_t address, uint64_t *entry);

#endif
