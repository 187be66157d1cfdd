/* gather: filters samples, and adds up the selected ones, with their roots and values. */
#ifndef COLLAPSE_FOLD_GATHER_H
#define COLLAPSE_FOLD_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/levels.h"
#include "collapse/fold/owner_stack.h"
#include "collapse/fold/owners_seen.h"
#include "collapse/fold/times.h"
#include "collapse/fold/user_stacks.h"
#include "collapse/frames/columns.h"
#include "collapse/frames/stacks.h"
#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/sideband.h"
#include "collapse/roots/roots.h"
#include "collapse/roots/windows.h"

/* The weight of samples if elapsed time is to be shown instead of CPU time: the period, divided by the number of
 * threads that ran.  When a program runs in parallel, all its running threads share a second of elapsed time. */

/* {0} is valid.  What divisions leave over. */
struct latency {
	uint64_t *left; /* [count], by number of threads: the remainder, less than that number */
	size_t count, cap;
};

/* A sample's share of elapsed time; threads 0 counts as 1.  The remainder of the division goes to the next sample with
 * the same number of threads.  The shares thus add up to the sum of their periods divided by that number, rounded down
 * once. */
uint64_t latency_share(struct latency *l, uint64_t period, uint32_t threads);

void latency_free(struct latency *l);

struct gather {
	/* set by the caller */
	const struct clock *clock;
	struct sideband *sideband;
	struct user_stacks *user_stacks;
	struct roots roots;
	struct columns columns;
	uint64_t from_ns, to_ns;       /* wall clock; to_ns is excluded */
	uint64_t min_ns, max_ns;       /* limits for the length of a single span */
	uint32_t states;               /* bit mask of the states that are kept; 0: all, including samples without a
				        * state */
	const struct windows *windows; /* the windows to which samples are limited; NULL: not limited */
	struct levels levels;          /* of parallelism that are wanted; empty: all */
	bool by_reason;                /* a sample is divided by reason */
	bool class_at_root;            /* leave out the frame at the leaf for the class of an object */
	bool timed, no_stack, no_wakers;
	enum owner_stack owner_stack;
	bool unseen_stack; /* as no_stack, but a root frame is derived from the stack */
	bool no_idle;      /* leave out the idle threads */
	bool sums_untimed; /* sums of several spans have no time (TIMES_NONE) */
	bool sums_apart;   /* sums of several spans go into apart, not into times */

	struct str owner_chain; /* of the sample that is being added */
	struct latency latency;

	/* results */
	struct intern root_keys;
	struct stacks stacks;
	struct timed_samples times;
	struct owners_seen owners;  /* of the samples used */
	uint64_t first_ns, last_ns; /* of the samples in the selected time, wall clock */
	uint64_t timeless;          /* ... and the number of those that have no time, although the event has times: they
				     * are at time 0 */
	uint64_t samples;           /* used */
	uint64_t singles;           /* samples that are single spans */
	uint64_t open;              /* samples whose span had not ended */
	struct gather_sum {         /* by stack */
		uint64_t spans, ns;
	} * apart;
	size_t apart_count, apart_cap;
	uint64_t summed;            /* samples in times that are sums of several spans; ... */
	uint64_t summed_ns;         /* ... the time that they cover, together, ... */
	__uint128_t summed_squares; /* ... and the sum of its squares */
	uint64_t bytes, objects;    /* totals of the samples that stand for allocations */
	uint64_t outside;           /* samples left out because they are in no wanted window */
	uint64_t cut_sums;          /* sums that lie only partly in the selected time; ... */
	uint64_t cut_ns;            /* ... the time that they cover, together */
	uint64_t sums;              /* sums of several spans, left out because of min_ns and max_ns */
};

/* The typical duration covered by a sum: an average weighted by duration, so that the short sums made when the
 * recording ended count little. */
static inline uint64_t gather_summed_about(const struct gather *g)
{
	return g->summed_ns ? (uint64_t)(g->summed_squares / g->summed_ns) : 0;
}

/* Call this once the fields above are set. */
void gather_start(struct gather *g);

/* Add s if the filters select it; s may be changed. */
void gather_add(struct gather *g, struct recorded_sample *s);

void gather_free(struct gather *g);

#endif
