/* parallelism: how many threads ran at each moment of a recording (collapse/sched/running.h): for the weight
 * `latency`, for --parallelism, and as a quantity over time. */
#ifndef COLLAPSE_SCHED_PARALLELISM_H
#define COLLAPSE_SCHED_PARALLELISM_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/sched/running.h"

/* The number from time_ns on; if the source is samples, at time_ns only. */
struct parallelism_step {
	uint64_t time_ns;
	uint32_t threads;
};

/* {0} is valid and empty. */
struct parallelism {
	struct running_time running;
	struct parallelism_step *steps; /* [count], by time, all different */
	size_t count, cap;
};

/* Read d; sampled is as in running_read().  Tells the source on stderr. */
void parallelism_read(struct parallelism *p, const struct perfdata *d, struct sideband *sideband,
		      const struct recorded_event *sampled);

/* How many threads ran at the time of a sample of running code: at least 1. */
uint32_t parallelism_at(const struct parallelism *p, uint64_t time_ns);

void parallelism_free(struct parallelism *p);

/* --- the mean over time --- */

/* Receives the mean from time_ns on, in thousandths of a thread. */
typedef void parallelism_sink(void *argument, uint64_t time_ns, uint64_t thousandths);

/* Call sink for each stretch of 10 ms from begin_ns to end_ns whose mean differs from that of the one before, and at
 * least once a second.  Beyond ten minutes, stretches are longer, 60,000 in all.  Sums of spans are spread evenly over
 * the time that they cover.  The source of r must not be samples. */
void parallelism_mean(const struct running_time *r, uint64_t begin_ns, uint64_t end_ns, parallelism_sink *sink,
		      void *argument);

#endif
