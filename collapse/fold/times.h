/* times: the time of each sample, for timed output. */
#ifndef COLLAPSE_FOLD_TIMES_H
#define COLLAPSE_FOLD_TIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/frames/columns.h"

struct timed_sample {
	uint64_t wall_ns, value;
	uint32_t stack;
	uint32_t row; /* number in order of arrival; index of its values in the columns after the first */
};

struct timed_samples {
	struct timed_sample *items; /* [count] */
	size_t count, cap;
	uint64_t *more; /* [count * width] */
	size_t more_cap;
	size_t width;  /* columns after the first */
	bool by_value; /* sort samples of the same time and line by value, so that input from a file and from a store
		        * gives the same order; otherwise they stay in order of arrival */
};

/* Takes the place of a time if the sample is a sum of spans, which has no single point in time. */
#define TIMES_NONE UINT64_MAX

/* A sample's values in the columns after the first; NULL: there are none. */
static inline const uint64_t *times_more(const struct timed_samples *t, const struct timed_sample *sample)
{
	return !t->more ? NULL : t->more + sample->row * t->width;
}

/* Add a sample; values has one for each column. */
void times_add(struct timed_samples *t, uint64_t wall_ns, const uint64_t *values, uint32_t stack);

/* Replace each stack by its line, and sort by time, line, and value or order of arrival.  Samples without a time come
 * last, and those of one line become one. */
void times_sort(struct timed_samples *t, const uint32_t *line_of_stack, const struct columns *columns);

void times_free(struct timed_samples *t);

#endif
