#include "collapse/parse/span_stack.h"

#include <string.h>

static void give_time(struct span_stack *c, struct text_stacks *s, uint64_t at)
{
	struct text_value value = { at > c->at ? at - c->at : 0, 0 };

	if (value.whole && c->frames.len)
		fold_add_text(
			s, &(struct text_sample){ .values = &value,
						  .stack = text_stack(s, (const uint32_t *)(const void *)c->frames.buf,
								      span_stack_depth(c)),
						  .labels = c->labels });
	if (at > c->at)
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
