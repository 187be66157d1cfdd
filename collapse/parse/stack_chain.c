#include "collapse/parse/stack_chain.h"

#include <string.h>

#include "collapse/parse/call_tree.h"

bool stack_chain_add(struct stack_chain *c, struct text_stacks *s, uint32_t frame)
{
	bool full;

	if (!c->count)
		c->room = call_tree_room(s);
	if (c->count > c->room)
		return false;
	full = c->count == c->room;
	if (full)
		frame = text_truncated(s);
	str_add(&c->frames, (const char *)&frame, sizeof(frame));
	c->count++;
	return !full;
}

uint32_t stack_chain_end(struct stack_chain *c, struct text_stacks *s)
{
	uint32_t stack = text_stack_leaf_first(s, (uint32_t *)(void *)c->frames.buf, c->count);

	str_free(&c->frames);
	*c = (struct stack_chain){ 0 };
	return stack;
}
