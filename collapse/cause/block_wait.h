/* block_wait: what a blocked thread waits for, by its stack, its state, and the thread that let it go. */
#ifndef COLLAPSE_CAUSE_BLOCK_WAIT_H
#define COLLAPSE_CAUSE_BLOCK_WAIT_H

#include <stdbool.h>

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

/* What a thread wants that surely has something in hand. */
enum block_wish {
	BLOCK_WISH_UNKNOWN,
	BLOCK_WISH_MAP,    /* the lock of its process's memory map, mmap_lock */
	BLOCK_WISH_ROOM,   /* room in a pipe or a socket for what it writes */
	BLOCK_WISH_RESULT, /* what others compute, or that all come to a barrier */
	BLOCK_WISH_TURN,   /* what one thread after another has, such as a connection: findings.c sees that */
};

enum block_wish block_wish_of(const struct history *h, struct cause_frames *f, const struct history_span *b);

/* frames_wait_kind(); but WAIT_LOCK of a wait for a lock of the kernel, which the waker's stack tells. */
enum wait_kind block_wait_kind(const struct history *h, struct cause_frames *f, const struct history_span *b);

/* Did a timer end the wait with this stack? */
bool block_timed_out(struct cause_frames *f, uint32_t stack);

#endif
