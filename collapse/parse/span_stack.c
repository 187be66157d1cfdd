#include "collapse/parse/span_stack.h"

#include <string.h>

#include "collapse/fold/times.h"
#include "collapse/parse/call_tree.h"
#include "collapse/parse/stack_chain.h"

/* The current stack; of a very deep one, only the innermost frames, below "[truncated]". */
static uint32_t span_stack_of(const struct span_stack *c, struct text_stacks *s)
{
	const uint32_t *frames = (const uint32_t *)(const void *)c->frames.buf;
	struct stack_chain chain = { 0 };
	size_t depth = span_stack_depth(c);

	if (depth <= call_tree_room(s))
		return text_stack(s, frames, depth);
	while (depth && stack_chain_add(&chain, s, frames[depth - 1]))
		depth--;
	return stack_chain_end(&chain, s);
}

static void give_time(struct span_stack *c, struct text_stacks *s, uint64_t at)
{
	struct text_value value = { at > c->at ? at - c->at : 0, 0 };

	if (value.whole && c->frames.len)
		fold_add_text(s, &(struct text_sample){ .time_ns = c->untimed ? TIMES_NONE : c->at,
							.values = &value,
							.stack = span_stack_of(c, s),
							.labels = c->labels });
	if (at < c->at)
		text_lose(s, TEXT_BACKWARDS, c->at - at);
	else
		c->at = at;
}

void span_stack_begin(struct span_stack *c, struct text_stacks *s, uint32_t frame, uint64_t at)
{
	give_time(c, s, at);
	str_add(&c->frames, (const char *)&frame, sizeof(frame));
}

void span_stack_end(struct span_stack *c, struct text_stacks *s, uint64_t at)
{
	give_time(c, s, at);
	if (c->frames.len)
		c->frames.len -= sizeof(uint32_t);
}

uint32_t span_stack_innermost(const struct span_stack *c)
{
	uint32_t frame;

	memcpy(&frame, c->frames.buf + c->frames.len - sizeof(frame), sizeof(frame));
	return frame;
}

void span_stack_free(struct span_stack *c)
{
	str_free(&c->frames);
}
