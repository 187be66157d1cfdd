/* plt: the stubs through which code calls functions of other files.  They have no symbols:
 *
 *     puts@plt:  jmp *0x2fe2(%rip)         the slot in .got.plt
 *                                          .rela.plt says: put the address of puts there
 *
 * Each is named after the relocation of the slot that its code reads, as in objdump, or, if that has
 * a resolver (STT_GNU_IFUNC) instead of a symbol, after the resolver.  Sources:
 * System V ABI, AMD64 supplement, 5.2 ("Procedure Linkage Table") and, for .plt.sec, 13.2;
 * ELF for the Arm 64-bit Architecture, 8.2 and the sysvabi64 supplement.
 *
 * A function that is bound late is looked up when it is called first: the stub jumps to the dynamic linker
 * (_dl_runtime_resolve of glibc), and the callers of that do not include the stub.  In a walked stack (core/unwind/unwinder.c)
 * it stands between them, as an address that no instruction has, but that symbol tables can name:
 *
 *     puts@plt + PLT_BINDS, looked up as a return address is, one byte before:  "[binds puts of libfoo.so]"
 */
#ifndef CORE_SYMBOLS_ELF_PLT_H
#define CORE_SYMBOLS_ELF_PLT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/symbols/elf/elf_file.h"
#include "core/symbols/space/chooser.h"

enum { PLT_BINDS = 2 };

/* Offer the stubs of a file (x86-64 or aarch64), which is called name, to the chooser, whose places are offsets in the
 * file; the stubs' names lie in *names, which must stay until chooser_finish(). */
void plt_offer(struct chooser *chooser, const struct elf_file *file, const char *name, struct arena *names);

/* For walkers of stacks: stubs, the GOT slots through which they jump, the relocations of these slots, and code that
 * jumps to a stub.  Addresses are as in the file's tables. */

/* The slot that belongs to this number of a relocation in .rela.plt. */
bool plt_slot_of_relocation(const struct elf_file *file, uint64_t number, uint64_t *slot);

/* The slot of the stub that begins at address. */
bool plt_slot_of_stub(const struct elf_file *file, uint64_t address, uint64_t *slot);

/* The stub that jumps through slot. */
bool plt_stub_of_slot(const struct elf_file *file, uint64_t slot, uint64_t *stub);

/* The name of the function that the stub at address calls, as long as the file is open; NULL: no stub, or no name. */
const char *plt_function_of_stub(const struct elf_file *file, uint64_t address);

/* The address of a function that the file exports. */
bool plt_find_function(const struct elf_file *file, const char *name, uint64_t *address);

/* x86-64: the place of the first jump to target in len bytes of code at address. */
bool plt_find_jump(const struct elf_file *file, uint64_t address, size_t len, uint64_t target, uint64_t *jump);

#endif
