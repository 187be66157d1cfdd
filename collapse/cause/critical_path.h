/* critical_path: the chain of processes that determined how long a tree of processes, such as a build, took.  It is
 * followed from the end back to the beginning.  If a process on it had ended sooner, so would the whole tree.
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

/* The critical path of the tree that used most CPU time. */
struct critical_path {
	uint32_t root;        /* the process that waits for the others, a number as in history_thread;
				    * HISTORY_NONE: none */
	uint32_t thread;      /* its main thread, at whose end the path ends */
	uint64_t ns;          /* length of the path, from the start of the root process or of the recording */
	uint64_t *by_process; /* [h->count]: how much of the path each process accounts for */
	uint64_t *since_ns;   /* ... and when the first of those parts began; wall clock */
	size_t passed;        /* processes of the tree that began or ended during the recording, without the root */
	uint64_t ran_ns, passed_ns; /* CPU time of the whole tree, and of these processes */
};

/* Find the path.  h is sorted, and its threads have names, parents and start times. */
void critical_path_find(struct critical_path *p, const struct history *h, struct cause_frames *f);

enum { GENERATIONS = 64 }; /* no process has more ancestors that count */

/* The process that started this one; HISTORY_NONE: not known. */
uint32_t critical_path_parent(const struct history *h, uint32_t process);

/* Is the block a wait for the end of a process? */
bool critical_path_awaits(struct cause_frames *f, const struct history_span *block);

void critical_path_free(struct critical_path *p);

#endif
