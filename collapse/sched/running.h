/* running: when the threads of a recording ran, and so how many at a time.
 *
 * Only target threads count: those that were recorded and pass --threads.  Idle threads never do.  The source is the
 * first of these that the recording has:
 *
 * sched        Spans of our own collector (collect sched --events).  If spans that were too short to be recorded one by
 *              one (--events=MIN) are more than a hundredth of all running time, samples are the better source.
 * tracepoint   sched:sched_switch, of all threads (perf record -a, perf sched record).
 * switches     PERF_RECORD_SWITCH and SWITCH_CPU_WIDE (perf record --latency, or --switch-events).
 * samples      Those of running code: two threads ran at the same time if both were sampled within one period. */
#ifndef COLLAPSE_SCHED_RUNNING_H
#define COLLAPSE_SCHED_RUNNING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sideband.h"

enum running_source { RUNNING_SPANS, RUNNING_TRACEPOINT, RUNNING_SWITCHES, RUNNING_SAMPLES };

/* From this time on, the number of running threads is larger, or smaller, by this. */
struct running_change {
	uint64_t time_ns;
	int32_t by;
};

/* Several spans, whose lengths add up to ns, somewhere between begin_ns and end_ns. */
struct running_sum {
	uint64_t begin_ns, end_ns, ns;
};

enum running_kind { RUNNING_IN, RUNNING_OUT, RUNNING_GONE, RUNNING_NEW, RUNNING_SAMPLED };

/* A moment at which something is known about a thread. */
struct running_moment {
	uint64_t time_ns;
	int32_t tid;
	uint32_t order; /* in the file */
	bool wanted;
	uint8_t kind; /* enum running_kind */
};

/* {0} is valid and empty.  Times are those of the records. */
struct running_time {
	bool sums_will_do; /* set by the caller: use spans as the source even if many of them are in sums */
	enum running_source source;
	struct running_change *changes; /* [count], by time; empty if the source is samples */
	size_t count, cap;
	struct running_sum *sums; /* [sum_count]; only if the source is spans */
	size_t sum_count, sum_cap;
	struct running_moment *moments; /* [moment_count], by time; of samples only if these are the source */
	size_t moment_count, moment_cap;
	uint64_t single_ns, sum_ns;   /* running time in spans, and in sums */
	uint64_t switches, unmatched; /* how often a thread came, or left, although it already had */
	uint64_t period_ns;           /* the typical time between two samples of a running thread */
};

/* Read d.  sampled: the event whose samples show running code; NULL: all events of that kind. */
void running_read(struct running_time *r, const struct perfdata *d, struct sideband *sideband,
		  const struct recorded_event *sampled);

/* Use the samples as the source, although there is a better one; sampled is as in running_read(). */
void running_take_samples(struct running_time *r, const struct recorded_event *sampled);

void running_free(struct running_time *r);

#endif
