/* span_walk: walks the user stacks of spans of time, and of their wakers.  Registers
 * and stacks are copied (bpf/user_copy.h) and walked like those of samples (collect/sampling/stack_walk.h).  Then the
 * spans are recorded, one by one or summed. */
#ifndef COLLECT_SPANS_SPAN_WALK_H
#define COLLECT_SPANS_SPAN_WALK_H

#include <stdbool.h>

#include "bpf/user_copy.h"
#include "collect/recording/chain_builder.h"
#include "collect/recording/spans.h"
#include "collect/recording/sums.h"
#include "collect/run/collection.h"
#include "collect/spans/waker_stacks.h"
#include "core/str.h"

/* Maximum of copies on each CPU in each USER_COPY_NS, as copying and walking a stack takes up to 20 us. */
enum { SPAN_COPIES_MAX = 2000 };

/* A flag of single spans that are walked and passed to see(), but not recorded. */
#define SPAN_ONLY_SEEN (1u << 30)

struct span_walk {            /* {0}, then span_walk_choose() for each event */
	bool is_on;           /* otherwise frame pointers are followed */
	struct collection *c; /* set by span_walk_choose() */
	struct str copied;    /* spans that the walker will get */
	struct sums sums;     /* spans that are not RECORDING_SINGLE, ... */
	struct sums unwalked; /* sums of spans whose own stack was not walked */
	struct str samples;   /* samples to be appended to the recording */
	struct waker_stacks wakers;
	uint64_t lost_wakers; /* wakers whose stack was lost */
	struct chain_builder chain;

	/* Called for each single span, with its whole chain, before the span is recorded (or, with SPAN_ONLY_SEEN,
	 * dropped); may be NULL. */
	void (*see)(const struct event *e, const struct span *s);
};

/* Choose whether to walk the stacks of event e of c, and prepare w. */
void span_walk_choose(struct span_walk *w, struct collection *c, struct event *e);

/* How many copies may be made on each CPU in each USER_COPY_NS; 0: all (--call-graph dwarf). */
uint64_t span_walk_copies(const struct collection *c);

/* Take a span of event e.  Placeholders of wakers in its chain are replaced as soon as the wakers' stacks arrive. copy:
 * [len], a struct user_copy, from which the user part of the chain is walked; NULL or empty: the chain stays as it is.
 * Returns false if the stack should be walked, but the walker is too far behind. */
bool span_walk_add(struct span_walk *w, const struct event *e, const struct span *s, const struct str *copy);

/* A copy of a waker's stack, taken at time_ns: [len], a struct user_copy. */
struct waker_copy {
	uint32_t pid, tid, cpu;
	uint64_t time_ns;
	const uint8_t *bytes;
	size_t len;
};

/* Add a placeholder for the user stack of a waker to a chain of event e.  If the walker is too far behind, add only the
 * innermost frame, and count that in *cut. */
void span_walk_add_waker(struct span_walk *w, const struct event *e, const struct waker_copy *waker,
			 struct chain_builder *chain, uint64_t *cut);

/* Give the walker the spans that were added.  Call this after draining the rings, so that the walker knows the
 * mappings. */
void span_walk_hand_over(struct span_walk *w);

/* Wait until everything is walked. */
int span_walk_finish(struct span_walk *w);

/* Turn sums of event e into samples, as of until_ns. */
void span_walk_flush(struct span_walk *w, const struct event *e, uint64_t until_ns);

/* Add ", longest 4.711 ms (thread 8513 of process 8513)"; nothing if ns is 0, for no span. */
void span_walk_add_longest(struct str *out, uint64_t ns, uint32_t pid, uint32_t tid);

/* Append the samples to the recording.  Returns 0, or -1 after a message. */
int span_walk_write(struct span_walk *w);

void span_walk_free(struct span_walk *w);

#endif
