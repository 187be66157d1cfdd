/* offcpu_untaken: blocks that got no stack, to keep to the budget (bpf/stack_budget.bpf.h): their number and their time, by
 * thread and state. */
#ifndef COLLECT_OFFCPU_OFFCPU_UNTAKEN_H
#define COLLECT_OFFCPU_OFFCPU_UNTAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/offcpu/offcpu.h"
#include "collect/offcpu/offcpu_threads.h"

/* Gets those of one thread and state since the last time, as a span without a stack, valid during the call. */
typedef void offcpu_take_untaken(const struct span *s);

/* Pass the short ones that the slots have, as of now_ns; is_over: the long ones, too, for which no stack stands now. */
void offcpu_untaken_tell(struct offcpu_threads *t, uint64_t now_ns, bool is_over, offcpu_take_untaken *take);

/* A record OFFCPU_ENDED: pass the rest of a thread that has ended. */
void offcpu_untaken_end(struct offcpu_threads *t, const struct offcpu_record *r, uint64_t now_ns,
			offcpu_take_untaken *take);

#endif
