/* cpuprofile: CPU profiles of V8, as node --cpu-prof and the inspector's Profiler.stop write them
 * (chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile):
 *
 *     {"nodes": [{"id": 1, "callFrame": {"functionName": "(root)", "url": "", "lineNumber": -1}, "children": [2]},
 *                {"id": 2, "callFrame": {"functionName": "main", "url": "file:///app.js", "lineNumber": 4}, "hitCount": 2}],
 *      "startTime": 1000, "endTime": 4000, "samples": [2, 2], "timeDeltas": [500, 1000]}
 *
 * Versions before 2017 and v8-profiler write a tree, with the times of samples in us:
 *
 *     {"head": {"id": 1, "functionName": "(root)", "hitCount": 0, "children": [...]}, "samples": [2, 2], "timestamps": [500, 1500]}
 *
 * A sample lasts until the next one by time, the last one until the end; deltas may be negative (v8_samples.h).  us become ns.
 * If there are no samples, hits are counted, which have no times.  Times are those of V8's clock, which mostly starts
 * when the machine does. */
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/v8/v8_nodes.h"
#include "collapse/v8/v8_samples.h"

#define US_MAX (INT64_MAX / 1000) /* more would not fit in ns */

static const char no_time[] = "a time that is not a number, or too large";

/* A time, or a difference of two times; 0: there is none. */
static int64_t read_us(struct v8_nodes *p, struct json time)
{
	int64_t us = json_int(time, time.at ? INT64_MIN : 0);

	if (us >= -US_MAX && us <= US_MAX)
		return us;
	text_wrong(p->s, time.at, no_time);
	return 0;
}

static uint32_t cpuprofile_stack_of(struct v8_nodes *p, struct json sample)
{
	struct v8_node *node = v8_nodes_find(p, sample);

	if (!node)
		text_wrong(p->s, sample.at, "a sample of a node that does not exist");
	return node ? v8_nodes_stack(p, node) : V8_NO_STACK;
}

/* Read samples whose times are differences from the sample before. */
static void cpuprofile_read_samples(struct v8_nodes *p, struct json samples, struct json deltas, int64_t us,
				    struct v8_samples *to)
{
	struct json sample, delta;

	while (json_next_item(&samples, &sample)) {
		if (!json_next_item(&deltas, &delta))
			text_wrong(p->s, sample.at, "a sample without a time");
		else if (__builtin_add_overflow(us, read_us(p, delta), &us))
			text_wrong(p->s, delta.at, no_time);
		else
			v8_samples_add(to, us, cpuprofile_stack_of(p, sample));
	}
	json_check_end(p->s, samples, ']');
}

/* Read samples that have their own times.  Returns the time of the end, if there is one; else 0.  A time that cannot be
 * read is taken to be the previous one, and its sample to have no stack. */
static int64_t read_timed_samples(struct v8_nodes *p, struct json samples, struct json times, struct v8_samples *to)
{
	struct json sample, time;
	int64_t us = 0, read;

	while (json_next_item(&samples, &sample)) {
		if (!json_next_item(&times, &time)) {
			text_wrong(p->s, sample.at, "a sample without a time");
			continue;
		}
		read = json_int(time, -1);
		if (read < 0 || read > US_MAX)
			text_wrong(p->s, time.at, no_time);
		else
			us = read;
		v8_samples_add(to, us, us == read ? cpuprofile_stack_of(p, sample) : V8_NO_STACK);
	}
	json_check_end(p->s, samples, ']');
	return json_next_item(&times, &time) ? read_us(p, time) : 0;
}

static uint32_t cpuprofile_labels_of(struct text_stacks *s, const char *unit)
{
	struct text_labels labels = TEXT_NO_LABELS;

	labels.unit = text_name(s, unit, strlen(unit));
	return text_label(s, &labels);
}

static void cpuprofile_add_samples(struct v8_nodes *p, struct json all, struct json samples, struct json times)
{
	struct v8_samples list = { 0 };
	int64_t end_us;

	if (json_member(all, "head").at) {
		end_us = read_timed_samples(p, samples, times, &list);
	} else {
		end_us = read_us(p, json_member(all, "endTime"));
		cpuprofile_read_samples(p, samples, times, read_us(p, json_member(all, "startTime")), &list);
	}
	v8_samples_fold(&list, p->s, end_us, cpuprofile_labels_of(p->s, "ns"));
	v8_samples_free(&list);
}

static bool has_items(struct json array)
{
	struct json item;

	return json_next_item(&array, &item);
}

static void cpuprofile_parse(const struct text_part *part)
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
	if (has_items(samples) && times.at)
		cpuprofile_add_samples(&p, all, samples, times);
	else
		v8_nodes_fold_values(&p, cpuprofile_labels_of(p.s, "samples"));
	v8_nodes_free(&p);
}

static enum sniffed cpuprofile_sniff(const char *text, size_t len)
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
	.holds = "stacks, times and values",
	.wanted = "a sample of a V8 CPU profile",
	.has = TEXT_IS_JSON | TEXT_HAS_TIMES | TEXT_HAS_SPANS | TEXT_HAS_STACKS | TEXT_HAS_FILES | TEXT_HAS_LINES,
	.sniff = cpuprofile_sniff,
	.parse = cpuprofile_parse,
};
