/* timeline: the lines of --timeline: everything that each thread did, one span of time a line, with its stack; and the
 * stretches of time in which several threads waited together (core/format/folded.h):
 *
 *     # stall: start=1475682078.014325678 end=1475682078.164325678 threads=4 ... by=java-8513/indexer did=ran
 *     @1475682078.014325678 java-8513/exec-1;lock;main;handle;pthread_mutex_lock 149873211 1 149873211
 *     @1475682078.014330113 java-8513/indexer;running 147123456 1 147123456
 *     @1475682078.024330113 java-8513/indexer;sampled;main;rebuild 0 1 0
 *     java-8513/indexer;running 4711000 312 97000
 *
 * The last line is a sum of short spans, which were not recorded one by one.  Blocked spans come from offcpu, which has
 * stacks; where offcpu has no span, from sched. */
#ifndef COLLAPSE_VIEWS_TIMELINE_H
#define COLLAPSE_VIEWS_TIMELINE_H

#include <stddef.h>

#include "collapse/cause/history.h"
#include "collapse/views/reading.h"
#include "core/str.h"

/* A single span in which a thread was blocked. */
struct timeline_sleep {
	size_t item; /* in gather.times */
	uint32_t thread;
	int state;
	uint64_t begin_ns, end_ns;
};

/* A sum of blocks of one thread with one stack, all of which happened between begin_ns and end_ns. */
struct timeline_blocks {
	size_t item; /* in gather.times */
	uint32_t thread;
	int state;
	uint64_t begin_ns, end_ns, longest_ns;
};

struct timeline_owner {
	int pid, tid;
};

/* Data that is kept beside the lines.  {0} is valid and empty. */
struct timeline_lines {
	struct history history;
	struct timeline_owner *owners; /* threads of the samples in gather.times, by row */
	size_t owner_cap;
	struct timeline_sleep *sleeps; /* [count], of sched, in order of arrival */
	size_t count, cap;
	struct timeline_sleep *blocks; /* [block_count], of offcpu */
	size_t block_count, block_cap;
	struct timeline_blocks *sums; /* [sum_count], of offcpu */
	size_t sum_count, sum_cap;
	struct str guilty, victims; /* FOLDED_GUILTY, FOLDED_VICTIMS; empty: nothing stands out */
	struct str stalls;          /* the comments */
};

/* Read all samples: into r->gather, from which the lines are made, and into a history.  Returns 0, or -1 after a
 * message. */
int timeline_lines_read(struct timeline_lines *t, struct reading *r);

/* Find the stalls and the worst problem, once names are known. */
void timeline_lines_explain(struct timeline_lines *t, struct reading *r);

/* Append the comment lines about these lines. */
void timeline_lines_comments(const struct timeline_lines *t, struct str *out);

void timeline_lines_free(struct timeline_lines *t);

#endif
