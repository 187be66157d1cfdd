/* timeline: the lines of --timeline: all that each thread did, one span of time a line, with its stack; and the
 * stretches of time in which several threads waited together (core/format/folded.h):
 *
 *     # stall: start=1475682078.014325678 end=1475682078.164325678 threads=4 ... by=java-8513/indexer did=ran
 *     @1475682078.014325678 java-8513/exec-1;lock;main;handle;pthread_mutex_lock 149873211 1 149873211
 *     @1475682078.014330113 java-8513/indexer;running 147123456 1 147123456
 *     @1475682078.024330113 java-8513/indexer;sampled;main;rebuild 0 1 0
 *     java-8513/indexer;running 4711000 312 97000
 *
 * The last line is a sum of short spans, which were not recorded one by one.  Blocked spans come from offcpu, which
 * has stacks; where it has none, from sched. */
#ifndef COLLAPSE_TIMELINE_H
#define COLLAPSE_TIMELINE_H

#include "core/str.h"

struct collapse;
struct timeline_lines;

/* Read all samples: into c->gather, which has the lines, and into a history.  Returns 0, or -1 after a message. */
int timeline_lines_read(struct timeline_lines *t, struct collapse *c);

/* Find the stalls, once names are known. */
void timeline_lines_explain(struct timeline_lines *t, struct collapse *c);

/* Append the comments on them. */
void timeline_lines_comments(const struct timeline_lines *t, struct str *out);

#endif
