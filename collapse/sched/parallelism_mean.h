/* parallelism_mean: how many threads ran over time, as a quantity: the mean of each stretch of time. */
#ifndef COLLAPSE_SCHED_PARALLELISM_MEAN_H
#define COLLAPSE_SCHED_PARALLELISM_MEAN_H

#include <stdint.h>

#include "collapse/sched/running.h"

/* Takes the mean from time_ns on, in thousandths of a thread. */
typedef void parallelism_sink(void *argument, uint64_t time_ns, uint64_t thousandths);

/* Call sink for each stretch of 10 ms from begin_ns to end_ns whose mean is another than the one before it, and at least
 * once a second.  Beyond ten minutes, stretches are longer, 60,000 in all.  What is known only as a sum is spread over its
 * time.  The source of r must not be samples. */
void parallelism_mean(const struct running_time *r, uint64_t begin_ns, uint64_t end_ns, parallelism_sink *sink,
		      void *argument);

#endif
