/* chain_builder: puts together a chain as it stands in a recording (core/format/recording.h). */
#ifndef COLLECT_RECORDING_CHAIN_BUILDER_H
#define COLLECT_RECORDING_CHAIN_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/recording/trace_frames.h"

struct chain_builder {        /* {0} is empty */
	uint64_t *list;       /* leaf first, with PERF_CONTEXT_* marks and labels */
	size_t count, cap;
};

void chain_builder_add(struct chain_builder *c, const uint64_t *entries, size_t count);
void chain_builder_add_one(struct chain_builder *c, uint64_t entry);

/* The part of a stack that is the kernel's, and that of user code; nothing if it is
 * empty.  A user stack ends before what is no address of user code.  Of an address that
 * it ends with three times or more, one is kept: a frame pointer led to itself.  Such a
 * stack lacks its start, and is counted in *cut. */
void chain_builder_add_kernel(struct chain_builder *c, const uint64_t *stack, size_t count);
void chain_builder_add_user(struct chain_builder *c, const uint64_t *stack, size_t count, uint64_t *cut);

/* As a BPF program took it. */
struct waker_stack {
	const struct trace_frames *frames;
	uint32_t pid, tid;
	const uint64_t *stack;    /* kernel, then user */
	int kernel_count, user_count; /* negative: could not be taken */
	uint64_t *cut;            /* see above */
};

/* The label of a waker, and its stack, without the frames of tracing.  If it was an
 * interrupt, it is the waker (pid and tid 0): whom it found on the CPU is no matter.
 * Returns whether it was. */
bool chain_builder_add_waker(struct chain_builder *c, const struct waker_stack *w);

void chain_builder_copy(struct chain_builder *to, const struct chain_builder *from);
void chain_builder_swap(struct chain_builder *a, struct chain_builder *b);
void chain_builder_free(struct chain_builder *c);

#endif
