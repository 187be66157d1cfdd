/* follow: who made a thread wait: along the chain of wakers, to the thread that ran, slept or waited for a device
 * meanwhile. */
#ifndef COLLAPSE_CAUSE_FOLLOW_H
#define COLLAPSE_CAUSE_FOLLOW_H

#include "collapse/cause/frames.h"
#include "collapse/cause/history.h"

enum cause_kind {
	CAUSE_UNKNOWN,
	CAUSE_OUTSIDE,   /* an interrupt: the network, a terminal: nobody here */
	CAUSE_WORK,      /* nothing to do: the guilty one waits for work itself */
	CAUSE_RAN,       /* it ran */
	CAUSE_SLEPT,     /* it let time pass */
	CAUSE_IO,        /* it waited for a device */
	CAUSE_NO_CPU,    /* it waited for a CPU that `by` had */
	CAUSE_PROCESS,   /* it waited for another process */
	CAUSE_THREAD,    /* ... for a thread of which nothing else is known */
	CAUSE_THROTTLED, /* its control group's limit of CPU time stopped it */
};

enum { CAUSE_PATH_MAX = 8 };

struct cause {
	enum cause_kind kind;
	uint32_t guilty;           /* number of the thread; HISTORY_NONE: none */
	uint32_t by;               /* who had it */
	uint64_t ran_ns, ready_ns; /* for how long the guilty one ran, and waited for a CPU, in this time, ... */
	uint64_t throttled_ns;     /* ... and was throttled */
	uint32_t stack;            /* in which it slept or waited; HISTORY_NONE: it ran */
	uint32_t let_go;           /* the stack of the wait that the guilty one ended; HISTORY_NONE: it ended none */
	uint64_t from_ns, to_ns;   /* when this was, within the victim's wait */
	uint32_t path[CAUSE_PATH_MAX]; /* threads in between, the one that woke the victim first */
	uint32_t path_count;
};

/* Why the thread of a blocked span was blocked. */
struct cause cause_follow(const struct history *h, struct cause_frames *f, const struct history_span *block);

/* The same within its own process: a thread there that waits for another process is guilty itself. */
struct cause cause_inside(const struct history *h, struct cause_frames *f, const struct history_span *block);

/* Was the thread blocked by a device: in I/O, or for a page? */
bool cause_is_device(struct cause_frames *f, const struct history_span *block);

/* What a thread did between from_ns and to_ns: where it waited, if stack is not HISTORY_NONE, else what it ran, by its samples. */
struct frames_function cause_function(const struct history *h, struct cause_frames *f, uint32_t thread, uint32_t stack,
				      uint64_t from_ns, uint64_t to_ns);

#endif
