/* outliers: the slowest things of a recording, grouped by likeness, each with what made it slow. */
#ifndef COLLAPSE_CAUSE_OUTLIERS_H
#define COLLAPSE_CAUSE_OUTLIERS_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/findings.h"
#include "collapse/cause/slow.h"

/* A rival, busy with the same thing meanwhile: it waited for devices, too, or had requests to the same one. */
struct outlier_rival {
	uint32_t thread; /* HISTORY_NONE: nobody */
	uint32_t stack;
	uint64_t ns;               /* its part of the outlier's time, ... */
	size_t requests;           /* ... or how many requests all threads had at that time; 0: not known */
	struct slow_thing request; /* the longest of its own */
};

enum { OUTLIER_INNER = 3 };

/* Things of one process, in one function, with one file; not those that make up most of a longer one. */
struct outlier {
	struct slow_thing longest;
	struct slow_thing inner[OUTLIER_INNER]; /* what is most of it, */
	size_t inner_count;                     /* from the outside in */
	struct frames_function function;        /* of the longest one */
	uint32_t binding;                       /* text: "[binds sched_yield of liblbm.so]"; UINT32_MAX: none */
	unsigned reason;                        /* enum recording_reason */
	struct cause cause;                     /* if another thread blocked it; else its kind is CAUSE_UNKNOWN */
	uint32_t by;                            /* it waited for a CPU that this thread had; or HISTORY_NONE */
	struct frames_function did;             /* what the guilty one, or the rival, did */
	struct outlier_rival rival;
	uint64_t count, total_ns;
};

/* Things that are left out: a thread that waits like this waits for work. */
struct outliers_left {
	uint64_t count;
	struct slow_thing longest;
};

struct outliers {              /* {0} is valid and empty */
	struct outlier *items; /* [count], that with the longest first */
	size_t count, cap;
	struct outliers_left left, timed_out; /* all of these; and those among them that a timer ended */
};

/* Find those of victims.  h is sorted. */
void outliers_find(struct outliers *all, const struct slow *slow, const struct history *h, struct cause_frames *f,
		   findings_roles *roles, const void *argument);

void outliers_free(struct outliers *all);

#endif
