/* outliers: the slowest events of a recording, grouped by likeness, each with what made it slow. */
#ifndef COLLAPSE_CAUSE_OUTLIERS_H
#define COLLAPSE_CAUSE_OUTLIERS_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/cause/finding.h"
#include "collapse/cause/findings.h"
#include "collapse/cause/slow.h"

/* A rival: a thread that used the same thing during that time, because it also waited for devices, or had requests to
 * the same device. */
struct outlier_rival {
	uint32_t thread; /* HISTORY_NONE: nobody */
	uint32_t stack;
	uint64_t ns;               /* its part of the outlier's time, ... */
	size_t requests;           /* ... or the number of requests of all threads at that time; 0: not known */
	struct slow_thing request; /* the longest of its own */
};

enum { OUTLIER_INNER = 3 };

/* Slow events of one process, in one function, with one file.  Events that make up most of a longer event are not among
 * them, but are its inner ones. */
struct outlier {
	struct slow_thing longest;
	struct slow_thing inner[OUTLIER_INNER]; /* what is most of it, */
	size_t inner_count;                     /* from the outside in */
	struct frames_function function;        /* of the longest one */
	uint32_t binding;                       /* text: "[binds sched_yield of liblbm.so]"; UINT32_MAX: none */
	unsigned reason;                        /* enum recording_reason */
	struct cause cause;                     /* set if another thread blocked it; otherwise its kind is
						 * CAUSE_UNKNOWN */
	uint32_t by;                            /* the thread that had the CPU for which it waited; or HISTORY_NONE */
	struct frames_function did;             /* the stack of the guilty thread, or of the rival */
	struct outlier_rival rival;
	uint64_t count, total_ns;
};

/* Events that are left out, because such waits are waits for work. */
struct outliers_left {
	uint64_t count;
	struct slow_thing longest;
};

struct outliers {              /* {0} is valid and empty */
	struct outlier *items; /* [count], that with the longest first */
	size_t count, cap;
	struct outliers_left left, timed_out; /* how many there are; and how many of them a timer ended */
};

/* Find those of victims.  h is sorted. */
void outliers_find(struct outliers *all, const struct slow *slow, const struct history *h, struct cause_frames *f,
		   findings_roles *roles, const void *argument);

void outliers_free(struct outliers *all);

/* Who waited for a device while another thread did. */
struct device_rival {
	uint32_t thread, stack; /* HISTORY_NONE: nobody; the stack of its longest wait */
	uint64_t ns;            /* for how long it waited in that time */
};

/* The thread that waited longest between from_ns and to_ns, other than `thread` and the victims of `finding` (or NULL). */
struct device_rival device_rival_find(const struct history *h, struct cause_frames *f, uint32_t thread,
				      const struct finding *finding, uint64_t from_ns, uint64_t to_ns);

#endif
