/* critical_path: a tree of processes that wait for each other's end, such as a build: which of them it waited for last, from its
 * end back to its begin.  Had one of these ended sooner, all would have.
 *
 *     make  ##.........................#.......##
 *     cc1     ########## (m1.c)         |
 *     cc1     ####################### (m2.c)      the path: make, cc1 m2.c, make, ld, make
 *     ld                                 ####### */
#ifndef COLLAPSE_CAUSE_CRITICAL_PATH_H
#define COLLAPSE_CAUSE_CRITICAL_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

/* Of the tree that used most CPU time. */
struct critical_path {
	uint32_t root;             /* process that waits for the others, as history_thread has it; HISTORY_NONE: none */
	uint32_t thread;           /* its main thread, at whose end the path ends */
	uint64_t ns;               /* of the path, from the begin of the root, or of the recording */
	uint64_t *by_process;      /* [h->count]: the part of the path on which the process was the last one */
	uint64_t *since_ns;        /* ... and when that part began, first; wall clock */
	size_t begun;              /* processes of the tree that began in the recording */
	uint64_t ran_ns, young_ns; /* CPU time of the tree; and of these processes */
};

/* Find it.  h is sorted, and its threads have names, parents and begins. */
void critical_path_find(struct critical_path *p, const struct history *h, struct cause_frames *f);

/* Is the block a wait for the end of a process? */
bool critical_path_awaits(struct cause_frames *f, const struct history_span *block);

void critical_path_free(struct critical_path *p);

#endif
