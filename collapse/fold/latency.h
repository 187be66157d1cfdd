/* latency: the weight of samples if elapsed time is to be shown, not CPU time: the period, divided by the number of
 * threads that ran.  When a program runs in parallel, a second of it is shared by all its running threads. */
#ifndef COLLAPSE_FOLD_LATENCY_H
#define COLLAPSE_FOLD_LATENCY_H

#include <stddef.h>
#include <stdint.h>

/* {0} is valid.  What divisions leave over. */
struct latency {
	uint64_t *left; /* [count], by number of threads; each less than that */
	size_t count, cap;
};

/* The share of a sample.  What the division leaves goes to the next sample with so many threads, so that the shares of
 * all these are their periods' sum, divided, rounded down once.  threads 0 counts as 1. */
uint64_t latency_share(struct latency *l, uint64_t period, uint32_t threads);

void latency_free(struct latency *l);

#endif
