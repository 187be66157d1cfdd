#include "collapse/text/trace_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/parse/stack_chain.h"
#include "core/memory.h"

struct trace_frame {
	uint32_t frame;
	uint32_t parent; /* a number of the text of its id; TEXT_NO_NAME: none */
	uint32_t stack;  /* once has_stack */
	bool has_stack;
};

/* Ids are strings in some places, and numbers in others: 5, "5". */
static uint32_t trace_stacks_id_of(struct text_stacks *s, struct json value)
{
	uint32_t name = json_name(s, value);

	if (name != TEXT_NO_NAME || !value.at)
		return name;
	return text_name(s, value.at, (size_t)(value.end - value.at));
}

void trace_stacks_read(struct trace_stacks *t, struct json frames)
{
	struct json rest = frames, frame;
	struct str key = { 0 };

	while (json_next_member(&rest, &key, &frame)) {
		t->frames = xgrow(t->frames, &t->cap, t->count + 1, sizeof(*t->frames));
		t->frames[t->count++] = (struct trace_frame){
			.frame = json_frame(t->s, TEXT_PLAIN, json_member(frame, "name"), "(anonymous)"),
			.parent = trace_stacks_id_of(t->s, json_member(frame, "parent")),
		};
		*map_at(&t->places, text_name(t->s, str_text(&key), key.len), 0) = (uint32_t)t->count;
	}
	str_free(&key);
}

static struct trace_frame *frame_at(struct trace_stacks *t, uint32_t id)
{
	uint32_t place = id == TEXT_NO_NAME ? 0 : map_get(&t->places, id, 0);

	return place ? &t->frames[place - 1] : NULL;
}

static uint32_t trace_stacks_of_leaf(struct trace_stacks *t, struct trace_frame *leaf)
{
	const struct trace_frame *f = leaf;
	struct stack_chain chain = { 0 };

	if (leaf->has_stack)
		return leaf->stack;
	while (f && stack_chain_add(&chain, t->s, f->frame))
		f = frame_at(t, f->parent);
	leaf->stack = stack_chain_end(&chain, t->s);
	leaf->has_stack = true;
	return leaf->stack;
}

bool trace_stacks_of(struct trace_stacks *t, struct json event, uint32_t *stack)
{
	struct json leaf = json_member(event, "sf"), list = json_member(event, "stack"), item;
	struct trace_frame *frame;
	struct str frames = { 0 };
	size_t count = 0;

	if (leaf.at) {
		frame = frame_at(t, trace_stacks_id_of(t->s, leaf));
		if (frame)
			*stack = trace_stacks_of_leaf(t, frame);
		else
			text_wrong(t->s, leaf.at, "a stack frame that is not among stackFrames");
		return frame != NULL;
	}
	for (; json_next_item(&list, &item); count++) {
		uint32_t number = json_frame(t->s, TEXT_PLAIN, item, "[unknown]");

		str_add(&frames, (const char *)&number, sizeof(number));
	}
	if (count)
		*stack = text_stack(t->s, (const uint32_t *)(const void *)frames.buf, count);
	str_free(&frames);
	return count > 0;
}

void trace_stacks_free(struct trace_stacks *t)
{
	free(t->frames);
	map_free(&t->places);
	*t = (struct trace_stacks){ 0 };
}
