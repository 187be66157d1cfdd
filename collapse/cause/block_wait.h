/* block_wait: what a blocked thread waits for, by its stack, its state, and the thread that woke it. */
#ifndef COLLAPSE_CAUSE_BLOCK_WAIT_H
#define COLLAPSE_CAUSE_BLOCK_WAIT_H

#include <stdbool.h>

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

/* What a thread waits for if it surely has work to do. */
enum block_wish {
	BLOCK_WISH_UNKNOWN,
	BLOCK_WISH_MAP,    /* the lock of its process's memory map, mmap_lock */
	BLOCK_WISH_ROOM,   /* room in a pipe or a socket for its data */
	BLOCK_WISH_RESULT, /* the results of other threads, or the arrival of all threads at a barrier */
	BLOCK_WISH_TURN,   /* something that only one thread can have at a time, such as a connection: findings.c
			    * detects that */
	BLOCK_WISH_GIL,    /* the lock of an interpreter, which only one of its threads can run at a time */
	BLOCK_WISH_PYTHON, /* a lock of Python; or an entry of a queue, or an event, whose waits look the same: it is
			    * not certain that the thread has work to do */
	BLOCK_WISH_ANSWER, /* what it asked for, from the network or another process */
	BLOCK_WISH_GO_ON,  /* to run: a signal, a debugger or a freezer stopped it */
};

/* Did a signal, a debugger or a freezer (cgroup.freeze) stop the thread? */
bool block_is_stop(struct cause_frames *f, const struct history_span *b);

enum block_wish block_wish_of(const struct history *h, struct cause_frames *f, const struct history_span *b);

/* Like frames_wait_kind(), but WAIT_LOCK if the waker's stack shows a kernel lock. */
enum wait_kind block_wait_kind(const struct history *h, struct cause_frames *f, const struct history_span *b);

/* Did a timer end the wait with this stack? */
bool block_timed_out(struct cause_frames *f, uint32_t stack);

#endif
