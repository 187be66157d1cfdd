/* stack_choice: --call-graph auto: user stacks are copied and walked (collect/sampling/stack_walk.h), since few
 * programs keep frame pointers, and none of a distribution's.  If too many bytes would be copied, or rings hold too few
 * copies, frame pointers are followed instead.
 *
 * perf_event_open(2) has one size for all samples of an event, not one for each thread.  It is a bound: the kernel stops
 * at the end of the stack, so that shallow stacks cost little, but it also is the room that each sample takes in its
 * ring.  So the size is the largest that the rate and the ring allow. */
#ifndef COLLECT_RUN_STACK_CHOICE_H
#define COLLECT_RUN_STACK_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/run/collection.h"

/* Call when the targets are known.  Returns how many bytes of each stack to copy; 0: none, which is reported. */
uint32_t stack_choice(const struct collection *c);

/* Call after that, and after wish.stack_bytes is set.  Returns the size of rings that suits. */
size_t stack_choice_ring(const struct collection *c);

/* Are the stacks of spans of time walked, whose copies need no perf ring? */
bool stack_choice_of_spans(const struct collection *c);

#endif
