/* offcpu_walk: walks the user stacks of blocks.  Their registers
 * and stacks are copied (bpf/offcpu.h: struct offcpu_copy) and walked like those of samples
 * (collect/sampling/stack_walk.h), and so are their wakers'. */
#ifndef COLLECT_OFFCPU_OFFCPU_WALK_H
#define COLLECT_OFFCPU_OFFCPU_WALK_H

#include <stdbool.h>

#include "bpf/offcpu.h"
#include "collect/offcpu/offcpu_program.h"
#include "collect/offcpu/offcpu_wakers.h"
#include "collect/recording/chain_builder.h"
#include "collect/recording/spans.h"
#include "collect/recording/sums.h"
#include "collect/run/collection.h"
#include "core/str.h"

struct offcpu_walk {          /* {0} is empty */
	bool is_on;           /* otherwise frame pointers are followed */
	struct str copied;    /* spans that the walker will get, ... */
	struct sums sums;     /* ... summed here when they come back, unless they are RECORDING_SINGLE */
	struct sums unwalked; /* the same, of spans whose own stack was not copied */
	struct str *singles;  /* where single spans go whose wakers were walked; set by the caller */
	const struct event *event;
	struct offcpu_wakers wakers;
	uint64_t lost_wakers; /* wakers whose stack was lost */
	struct chain_builder chain;
};

/* Choose whether to walk, and prepare event e. */
void offcpu_walk_choose(struct offcpu_walk *w, const struct collection *c, struct event *e);

/* Is there no room for more, because the walker does not keep up? */
bool offcpu_walk_is_behind(const struct offcpu_walk *w, const struct collection *c);

/* Is it better to hand over a span than to record it at once: since the stack of its waker may be on its way? */
bool offcpu_walk_awaits(const struct offcpu_walk *w, const struct span *s);

/* Replace the placeholders of wakers in the chain of s as far as their stacks are there.  The chain is valid until the
 * next call. */
void offcpu_walk_fill(struct offcpu_walk *w, struct span *s);

/* Add the copy of a waker.  Returns the placeholder for its user stack. */
uint64_t offcpu_walk_add_waker(struct offcpu_walk *w, const struct event *e, const struct offcpu_record *r,
			       const struct str *copy);

/* Add s, whose own stack is as it is. */
void offcpu_walk_pass(struct offcpu_walk *w, const struct event *e, const struct span *s);

/* Add s; the user part of its chain will be replaced.
 * copy: [len], a struct offcpu_copy. */
void offcpu_walk_add(struct offcpu_walk *w, const struct event *e, const struct span *s, const struct str *copy);

/* Give the walker the spans that were added.  First drains the rings, so that the walker knows the mappings. */
void offcpu_walk_hand_over(struct offcpu_walk *w, const struct event *e, struct collection *c);

/* Wait until everything handed over is walked. */
int offcpu_walk_finish(struct offcpu_walk *w, const struct event *e, struct collection *c);

void offcpu_walk_free(struct offcpu_walk *w);

#endif
