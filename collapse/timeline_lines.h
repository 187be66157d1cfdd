/* timeline_lines: what --timeline keeps beside the lines (collapse/timeline.h). */
#ifndef COLLAPSE_TIMELINE_LINES_H
#define COLLAPSE_TIMELINE_LINES_H

#include <stddef.h>

#include "collapse/cause/history.h"
#include "core/str.h"

/* A single span in which a thread was blocked. */
struct timeline_sleep {
	size_t item; /* in gather.times */
	uint32_t thread;
	int state;
	uint64_t begin_ns, end_ns;
};

/* A sum of blocks of one thread and stack, all of which were between begin_ns and end_ns. */
struct timeline_blocks {
	size_t item; /* in gather.times */
	uint32_t thread;
	int state;
	uint64_t begin_ns, end_ns, longest_ns;
};

struct timeline_owner {
	int pid, tid;
};

/* {0} is valid and empty. */
struct timeline_lines {
	struct history history;
	struct timeline_owner *owners; /* of the samples in gather.times, by their rows */
	size_t owner_cap;
	struct timeline_sleep *sleeps; /* [count], of sched, in order of arrival */
	size_t count, cap;
	struct timeline_sleep *blocks; /* [block_count], of offcpu */
	size_t block_count, block_cap;
	struct timeline_blocks *sums; /* [sum_count], of offcpu */
	size_t sum_count, sum_cap;
	struct str stalls; /* the comments */
};

void timeline_lines_free(struct timeline_lines *t);

#endif
