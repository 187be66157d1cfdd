/* offcpu_untaken: the number and the time, by thread and state, of blocks that got no stack because of the budget
 * (bpf/stack_budget.bpf.h). */
#ifndef COLLECT_OFFCPU_OFFCPU_UNTAKEN_H
#define COLLECT_OFFCPU_OFFCPU_UNTAKEN_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/offcpu/offcpu.h"
#include "collect/offcpu/offcpu_threads.h"

/* Gets the blocks of one thread and state since the last time, as a span without a stack that is valid during the
 * call. */
typedef void offcpu_take_untaken(const struct span *s);

/* Pass the short blocks in the slots, as of now_ns; with is_over, also the long ones, for which no stack will stand any
 * more. */
void offcpu_untaken_tell(struct offcpu_threads *t, uint64_t now_ns, bool is_over, offcpu_take_untaken *take);

/* Take a record OFFCPU_ENDED: pass the remaining blocks of a thread that has ended. */
void offcpu_untaken_end(struct offcpu_threads *t, const struct offcpu_record *r, uint64_t now_ns,
			offcpu_take_untaken *take);

#endif
