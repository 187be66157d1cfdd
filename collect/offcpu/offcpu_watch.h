/* offcpu_watch: collect offcpu --watch writes lines on stdout, not a recording: for each interval, the longest time
 * off CPU, blocked or waiting for a CPU, of threads that came back on one.
 *
 *     2016-08-12 16:13:42.163032 max offcpu for java-8513 is 1200us
 *     2016-08-12 16:13:42.163032 max offcpu for swapper/3 is 5us
 *     2016-08-12 16:13:42.163032 max offcpu for 7 more threads is 4us */
#ifndef COLLECT_OFFCPU_OFFCPU_WATCH_H
#define COLLECT_OFFCPU_OFFCPU_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/machine/cpus.h"
#include "collect/machine/targets.h"

struct watch_rules {
	const struct cpus *cpus;
	const struct targets *targets; /* NULL: all threads, including idle ones */
	const char *cgroup;            /* or NULL */
	bool inherit;
	bool counts; /* print all threads, and how often each came back */
};

/* Check rights and load.  Returns 0, or -1 after a message. */
int offcpu_watch_load(const struct watch_rules *rules);

int offcpu_watch_start(const struct targets *targets);

/* Print the interval that is over, longest times first.  Returns 0, or -1 after a message: stdout is full. */
int offcpu_watch_print(void);

/* Number of times that were not counted, because the table of threads was full. */
uint64_t offcpu_watch_lost(void);

void offcpu_watch_free(void);

#endif
