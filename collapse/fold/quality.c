#include "collapse/fold/quality.h"

#include "core/symbols/starts.h"

static const struct place *fold_quality_place_of(const struct places *places, const struct stack *stack, uint32_t frame)
{
	return &places->items[stack->frames[frame] >> FRAME_PLACE_SHIFT];
}

static uint32_t user_depth(const struct stack *stack)
{
	uint32_t depth = 0;

	while (depth < stack->frame_count && !(stack->frames[stack->frame_count - 1 - depth] & FRAME_KERNEL))
		depth++;
	return depth;
}

/* Does the stack come from a sample without a call chain?  A call chain has at least a context mark. */
static bool is_address_alone(const struct stack *stack)
{
	return stack->frame_count == 1 && stack->chain_count == 1;
}

/* The outermost user frame that is in a module; NULL: none is. */
static const struct place *last_place(const struct stack *stack, const struct places *places)
{
	uint32_t depth = user_depth(stack);

	for (uint32_t i = 0; i < depth; i++) {
		const struct place *place = fold_quality_place_of(places, stack, stack->frame_count - 1 - i);

		if (place->module != PLACE_NO_MODULE)
			return place;
	}
	return NULL;
}

static enum stack_start start_of(const struct stack *stack, const struct places *places, const struct modules *modules)
{
	const struct place *last = last_place(stack, places);
	uint32_t depth = user_depth(stack);
	bool astray = last != fold_quality_place_of(places, stack, stack->frame_count - 1);

	for (uint32_t i = 0; i < depth && i < STARTS_LOOKED_AT; i++) {
		if (stack->circles && i + 1 == depth)
			break; /* clone3 itself is also a frame of threads that call it, so it does not show the start
			        * of a thread */
		if (is_thread_start(fold_quality_place_of(places, stack, stack->frame_count - 1 - i)->name))
			return START_SEEN;
	}
	if (stack->circles || !last || last->module >= modules->count)
		return START_LOST;
	return stack_start_of(depth, astray, last->name, &modules->items[last->module]);
}

/* A stack with more calls than the processor records looks complete: only the name of the outermost function shows
 * whether it is. */
static unsigned end_of_calls(const struct stack *stack, const struct places *places, const struct modules *modules)
{
	const struct place *last = last_place(stack, places);

	if (start_of(stack, places, modules) == START_SEEN)
		return RECORDING_END_COMPLETE;
	return last && last->name ? USER_END_CALLS : USER_END_UNSEEN;
}

unsigned quality_user_end(const struct stack *stack, const struct places *places, const struct modules *modules)
{
	if (!user_depth(stack) || is_address_alone(stack))
		return USER_END_NONE;
	if (stack->walked) /* a later version may have added ends */
		return stack->end < RECORDING_ENDS ? stack->end : RECORDING_END_BROKEN;
	if (stack->by_calls)
		return end_of_calls(stack, places, modules);
	if (stack->truncated)
		return USER_END_LIMIT;
	switch (start_of(stack, places, modules)) {
	case START_UNSEEN: return USER_END_UNSEEN;
	case START_LOST: return stack->span ? USER_END_SPAN_BROKEN : USER_END_BROKEN;
	default: return RECORDING_END_COMPLETE;
	}
}

uint32_t quality_last_module(const struct stack *stack, const struct places *places)
{
	const struct place *last = last_place(stack, places);

	return last ? last->module : PLACE_NO_MODULE;
}

void quality_count(struct quality *q, const struct stack *stack, unsigned end)
{
	uint64_t samples = stack->samples, spans = stack->span ? samples : 0;

	if (end == USER_END_NONE || end == RECORDING_END_NO_REGISTERS)
		return;
	q->stacks += samples;
	q->span_stacks += spans;
	if (end == RECORDING_END_TRUNCATED || end == RECORDING_END_TOO_DEEP || end == USER_END_LIMIT ||
	    end == USER_END_CALLS) {
		q->cut += samples;
		q->span_cut += spans;
	} else if (end == USER_END_UNSEEN) {
		q->unseen += samples;
	} else if (end != RECORDING_END_COMPLETE) {
		q->broken += samples;
		q->span_broken += spans;
	}
}
