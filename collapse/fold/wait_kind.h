/* wait_kind: what a blocked thread waits for, judging by the functions in its stack. */
#ifndef COLLAPSE_FOLD_WAIT_KIND_H
#define COLLAPSE_FOLD_WAIT_KIND_H

#include <stddef.h>

enum wait_kind {
	WAIT_UNKNOWN,
	WAIT_ANOTHER_THREAD, /* for a condition, a semaphore */
	WAIT_IO,             /* for a device */
	WAIT_FAULT,          /* for a page of a file, or of swap, inside a page fault */
	WAIT_SLEEP,          /* for a time to pass */
	WAIT_LOCK,
	WAIT_PROCESS, /* for another process: its end, or what it writes to a pipe */
	WAIT_NETWORK, /* for a peer's data */
	WAIT_WORK,    /* has nothing to do: for a request, a task, a signal, a terminal, the end of its workers */
	WAIT_KINDS,
};

/* How much the function of this name says; 0: nothing.  In a stack with several such functions the largest number
 * counts: the JVM's queue of tasks (WORK) waits on a condition (ANOTHER_THREAD). */
unsigned wait_rank(const char *name, size_t len);

/* What the thread waits for if a stack's largest number is rank. */
enum wait_kind wait_kind_of(unsigned rank);

#endif
