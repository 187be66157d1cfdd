/* cpuprofile: CPU profiles of V8, as node --cpu-prof and the inspector's Profiler.stop write them
 * (chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile):
 *
 *     {"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}, "children": [2]},
 *                {"id": 2, "callFrame": {"functionName": "main", "url": "file:///app.js", "lineNumber": 4}, "hitCount": 2}],
 *      "startTime": 1000, "endTime": 4000, "samples": [2, 2], "timeDeltas": [500, 1000]}
 *
 * A sample lasts until the next one, the last one until the end; us become ns.  Without samples, hits are counted. */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "core/map.h"
#include "core/memory.h"

enum { DEPTH_MAX = 100000, NS_PER_US = 1000 };

struct node {
	uint64_t id;
	uint32_t frame;
	uint32_t parent; /* its place + 1; 0: none */
	uint32_t stack;  /* once has_stack */
	uint64_t hits;
	bool has_stack;
};

struct cpuprofile {
	struct text_stacks *s;
	struct node *nodes; /* [count] */
	size_t count, cap;
	struct map places; /* of ids: place + 1 */
};

/* "work", or for a function without a name "(anonymous) app.js:5" */
static uint32_t frame_of(struct text_stacks *s, struct json call)
{
	struct json function = json_member(call, "functionName");
	struct str name = { 0 }, url = { 0 };
	const char *slash;
	uint32_t frame;

	if (json_text(function, &name) && name.len) {
		frame = text_frame(s, TEXT_PLAIN, name.buf, name.len);
	} else {
		json_text(json_member(call, "url"), &url);
		slash = strrchr(str_text(&url), '/');
		str_clear(&name);
		str_puts(&name, "(anonymous)");
		if (url.len)
			str_addf(&name, " %s:%lld", slash ? slash + 1 : str_text(&url),
				 (long long)json_int(json_member(call, "lineNumber"), -1) + 1);
		frame = text_frame(s, TEXT_PLAIN, name.buf, name.len);
	}
	str_free(&name);
	str_free(&url);
	return frame;
}

static void read_node(struct cpuprofile *p, struct json node)
{
	struct node *n;

	p->nodes = xgrow(p->nodes, &p->cap, p->count + 1, sizeof(*p->nodes));
	n = &p->nodes[p->count++];
	*n = (struct node){ .frame = frame_of(p->s, json_member(node, "callFrame")) };
	if (!json_scaled(json_member(node, "id"), 0, &n->id))
		text_wrong(p->s, node.at, "a node without an id");
	json_scaled(json_member(node, "hitCount"), 0, &n->hits);
	*map_at(&p->places, n->id, 0) = (uint32_t)p->count;
}

/* Parents are named by their children, or (in traces) by themselves. */
static void read_children(struct cpuprofile *p, struct json node, uint32_t place)
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

/* The stack of a node; its outermost one is "(root)", which says nothing. */
static uint32_t stack_of(struct cpuprofile *p, struct node *node)
{
	struct str frames = { 0 };
	uint32_t *items;
	size_t count = 0;

	if (node->has_stack)
		return node->stack;
	for (const struct node *n = node; count < DEPTH_MAX; n = &p->nodes[n->parent - 1]) {
		if (n->parent || n == node) {
			str_add(&frames, (const char *)&n->frame, sizeof(n->frame));
			count++;
		}
		if (!n->parent)
			break;
	}
	items = (uint32_t *)(void *)frames.buf;
	node->stack = text_stack_leaf_first(p->s, items, count);
	node->has_stack = true;
	str_free(&frames);
	return node->stack;
}

static void add(struct cpuprofile *p, struct node *node, uint64_t amount, uint32_t labels)
{
	struct text_value value = { amount, 0 };

	fold_add_text(p->s, &(struct text_sample){ .values = &value, .stack = stack_of(p, node), .labels = labels });
}

static void read_samples(struct cpuprofile *p, struct json samples, struct json deltas, int64_t left_us,
			 uint32_t labels)
{
	struct json sample, delta;
	bool more = json_next_item(&deltas, &delta);
	uint64_t id;

	left_us -= more ? json_int(delta, 0) : 0;
	while (json_next_item(&samples, &sample)) {
		uint32_t place = json_scaled(sample, 0, &id) ? map_get(&p->places, id, 0) : 0;
		int64_t us = left_us;

		more = more && json_next_item(&deltas, &delta);
		if (more)
			us = json_int(delta, 0);
		left_us -= us;
		if (!place)
			text_wrong(p->s, sample.at, "a sample of a node that does not exist");
		else if (us > 0)
			add(p, &p->nodes[place - 1], (uint64_t)us * NS_PER_US, labels);
	}
	json_check_end(p->s, samples, ']');
}

static uint32_t labels_of(struct text_stacks *s, const char *unit)
{
	struct text_labels labels = TEXT_NO_LABELS;

	labels.unit = text_name(s, unit, strlen(unit));
	return text_label(s, &labels);
}

static void parse(const struct text_part *part)
{
	struct cpuprofile p = { .s = part->out };
	struct json all = json_make(part->text, part->len), nodes = json_member(all, "nodes"), rest = nodes, node;
	struct json samples = json_member(all, "samples"), deltas = json_member(all, "timeDeltas");
	uint32_t place = 0;

	while (json_next_item(&rest, &node))
		read_node(&p, node);
	json_check_end(p.s, rest, ']');
	for (rest = nodes; json_next_item(&rest, &node);)
		read_children(&p, node, ++place);
	if (samples.at && deltas.at)
		read_samples(&p, samples, deltas,
			     json_int(json_member(all, "endTime"), 0) - json_int(json_member(all, "startTime"), 0),
			     labels_of(p.s, "ns"));
	for (size_t i = 0; i < p.count && !(samples.at && deltas.at); i++) {
		if (p.nodes[i].hits)
			add(&p, &p.nodes[i], p.nodes[i].hits, labels_of(p.s, "samples"));
	}
	free(p.nodes);
	map_free(&p.places);
}

static enum sniffed sniff(const char *text, size_t len)
{
	return json_begins(text, len, "nodes") && json_begins(text, len, "callFrame") &&
			       !json_begins(text, len, "traceEvents")
		       ? SNIFF_SURE
		       : SNIFF_NO;
}

const struct input_format cpuprofile_format = {
	.name = "cpuprofile",
	.holds = "stacks and values",
	.wanted = "a sample of a V8 CPU profile",
	.has = TEXT_HAS_STACKS,
	.sniff = sniff,
	.parse = parse,
};
