/* owner_stack: stacks of the thread that had a lock, while another one waited for it and when it let go, as parts of a
 * chain. */
#ifndef COLLECT_LOCKS_OWNER_STACK_H
#define COLLECT_LOCKS_OWNER_STACK_H

#include "bpf/locks/locks.h"
#include <stdint.h>

#include "collect/locks/owner_watch.h"
#include "collect/recording/chain_builder.h"
#include "collect/spans/span_walk.h"

/* Where the stacks go. */
struct owner_stacks {
	struct span_walk *walk;
	const struct event *event;
	const struct trace_frames *frames;
	uint64_t *lost; /* stacks that are not whole */
};

/* Add the label and stack of an owner that was off the CPU. */
void owner_stack_add_seen(const struct owner_stacks *o, const struct owner_seen *seen, struct chain_builder *chain);

/* Add those of one that ran, a LOCKS_MEANWHILE. */
void owner_stack_add_sample(const struct owner_stacks *o, const struct locks_record *r, struct chain_builder *chain);

/* Add those of one that let go, a LOCKS_OWNER; nothing if it was an interrupt: then the time was over, and nobody let
 * go. */
void owner_stack_add_release(const struct owner_stacks *o, const struct locks_record *r, struct chain_builder *chain);

#endif
