#include "collapse/text/ghc_json.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/parse/call_tree.h"
#include "collapse/parse/event_values.h"
#include "core/map.h"
#include "core/memory.h"

static const struct {
	const char *key, *event, *unit;
} values[] = {
	{ "ticks", "ticks", "ticks" },
	{ "alloc", "bytes", "bytes" },
	{ "entries", "entries", "entries" },
};

enum { VALUES = sizeof(values) / sizeof(*values) };

/* A node on the way to the current one. */
struct level {
	struct json rest; /* of its children */
	uint32_t frame;
};

struct cost_tree {
	struct text_stacks *s;
	struct map centres; /* id: frame + 1 */
	struct event_values events;
	struct level *levels; /* [depth] */
	size_t depth, cap;
	struct str frames; /* uint32_t each, for the current stack */
};

/* "Main.work" */
static void read_centre(struct cost_tree *t, struct json centre)
{
	struct str module = { 0 }, label = { 0 };
	uint64_t id;

	json_text(json_member(centre, "module"), &module);
	if (json_u64(json_member(centre, "id"), &id) && json_text(json_member(centre, "label"), &label)) {
		str_addc(&module, '.');
		str_add(&module, str_text(&label), label.len);
		*map_at(&t->centres, id, 0) = text_frame(t->s, TEXT_PLAIN, module.buf, module.len) + 1;
	} else {
		text_wrong(t->s, centre.at, "a cost centre without an id and a label");
	}
	str_free(&module);
	str_free(&label);
}

static uint32_t ghc_json_frame_of(struct cost_tree *t, struct json node)
{
	uint64_t id;
	uint32_t frame = json_u64(json_member(node, "id"), &id) ? map_get(&t->centres, id, 0) : 0;

	if (frame)
		return frame - 1;
	text_wrong(t->s, node.at, "a node of a cost centre that is not in the table");
	return text_frame(t->s, TEXT_PLAIN, "[unknown]", strlen("[unknown]"));
}

static void ghc_json_add_values(struct cost_tree *t, struct json node)
{
	uint32_t stack;

	str_clear(&t->frames);
	for (size_t i = 0; i < t->depth; i++)
		str_add(&t->frames, (const char *)&t->levels[i].frame, sizeof(t->levels[i].frame));
	stack = text_stack(t->s, (const uint32_t *)(const void *)t->frames.buf, t->depth);
	for (size_t i = 0; i < VALUES; i++) {
		struct json member = json_member(node, values[i].key);
		struct text_value value;

		if (json_value(t->s, member, 0, &value))
			event_values_add(&t->events, i, &value, stack, &TEXT_NO_LABELS);
		else
			text_wrong(t->s, member.at ? member.at : node.at, "no value");
	}
}

/* Returns false if node is too deep: what is below it is skipped. */
static bool ghc_json_enter(struct cost_tree *t, struct json node)
{
	if (t->depth == TREE_DEPTH_MAX) {
		text_wrong(t->s, node.at, "a stack that is too deep");
		return false;
	}
	t->levels = xgrow(t->levels, &t->cap, t->depth + 1, sizeof(*t->levels));
	t->levels[t->depth++] = (struct level){ json_member(node, "children"), ghc_json_frame_of(t, node) };
	ghc_json_add_values(t, node);
	return true;
}

void ghc_json_parse(const struct text_part *part)
{
	struct cost_tree t = { .s = part->out, .events = { .out = part->out } };
	struct json_index index = { 0 };
	struct json all = json_make(part->text, part->len), centre, centres = json_member(all, "cost_centres");
	struct json node = json_input_indexed(part->out, json_member(all, "profile"), &index);

	for (size_t i = 0; i < VALUES; i++)
		event_values_name(&t.events, (struct text_span){ values[i].event, strlen(values[i].event) },
				  (struct text_span){ values[i].unit, strlen(values[i].unit) });
	while (json_next_item(&centres, &centre))
		read_centre(&t, centre);
	json_check_end(t.s, centres, ']');
	if (node.at)
		ghc_json_enter(&t, node);
	while (t.depth) {
		if (json_next_item(&t.levels[t.depth - 1].rest, &node)) {
			ghc_json_enter(&t, node);
			continue;
		}
		if (t.levels[t.depth - 1].rest.at)
			json_check_end(t.s, t.levels[t.depth - 1].rest, ']');
		t.depth--;
	}
	event_values_end(&t.events);
	json_index_free(&index);
	map_free(&t.centres);
	free(t.levels);
	str_free(&t.frames);
}

bool ghc_json_is(const char *text, size_t len)
{
	return json_begins(text, len, "rts_arguments") && json_begins(text, len, "cost_centres");
}
