/* quality: finds out which user stacks are whole, and how the incomplete ones end. */
#ifndef COLLAPSE_FOLD_QUALITY_H
#define COLLAPSE_FOLD_QUALITY_H

#include "collapse/frames/stacks.h"
#include "core/format/recording.h"
#include "core/symbols/quality.h"
#include "core/symbols/space/modules.h"

/* How the user part of a stack ends: enum recording_end if it was walked; otherwise one of these. */
enum user_end {
	USER_END_LIMIT = RECORDING_ENDS, /* as deep as the kernel follows frame pointers */
	USER_END_BROKEN,                 /* it does not reach the start of its thread (core/symbols/starts.h) */
	USER_END_SPAN_BROKEN,            /* the same, for stacks of spans, which are walked by frame pointers only */
	USER_END_CALLS,                  /* the processor records only the newest 8 to 32 calls */
	USER_END_UNSEEN,                 /* whole, but the outermost function is not a known start of threads */
	USER_ENDS,
	USER_END_NONE = USER_ENDS, /* no user part: a stack of kernel code alone, or a single address */
};

/* How the user part of the thread's own stack ends; the stacks of its wakers do not count. */
unsigned quality_user_end(const struct stack *stack, const struct places *places, const struct modules *modules);

/* The module of the outermost user frame that has one: if callers are missing, they are missing above this frame.
 * PLACE_NO_MODULE: there is none. */
uint32_t quality_last_module(const struct stack *stack, const struct places *places);

/* Count the samples of a stack that ends in this way; a stack without registers is not counted. */
void quality_count(struct quality *q, const struct stack *stack, unsigned end);

#endif
