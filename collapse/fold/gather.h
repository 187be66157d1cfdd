/* gather: takes the samples in: which of them, under which roots, with which values. */
#ifndef COLLAPSE_FOLD_GATHER_H
#define COLLAPSE_FOLD_GATHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/columns.h"
#include "collapse/fold/roots.h"
#include "collapse/fold/stacks.h"
#include "collapse/fold/times.h"
#include "collapse/fold/user_stacks.h"
#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/sideband.h"

struct gather {
	/* to be set before */
	const struct clock *clock;
	struct sideband *sideband;
	struct user_stacks *user_stacks;
	struct roots roots;
	struct columns columns;
	uint64_t from_ns, to_ns; /* wall clock; to_ns is excluded */
	uint64_t min_ns, max_ns; /* how long a single span may be */
	uint32_t states;         /* a bit for each; 0: all, also those without one */
	bool class_at_root;      /* the class of an object is no frame at the leaf */
	bool timed, no_stack, no_wakers;
	bool no_idle; /* nothing of the threads that run when no other does */

	/* what came in */
	struct intern root_keys;
	struct stacks stacks;
	struct timed_samples times;
	uint64_t first_ns, last_ns; /* of the samples in the wanted time, wall clock */
	uint64_t samples;           /* used */
	uint64_t singles;           /* of them, single spans */
	uint64_t open;              /* of them, those whose span had not ended */
	uint64_t summed;            /* in times, those of events that measure time, but no single spans; */
	uint64_t summed_ns;         /* ... of how much time, together, ... */
	__uint128_t summed_squares; /* ... and the squares of it */
	uint64_t bytes, objects;    /* of samples, those that stand for allocations */
	uint64_t cut_sums;          /* of which only a part lies in the wanted time; ... */
	uint64_t cut_ns;            /* ... of how much time they were, together */
	uint64_t sums;              /* left out by min_ns, max_ns: several spans in one */
};

/* Of about how much time are the sums?  Short ones, made when the recording ended, say
 * little: by how long they are. */
static inline uint64_t gather_summed_about(const struct gather *g)
{
	return g->summed_ns ? (uint64_t)(g->summed_squares / g->summed_ns) : 0;
}

/* Everything was set. */
void gather_start(struct gather *g);

/* Take s, when it is one of those wanted; changes it. */
void gather_add(struct gather *g, struct recorded_sample *s);

void gather_free(struct gather *g);

#endif
