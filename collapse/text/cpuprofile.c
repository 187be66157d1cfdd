/* cpuprofile: CPU profiles of V8, as node --cpu-prof and the inspector's Profiler.stop write them
 * (chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile):
 *
 *     {"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}, "children": [2]},
 *                {"id": 2, "callFrame": {"functionName": "main", "url": "file:///app.js", "lineNumber": 4}, "hitCount": 2}],
 *      "startTime": 1000, "endTime": 4000, "samples": [2, 2], "timeDeltas": [500, 1000]}
 *
 * or, from before 2017 and from v8-profiler, as a tree, with the times of samples in us:
 *
 *     {"head": {"id": 1, "functionName": "(root)", "hitCount": 0, "children": [...]}, "samples": [2, 2], "timestamps": [500, 1500]}
 *
 * A sample lasts until the next one, the last one until the end; us become ns.  Without samples, hits are counted. */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/text/v8_nodes.h"
#include "core/map.h"
#include "core/memory.h"

enum { NS_PER_US = 1000 };

#define US_MAX (INT64_MAX / NS_PER_US) /* more would not fit in ns */

static void add(struct v8_nodes *p, struct v8_node *node, uint64_t amount, uint32_t labels)
{
	struct text_value value = { amount, 0 };

	fold_add_text(p->s,
		      &(struct text_sample){ .values = &value, .stack = v8_nodes_stack(p, node), .labels = labels });
}

static const char no_time[] = "a time that is not a number, or too large";

/* A time, or the difference of two; 0: there is none. */
static int64_t read_us(struct v8_nodes *p, struct json time)
{
	int64_t us = json_int(time, time.at ? INT64_MIN : 0);

	if (us >= -US_MAX && us <= US_MAX)
		return us;
	text_wrong(p->s, time.at, no_time);
	return 0;
}

/* The times of samples are those from the one before.  The last sample has what is left of left_us. */
static void read_samples(struct v8_nodes *p, struct json samples, struct json deltas, int64_t left_us, uint32_t labels)
{
	struct json sample, delta;
	bool has_time = json_next_item(&deltas, &delta);

	left_us -= has_time ? read_us(p, delta) : 0;
	while (json_next_item(&samples, &sample)) {
		struct v8_node *node = v8_nodes_find(p, sample);
		int64_t us = left_us;

		if (!has_time) {
			text_wrong(p->s, sample.at, "a sample without a time");
			continue;
		}
		has_time = json_next_item(&deltas, &delta);
		if (has_time) {
			us = read_us(p, delta);
			if (__builtin_sub_overflow(left_us, us, &left_us))
				left_us = 0;
		}
		if (!node)
			text_wrong(p->s, sample.at, "a sample of a node that does not exist");
		else if (us > US_MAX)
			text_wrong(p->s, sample.at, no_time);
		else if (us > 0)
			add(p, node, (uint64_t)us * NS_PER_US, labels);
	}
	json_check_end(p->s, samples, ']');
}

static bool read_time(struct v8_nodes *p, struct json time, uint64_t *us)
{
	if (json_scaled(time, 0, us))
		return true;
	text_wrong(p->s, time.at, no_time);
	return false;
}

/* The same with the times of samples, of which there may be one more: that of the end. */
static void read_timed_samples(struct v8_nodes *p, struct json samples, struct json times, uint32_t labels)
{
	struct json sample, time;
	uint64_t us = 0, next_us = 0;
	bool more = json_next_item(&times, &time), known = more && read_time(p, time, &us);

	while (json_next_item(&samples, &sample)) {
		struct v8_node *node = v8_nodes_find(p, sample);
		bool has_begin = more, begin_known = known;

		more = more && json_next_item(&times, &time);
		known = more && read_time(p, time, &next_us);
		if (!has_begin)
			text_wrong(p->s, sample.at, "a sample without a time");
		else if (!node)
			text_wrong(p->s, sample.at, "a sample of a node that does not exist");
		else if (begin_known && known && next_us > us && next_us - us <= UINT64_MAX / NS_PER_US)
			add(p, node, (next_us - us) * NS_PER_US, labels);
		us = next_us;
	}
	json_check_end(p->s, samples, ']');
}

static uint32_t labels_of(struct text_stacks *s, const char *unit)
{
	struct text_labels labels = TEXT_NO_LABELS;

	labels.unit = text_name(s, unit, strlen(unit));
	return text_label(s, &labels);
}

static void add_hits(struct v8_nodes *p)
{
	uint32_t labels = labels_of(p->s, "samples");

	for (size_t i = 0; i < p->count; i++) {
		if (p->nodes[i].hits)
			add(p, &p->nodes[i], p->nodes[i].hits, labels);
	}
}

static void parse(const struct text_part *part)
{
	struct v8_nodes p = { .s = part->out };
	struct json all = json_make(part->text, part->len), nodes = json_member(all, "nodes"), rest = nodes, node;
	struct json samples = json_member(all, "samples"), head = json_member(all, "head");
	struct json times = json_member(all, head.at ? "timestamps" : "timeDeltas");

	if (head.at) {
		v8_nodes_add_tree(&p, head);
	} else {
		v8_nodes_add(&p, nodes);
		while (json_next_item(&rest, &node))
			;
		json_check_end(p.s, rest, ']');
	}
	if (!samples.at || !times.at)
		add_hits(&p);
	else if (head.at)
		read_timed_samples(&p, samples, times, labels_of(p.s, "ns"));
	else
		read_samples(&p, samples, times,
			     read_us(&p, json_member(all, "endTime")) - read_us(&p, json_member(all, "startTime")),
			     labels_of(p.s, "ns"));
	v8_nodes_free(&p);
}

static enum sniffed sniff(const char *text, size_t len)
{
	bool is_tree = json_begins(text, len, "head") && json_begins(text, len, "functionName") &&
		       json_begins(text, len, "hitCount");

	return ((json_begins(text, len, "nodes") && json_begins(text, len, "callFrame")) || is_tree) &&
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
