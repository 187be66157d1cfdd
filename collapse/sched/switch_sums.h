/* switch_sums: adds up the parts of waits for a CPU.  With hundreds of threads in a queue, each
 * wait has hundreds of parts: far more than there are events. */
#ifndef COLLAPSE_SCHED_SWITCH_SUMS_H
#define COLLAPSE_SCHED_SWITCH_SUMS_H

#include "collapse/sched/switches.h"
#include "core/hash_table.h"

/* One sum for each thread, state, CPU and `by`; {0} is empty.  From most sums on, other threads that had the CPU are
 * RECORDING_BY_OTHERS. */
struct switch_sums {
	size_t most;              /* 0: no limit */
	uint64_t unnamed;         /* spans whose thread that had the CPU is not among the sums */
	struct switch_sum *items; /* in the order in which each was first seen */
	size_t count, cap;
	struct hash_table table;
};

struct switch_sum {
	struct switch_span span; /* ns: the sum; begin_ns: that of the first; longest_ns, open: of all spans */
	uint64_t end_ns;         /* of the last */
	uint64_t count;
};

void switch_sums_add(struct switch_sums *s, const struct switch_span *span);

void switch_sums_free(struct switch_sums *s);

#endif
