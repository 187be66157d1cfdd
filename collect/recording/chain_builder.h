/* chain_builder: builds a call chain as recordings have it (core/format/recording.h). */
#ifndef COLLECT_RECORDING_CHAIN_BUILDER_H
#define COLLECT_RECORDING_CHAIN_BUILDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/recording/trace_frames.h"

struct chain_builder {  /* {0} is empty */
	uint64_t *list; /* leaf first, with PERF_CONTEXT_* marks and labels */
	size_t count, cap;
};

void chain_builder_add(struct chain_builder *c, const uint64_t *entries, size_t count);
void chain_builder_add_one(struct chain_builder *c, uint64_t entry);

/* Add the kernel part or the user part of a stack; nothing if it is empty.  A user stack ends before the first
 * entry that is not a user address.  An address repeated three times or more at the end, where a frame pointer led
 * to itself, is kept once.  Such a stack lacks its start, and is counted in *cut. */
void chain_builder_add_kernel(struct chain_builder *c, const uint64_t *stack, size_t count);
void chain_builder_add_user(struct chain_builder *c, const uint64_t *stack, size_t count, uint64_t *cut);

/* A stack as a BPF program took it. */
struct waker_stack {
	const struct trace_frames *frames;
	uint32_t pid, tid;
	const uint64_t *stack;        /* kernel, then user */
	int kernel_count, user_count; /* number of entries; negative: the stack could not be taken */
	uint64_t *cut;                /* as for chain_builder_add_user() */
};

/* Add a waker's label and stack, without the frames of tracing.  If an interrupt woke the thread, the interrupt is
 * the waker (pid and tid 0), whatever thread it interrupted.  Returns whether it was an interrupt. */
bool chain_builder_add_waker(struct chain_builder *c, const struct waker_stack *w);

void chain_builder_copy(struct chain_builder *to, const struct chain_builder *from);
void chain_builder_swap(struct chain_builder *a, struct chain_builder *b);
void chain_builder_free(struct chain_builder *c);

#endif
