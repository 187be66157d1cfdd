/* wait_kind: what a blocked thread waits for, judging by the functions in its stack. */
#ifndef COLLAPSE_CAUSE_WAIT_KIND_H
#define COLLAPSE_CAUSE_WAIT_KIND_H

#include <stddef.h>

/* In a stack with functions of several kinds the last one counts: the JVM's queue of tasks (WORK) waits on a
 * condition (ANOTHER_THREAD). */
enum wait_kind {
	WAIT_UNKNOWN,
	WAIT_ANOTHER_THREAD, /* for a condition, a semaphore, a thread's end */
	WAIT_IO,             /* for a device */
	WAIT_SLEEP,          /* for a time to pass */
	WAIT_LOCK,
	WAIT_CHILD, /* for another process: its end, or what it writes to a pipe */
	WAIT_WORK,  /* has nothing to do: for a request, a task, a signal, a terminal */
};

/* What the function of this name says; WAIT_UNKNOWN: nothing. */
enum wait_kind wait_kind_of(const char *name, size_t len);

#endif
