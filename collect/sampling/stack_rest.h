/* stack_rest: the part of a stack that the kernel did not copy.  The kernel copies upwards from the stack pointer
 * without faulting pages in.  So the copy ends at a page that was never touched, for example within a frame with large
 * variables (like that of Threads::create_vm in a JVM), and everything above is missing. */
#ifndef COLLECT_SAMPLING_STACK_REST_H
#define COLLECT_SAMPLING_STACK_REST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/unwind/unwinder.h"

enum { STACK_REST_MAX = 65536 };

/* The stack pointer, at which the copy of the stack begins; false if it was not sampled. */
bool stack_begin(const struct unwind_sample *s, uint64_t *sp);

/* May the copy have ended at such a page?  If so, it may still be the whole stack. */
bool stack_rest_is_missing(const struct unwind_sample *s);

/* Copies the stack again to buffer, including the part that was missing, and makes s refer to it.  If the last bytes of
 * the old copy are unchanged, so are the callers above; otherwise returns false and leaves s alone. */
bool stack_rest_read(struct unwind_sample *s, int pid, uint8_t buffer[STACK_REST_MAX]);

#endif
