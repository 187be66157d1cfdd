/* stack_choice: --call-graph auto: user stacks are copied and walked (collect/sampling/stack_walk.h), since few
 * programs keep frame pointers, and hardly any packaged by distributions.  If too many bytes would be copied, or rings
 * hold too few copies, frame pointers are followed instead.
 *
 * perf_event_open(2) has one size of copies for all samples of an event, rather than one for each thread.  This size is
 * only an upper limit, since the kernel stops at the end of the stack, so that shallow stacks cost little; but each
 * sample takes as much room in its ring.  So the size is the largest that the rate and the ring allow. */
#ifndef COLLECT_RUN_STACK_CHOICE_H
#define COLLECT_RUN_STACK_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/run/collection.h"

/* Call this when the targets are known.  Returns how many bytes of each stack to copy; 0: none, which is reported to
 * the user. */
uint32_t stack_choice(const struct collection *c);

/* Call this after that, with wish.stack_bytes set.  Returns a suitable size of rings. */
size_t stack_choice_ring(const struct collection *c);

/* Are the stacks of spans of time, whose copies need no perf ring, walked? */
bool stack_choice_of_spans(const struct collection *c);

#endif
