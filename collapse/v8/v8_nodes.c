#include "collapse/v8/v8_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/span.h"
#include "collapse/fold/times.h"
#include "collapse/parse/stack_chain.h"
#include "core/memory.h"

static const char too_many_hits[] = "hits that are not a number, or too many";

/* "(anonymous) app.js:5", in room */
static struct text_span v8_nodes_nameless(struct str *room, struct text_span url, uint32_t line, bool bare)
{
	size_t slash = span_last(url, '/');
	struct text_span file = slash < url.len ? span_after(url, slash + 1) : url;

	str_puts(room, "(anonymous)");
	if (url.len && !bare) {
		str_addc(room, ' ');
		str_add(room, file.text, file.len);
	}
	if (line && !bare)
		str_addf(room, ":%u", line);
	return (struct text_span){ room->buf, room->len };
}

/* The name of a function, "work"; without a name, "(anonymous) app.js:5".  With --srcline, the line is added later.
 * first_line is the number of a file's first line. */
static uint32_t v8_nodes_frame_of(struct text_stacks *s, struct json call, int first_line)
{
	struct str name_room = { 0 }, url_room = { 0 };
	struct text_span name, url;
	int64_t number = json_int(json_member(call, "lineNumber"), -1);
	bool has_line = number >= first_line && number < INT32_MAX;
	struct text_source at = { .line = has_line ? (uint32_t)(number - first_line + 1) : 0 };
	uint32_t frame;

	json_span(json_member(call, "url"), &url_room, &url.text, &url.len);
	at.file = url.text;
	at.len = url.len;
	at.line = url.len ? at.line : 0;
	json_span(json_member(call, "functionName"), &name_room, &name.text, &name.len);
	if (!name.len)
		name = v8_nodes_nameless(&name_room, url, at.line, s->setup->lines);
	frame = text_frame_at(s, TEXT_PLAIN, name.text, name.len, at);
	str_free(&name_room);
	str_free(&url_room);
	return frame;
}

/* The members that nodes have in a kind of profile. */
struct form {
	const char *value, *wrong;
	bool has_frame; /* a callFrame, not its members */
	bool has_id;
};

static const struct form of_list = { "hitCount", too_many_hits, true, true };
static const struct form of_tree = { "hitCount", too_many_hits, false, true };
static const struct form of_heap = { "selfSize", "a size that is not a number, or too large", true, false };

static void read_node(struct v8_nodes *p, struct json node, const struct form *form)
{
	struct json value = json_member(node, form->value);
	struct v8_node *n;

	p->nodes = xgrow(p->nodes, &p->cap, p->count + 1, sizeof(*p->nodes));
	n = &p->nodes[p->count++];
	*n = (struct v8_node){ .frame = v8_nodes_frame_of(p->s, form->has_frame ? json_member(node, "callFrame") : node,
							  form->has_frame ? 0 : 1) };
	if (!json_scaled(json_member(node, "id"), 0, &n->id) && form->has_id)
		text_wrong(p->s, node.at, "a node without an id");
	if (value.at && !json_scaled(value, 0, &n->value))
		text_wrong(p->s, value.at, form->wrong);
	*map_at(&p->places, n->id, 0) = (uint32_t)p->count;
}

static void read_children(struct v8_nodes *p, struct json node, uint32_t place)
{
	struct json children = json_member(node, "children"), child;
	uint64_t id;
	uint32_t at;

	while (json_next_item(&children, &child)) {
		at = json_scaled(child, 0, &id) ? map_get(&p->places, id, 0) : 0;
		if (at)
			p->nodes[at - 1].parent = place;
		else
			text_wrong(p->s, child.at, "a child that is not among the nodes");
	}
	if (json_scaled(json_member(node, "parent"), 0, &id))
		p->nodes[place - 1].parent = map_get(&p->places, id, 0);
}

uint32_t v8_nodes_stack(struct v8_nodes *p, struct v8_node *node)
{
	struct stack_chain chain = { 0 };

	if (node->has_stack)
		return node->stack;
	for (const struct v8_node *n = node; n->parent || n == node; n = &p->nodes[n->parent - 1]) {
		if (!stack_chain_add(&chain, p->s, n->frame) || !n->parent)
			break;
	}
	node->stack = stack_chain_end(&chain, p->s);
	node->has_stack = true;
	return node->stack;
}

void v8_nodes_add(struct v8_nodes *p, struct json nodes)
{
	struct json rest = nodes, node;
	uint32_t place = (uint32_t)p->count;

	while (json_next_item(&rest, &node))
		read_node(p, node, &of_list);
	for (rest = nodes; json_next_item(&rest, &node);)
		read_children(p, node, ++place);
}

static void add_tree(struct v8_nodes *p, struct json head, const struct form *form)
{
	struct level {
		struct json rest; /* of the children of ... */
		uint32_t place;   /* ... the index + 1 of the node */
	} *levels = NULL;
	size_t depth = 0, cap = 0;
	struct json_index index = { 0 };
	struct json node = json_input_indexed(p->s, head, &index);

	do {
		read_node(p, node, form);
		p->nodes[p->count - 1].parent = depth ? levels[depth - 1].place : 0;
		levels = xgrow(levels, &cap, depth + 1, sizeof(*levels));
		levels[depth++] = (struct level){ json_member(node, "children"), (uint32_t)p->count };
		while (depth && !json_next_item(&levels[depth - 1].rest, &node)) {
			depth--;
			if (levels[depth].rest.at)
				json_check_end(p->s, levels[depth].rest, ']');
		}
	} while (depth);
	free(levels);
	json_index_free(&index);
}

void v8_nodes_add_tree(struct v8_nodes *p, struct json head)
{
	add_tree(p, head, &of_tree);
}

void v8_nodes_add_heap(struct v8_nodes *p, struct json head)
{
	add_tree(p, head, &of_heap);
}

void v8_nodes_fold_values(struct v8_nodes *p, uint32_t labels)
{
	for (size_t i = 0; i < p->count; i++) {
		struct text_value value = { p->nodes[i].value, 0 };

		if (value.whole)
			fold_add_text(p->s, &(struct text_sample){ .time_ns = TIMES_NONE,
								   .values = &value,
								   .stack = v8_nodes_stack(p, &p->nodes[i]),
								   .labels = labels });
	}
}

struct v8_node *v8_nodes_find(struct v8_nodes *p, struct json value)
{
	uint64_t id;
	uint32_t place = json_scaled(value, 0, &id) ? map_get(&p->places, id, 0) : 0;

	return place ? &p->nodes[place - 1] : NULL;
}

void v8_nodes_free(struct v8_nodes *p)
{
	free(p->nodes);
	map_free(&p->places);
	*p = (struct v8_nodes){ 0 };
}
