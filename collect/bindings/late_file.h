/* late_file: which functions of a file in another process's memory are not bound yet.
 *
 * Everything is read from that memory: the mapped ELF header leads to the dynamic section, the section to the
 * relocations of the PLT, and the relocations to the slots of the GOT.  The slot of a function that is not bound leads
 * to code of the same file that calls the dynamic linker (System V ABI, AMD64 supplement, 5.2; ELF for the Arm 64-bit
 * Architecture):
 *
 *     x86-64    [endbr64]  push $NUMBER                   the number of the relocation
 *     aarch64   [bti c]    stp x16, x30, [sp, #-16]!      the same for all */
#ifndef COLLECT_BINDINGS_LATE_FILE_H
#define COLLECT_BINDINGS_LATE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/runtime/remote.h"
#include "core/str.h"

enum late_kind {
	LATE_UNREADABLE, /* not an ELF file in memory, or its tables could not be read */
	LATE_OTHER,      /* 32-bit, or of another processor than x86-64 and aarch64 */
	LATE_STATIC,     /* a program without a dynamic linker */
	LATE_NONE,       /* calls no function of another file through a PLT */
	LATE_AT_START,   /* linked with -z now */
	LATE_LAZY,       /* functions are bound at their first call, unless LD_BIND_NOW is set */
};

struct late_file {
	enum late_kind kind;
	uint64_t functions, unbound;
	struct str names; /* names of functions that are not bound, in the order of the relocations, each with a NUL
			   * after it */
};

/* Read the file that is mapped from its ELF header at start up to end.  The caller frees names. */
struct late_file late_file_read(const struct remote *process, uint64_t start, uint64_t end);

#endif
