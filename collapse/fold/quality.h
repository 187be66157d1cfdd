/* quality: which user stacks are whole, and how the others end. */
#ifndef COLLAPSE_FOLD_QUALITY_H
#define COLLAPSE_FOLD_QUALITY_H

#include "collapse/fold/stacks.h"
#include "core/format/recording.h"
#include "core/symbols/quality.h"
#include "core/symbols/space/modules.h"

/* How the user part of a stack ends: enum recording_end, when it was walked, or: */
enum user_end {
	USER_END_LIMIT = RECORDING_ENDS, /* as deep as the kernel follows frame pointers */
	USER_END_BROKEN,                 /* it looks broken (core/symbols/starts.h) */
	USER_END_SPAN_BROKEN,            /* so does it, and nothing but frame pointers could help */
	USER_END_CALLS,                  /* the processor notes the newest 8 to 32 calls only */
	USER_END_UNSEEN,                 /* whole, but at no function that is known as a start */
	USER_ENDS,
	USER_END_NONE = USER_ENDS, /* there is none: the kernel's own, or an address alone */
};

/* Of its own part, that of wakers apart. */
unsigned quality_user_end(const struct stack *stack, const struct places *places, const struct modules *modules);

/* The module of the outermost user frame that is in any: where the way to the callers was
 * lost, when it was.  PLACE_NO_MODULE: there is none. */
uint32_t quality_last_module(const struct stack *stack, const struct places *places);

/* Count the samples of a stack that ends so; of one that had no registers, nothing could be told. */
void quality_count(struct quality *q, const struct stack *stack, unsigned end);

#endif
