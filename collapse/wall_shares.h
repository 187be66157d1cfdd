/* wall_shares: divides the time of threads among their stacks (collapse/wall.h), for a span that has none of its own:
 *
 *     running     the samples of the thread in that time; else the nearest in time
 *     woken       the stacks in which it was blocked; the nearest if it is a single span; else those of samples
 *     preempted   the stacks of its samples, likewise; else those in which it was blocked
 *     blocked     the stacks in which it was blocked in this state
 *
 * The time of a sum is taken second by second.  Parts are rounded such that their sums stay exact. */
#ifndef COLLAPSE_WALL_SHARES_H
#define COLLAPSE_WALL_SHARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/frames/stacks.h"
#include "core/map.h"

enum wall_kind {
	WALL_SAMPLE, /* what ran */
	WALL_BLOCK,  /* blocked, in a stack; its time is in a span, too */
	WALL_SPAN,   /* time in a state */
	WALL_OWN,    /* the same with its own stack */
};

struct wall_item {
	int pid, tid;
	int state; /* enum recording_state; of a sample, undefined */
	enum wall_kind kind;
	bool single; /* one span; else a sum, of one second at most */
	uint32_t stack;
	uint64_t begin_ns, end_ns;
	uint64_t ns, count;
};

/* {0} with stacks set is valid. */
struct wall_shares {
	struct stacks *stacks;
	struct wall_item *items; /* [count] */
	size_t count, cap;
	uint64_t *values; /* [value_count] ns, by stack */
	size_t value_count, value_cap;
	struct map copies; /* (stack, root) -> number of the copy + 1 */
	struct wall_weight {
		uint64_t weight, ns, rest;
		uint32_t stack;
	} * weights; /* of the span that is being divided */
	size_t weight_count, weight_cap;
	uint64_t estimated; /* threads whose time is that of their samples, as there are no spans */
};

/* Add an item.  A block, or a sum, of several seconds becomes one for each; their times add up to it. */
void wall_shares_add(struct wall_shares *w, struct wall_item item);

/* Set the values of the stacks.  Call it once. */
void wall_shares_divide(struct wall_shares *w);

void wall_shares_free(struct wall_shares *w);

#endif
