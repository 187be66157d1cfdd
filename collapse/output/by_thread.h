/* by_thread: the lines of a product, or its timed samples, grouped by thread, for formats with a track for each thread;
 * and lanes, for spans of one thread that overlap. */
#ifndef COLLAPSE_OUTPUT_BY_THREAD_H
#define COLLAPSE_OUTPUT_BY_THREAD_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/output/line_view.h"

/* A line with its sums, or a timed sample. */
struct item {
	const struct fold_line *line;
	uint64_t value;       /* of the first column, and ... */
	const uint64_t *more; /* ... of those after it */
	uint64_t time_ns;     /* TIMES_NONE: it has none */
};

struct by_thread {
	const struct product *product;
	uint32_t *items; /* items of all threads, as numbers of lines or of timed samples; within each thread, in their
			  * original order */
	size_t *starts;  /* [thread_count + 1]: where the items of each thread begin */
	size_t thread_count;
};

/* Goes through all lines; threads get the numbers that they have in v. */
void by_thread_make(struct by_thread *b, struct line_view *v, const struct product *p);

struct item by_thread_item(const struct by_thread *b, size_t i);

void by_thread_free(struct by_thread *b);

/* Assign lanes to the items from..to, which are spans in order of time.  Spans in one lane do not overlap, and each
 * span takes the first free lane.  Items without a time get LANE_NONE.  Returns how many lanes there are; the caller
 * frees *lanes. */
size_t lanes_make(const struct by_thread *b, size_t from, size_t to, uint32_t **lanes);

#define LANE_NONE UINT32_MAX

/* When a span ends. */
static inline uint64_t item_end(const struct item *item)
{
	return item->value < UINT64_MAX - item->time_ns ? item->time_ns + item->value : UINT64_MAX - 1;
}

#endif
