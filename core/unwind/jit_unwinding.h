/* jit_unwinding: passes unwind information from jitdumps to an unwinder. */
#ifndef CORE_UNWIND_JIT_UNWINDING_H
#define CORE_UNWIND_JIT_UNWINDING_H

#include "core/symbols/jit/jit_files.h"
#include "core/unwind/unwinder.h"

/* Pass the unwind information that is new since the last call; modules are the unwinder's. */
void jit_unwinding_add(struct unwinder *u, struct jit_files *jit, struct modules *modules);

#endif
