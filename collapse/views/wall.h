/* wall: the lines of --wall: all the time of each thread, running or not, in one tree of stacks; values in ns:
 *
 *     java-8513/exec-1;main;handle 149873211
 *     java-8513/exec-1;main;handle;lock;[blocked: lock] 20000000
 *     java-8513/exec-1;main;handle;[runnable];[by cc1-47/cc1] 4711000
 *     java-8513/exec-1;[running, not sampled] 97000
 *
 * The durations of states come from sched, and are exact; stacks come from samples of running code, and from offcpu.
 * Without sched, durations are estimated from collect wall, or from samples and offcpu alone. */
#ifndef COLLAPSE_VIEWS_WALL_H
#define COLLAPSE_VIEWS_WALL_H

#include "collapse/views/reading.h"

/* Read all samples into r->gather, and give its stacks these times.  Returns 0, or -1 after a message. */
int wall_read(struct reading *r);

#endif
