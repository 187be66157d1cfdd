/* stack_rest: what the kernel left out of the copy of a stack.  It copies from the stack pointer up without waiting for a
 * page: the copy ends at one that was never touched, in the middle of a frame with large variables, and what is above it
 * is missing (Threads::create_vm of a JVM has such a frame). */
#ifndef COLLECT_SAMPLING_STACK_REST_H
#define COLLECT_SAMPLING_STACK_REST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/unwind/unwinder.h"

enum { STACK_REST_MAX = 65536 };

/* May the copy have ended so?  It may be the whole stack, too. */
bool stack_rest_is_missing(const struct unwind_sample *s);

/* Copies the stack as it is now, with what was missing, to buffer, and makes s refer to it; if what was copied last
 * is still there, so that its callers are, too.  Returns false, and leaves s alone, when it is not. */
bool stack_rest_read(struct unwind_sample *s, int pid, uint8_t buffer[STACK_REST_MAX]);

#endif
