/* states_waits: how long each thread had the CPU while another one waited for it, and a table of these threads. */
#ifndef RENDER_STATES_STATES_WAITS_H
#define RENDER_STATES_STATES_WAITS_H

#include "render/bars/bars.h"
#include "render/bars/table.h"

/* The time for which one usurper kept one row waiting. */
struct wait {
	uint32_t row, by; /* by may be BARS_NOBODY: unknown */
	struct bars_amount amount;
};

/* The waits of all rows, summed by usurper and row, the largest first. */
struct waits {
	const struct bars *bars;
	struct wait *items; /* freed by the caller */
	size_t count;
};

struct waits waits_find(const struct bars *b);

/* Compares two waits for qsort_r(), whose argument is the bars: the largest first; equal ones by name and row. */
int waits_by_weight(const void *a, const void *b, void *bars);

enum { WAITS_TOP = 3 };

/* For one row: its total waiting time, and the usurpers that took most of it, the largest first. */
struct row_wait {
	uint64_t value;
	const struct wait *top[WAITS_TOP];
	const struct wait *thread; /* the largest whose usurper is a thread; NULL: none */
	size_t top_count, threads;
};

/* One for each row; the caller frees them. */
struct row_wait *waits_sum_rows(const struct waits *w);

/* Make the table of the threads that had the CPU while others waited, and of those others. */
void states_contenders(struct bars_table *t, const struct bars *b);

#endif
