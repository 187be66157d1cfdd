/* follow: finds who made a thread wait, along the chain of wakers, down to a thread that ran, slept or waited for a
 * device during the wait. */
#ifndef COLLAPSE_CAUSE_FOLLOW_H
#define COLLAPSE_CAUSE_FOLLOW_H

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

enum cause_kind {
	CAUSE_UNKNOWN,
	CAUSE_OUTSIDE,   /* an interrupt: the network or a terminal, no thread of this machine */
	CAUSE_WORK,      /* no thread is at fault: the guilty one waits for work itself */
	CAUSE_RAN,       /* it ran */
	CAUSE_SLEPT,     /* it let time pass */
	CAUSE_IO,        /* it waited for a device */
	CAUSE_NO_CPU,    /* the guilty one waited for a CPU that `by` had */
	CAUSE_PROCESS,   /* it waited for another process */
	CAUSE_THREAD,    /* it is a thread of which nothing else is known */
	CAUSE_THROTTLED, /* the CPU limit of its control group stopped the guilty one */
	CAUSE_KINDS,
};

enum { CAUSE_PATH_MAX = 8 };

struct cause {
	enum cause_kind kind;
	uint32_t guilty;           /* number of the thread; HISTORY_NONE: none */
	uint32_t by;               /* who had it */
	uint64_t ran_ns, ready_ns; /* for how long the guilty one ran, and waited for a CPU, during the wait, ... */
	uint64_t throttled_ns;     /* ... and was throttled */
	uint32_t stack;            /* the stack in which the guilty one slept or waited; HISTORY_NONE: it ran */
	uint32_t let_go;           /* the stack of the wait that the guilty one ended; HISTORY_NONE: it ended none */
	uint64_t from_ns, to_ns;   /* when this was, within the victim's wait */
	uint32_t path[CAUSE_PATH_MAX]; /* the threads between victim and guilty one, beginning with the one that woke
				        * the victim */
	uint32_t path_count;
};

/* Why the thread of a blocked span was blocked. */
struct cause cause_follow(const struct history *h, struct cause_frames *f, const struct history_span *block);

/* The same, but confined to the victim's process: a thread of it that waits for another process counts as guilty
 * itself. */
struct cause cause_inside(const struct history *h, struct cause_frames *f, const struct history_span *block);

/* A cause that lasted as long as the span, and is not at the end of a chain of wakers. */
struct cause cause_alone(enum cause_kind kind, uint32_t guilty, uint32_t stack, const struct history_span *s);

/* Was the thread blocked by a device, in I/O or for a page? */
bool cause_is_device(struct cause_frames *f, const struct history_span *block);

/* The function that a thread was in between from_ns and to_ns.  stack: the stack of its wait; HISTORY_NONE: it ran, so
 * its samples show the function. */
struct frames_function cause_function(const struct history *h, struct cause_frames *f, uint32_t thread, uint32_t stack,
				      uint64_t from_ns, uint64_t to_ns);

#endif
