#include "collapse/parse/call_tree.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

size_t call_tree_room(const struct text_stacks *s)
{
	size_t room = text_stack_room(s);

	return room < TREE_DEPTH_MAX ? room : TREE_DEPTH_MAX;
}

/* Leave lines until the path has this depth. */
static void call_tree_leave(struct call_tree *t, size_t depth)
{
	while (t->depth > depth) {
		const struct call_row *leaf = &t->path[t->depth - 1];

		if (t->add && leaf->count)
			t->add(t, call_tree_stack(t), leaf, leaf->count);
		t->depth--;
	}
}

bool call_tree_row(struct call_tree *t, size_t depth, uint32_t frame, const struct call_row *row)
{
	if (depth > t->depth) {
		text_wrong(t->out, row->at, "a line that is too deep for the one above");
		return false;
	}
	if (depth >= TREE_DEPTH_MAX) {
		text_wrong(t->out, row->at, "a stack that is too deep");
		return false;
	}
	call_tree_leave(t, depth);
	if (t->add && depth && row->count > t->path[depth - 1].count)
		text_wrong(t->out, row->at, "more than its caller has left");
	if (t->add && depth)
		t->path[depth - 1].count -=
			row->count < t->path[depth - 1].count ? row->count : t->path[depth - 1].count;
	t->path = xgrow(t->path, &t->cap, depth + 1, sizeof(*t->path));
	t->frames = xgrow(t->frames, &t->frame_cap, depth + 1, sizeof(*t->frames));
	t->path[depth] = *row;
	t->frames[depth] = frame;
	t->depth = depth + 1;
	return true;
}

uint32_t call_tree_stack(struct call_tree *t)
{
	size_t skip = t->depth < t->skip ? t->depth : t->skip, room = call_tree_room(t->out);
	uint32_t outermost, stack;

	if (t->depth - skip <= room)
		return text_stack(t->out, t->frames + skip, t->depth - skip);
	skip = t->depth - room - 1;
	outermost = t->frames[skip];
	t->frames[skip] = text_truncated(t->out);
	stack = text_stack(t->out, t->frames + skip, room + 1);
	t->frames[skip] = outermost;
	return stack;
}

void call_tree_end(struct call_tree *t)
{
	call_tree_leave(t, 0);
}

void call_tree_free(struct call_tree *t)
{
	free(t->path);
	free(t->frames);
	t->path = NULL;
	t->frames = NULL;
	t->depth = t->cap = t->frame_cap = 0;
}
