/* states_waits: who took how much of the CPU from whom, in a chart of states. */
#ifndef RENDER_STATES_STATES_WAITS_H
#define RENDER_STATES_STATES_WAITS_H

#include "render/bars/bars.h"

/* What one usurper took from one row. */
struct wait {
	uint32_t row, by; /* by may be BARS_NOBODY: it is not known who */
	struct bars_amount amount;
};

/* The waits of all rows, put together by usurper and row, the largest first. */
struct waits {
	const struct bars *bars;
	struct wait *items; /* freed by the caller */
	size_t count;
};

struct waits waits_find(const struct bars *b);

/* The order of waits, for qsort_r() with the bars: the largest first; names and rows decide where
 * they are alike. */
int waits_by_weight(const void *a, const void *b, void *bars);

enum { WAITS_TOP = 3 };

/* By row: what it waited in all, and what took most of it, the most first. */
struct row_wait {
	uint64_t value;
	const struct wait *top[WAITS_TOP];
	const struct wait *thread; /* the first that is a thread; NULL: none */
	size_t top_count, threads;
};

/* As many as rows; freed by the caller. */
struct row_wait *waits_sum_rows(const struct waits *w);

#endif
