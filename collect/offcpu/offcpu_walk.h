/* offcpu_walk: blocks of those whose user stacks frame pointers do not tell: JVMs.  Their registers and stacks
 * are copied (bpf/offcpu.h: struct offcpu_copy) and walked as those of samples are
 * (collect/sampling/stack_walk.h).  The stacks of wakers stay as frame pointers tell them. */
#ifndef COLLECT_OFFCPU_OFFCPU_WALK_H
#define COLLECT_OFFCPU_OFFCPU_WALK_H

#include <stdbool.h>

#include "bpf/offcpu.h"
#include "collect/offcpu/offcpu_program.h"
#include "collect/recording/chain_builder.h"
#include "collect/recording/spans.h"
#include "collect/recording/sums.h"
#include "collect/run/collection.h"
#include "core/str.h"

struct offcpu_walk {              /* {0} is empty */
	struct pids processes;    /* whose are walked */
	bool all;                 /* those of everybody are */
	struct str copied;        /* spans for the walker, ... */
	struct sums sums;         /* ... and when they come back, unless they are RECORDING_SINGLE */
	struct chain_builder chain;
};

/* Choose whom, and prepare event e for it. */
void offcpu_walk_choose(struct offcpu_walk *w, const struct collection *c, struct event *e);

/* Is there no room now, as the walker does not keep up? */
bool offcpu_walk_is_behind(const struct offcpu_walk *w, const struct collection *c);

/* Add s, whose chain has a user part that will be replaced; copy: [len], a struct offcpu_copy. */
void offcpu_walk_add(struct offcpu_walk *w, const struct event *e, const struct span *s, const struct str *copy);

/* Give the walker what was added: the rings were drained since then, so that it knows what was mapped. */
void offcpu_walk_hand_over(struct offcpu_walk *w, const struct event *e, struct collection *c);

/* Wait for all that was handed over. */
int offcpu_walk_finish(struct offcpu_walk *w, const struct event *e, struct collection *c);

void offcpu_walk_free(struct offcpu_walk *w);

#endif
