/* stack_rest: the part of a stack that the kernel did not copy.  It copies upwards from the stack pointer without
 * faulting pages in: the copy ends at a page that was never touched, as within a frame with large variables
 * (Threads::create_vm of a JVM has one), and what is above is missing. */
#ifndef COLLECT_SAMPLING_STACK_REST_H
#define COLLECT_SAMPLING_STACK_REST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/unwind/unwinder.h"

enum { STACK_REST_MAX = 65536 };

/* The stack pointer, where the copy of the stack begins; false if it was not sampled. */
bool stack_begin(const struct unwind_sample *s, uint64_t *sp);

/* May the copy have ended at such a page?  It may also be the whole stack. */
bool stack_rest_is_missing(const struct unwind_sample *s);

/* Copies the stack again, including the part that was missing, to buffer, and makes s refer to it.  The last bytes
 * of the old copy must be unchanged: then so are the callers above.  Otherwise returns false and leaves s alone. */
bool stack_rest_read(struct unwind_sample *s, int pid, uint8_t buffer[STACK_REST_MAX]);

#endif
