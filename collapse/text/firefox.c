/* firefox: processed profiles of the Firefox Profiler, as samply and others write them, too
 * (github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md):
 *
 *     {"meta": {"interval": 1, "preprocessedProfileVersion": 58},
 *      "threads": [{"name": "main", "pid": "12", "tid": 13,
 *          "samples": {"stack": [1, null], "weight": [3, 1], "weightType": "samples"},
 *          "stackTable": {"frame": [0, 1], "prefix": [null, 0]}, "frameTable": {"func": [0, 1], "inlineDepth": [0, 0]},
 *          "funcTable": {"name": [0, 1]}, "stringArray": ["main", "read"]}]}
 *
 * weightType is samples, bytes or tracing-ms.  Since version 56 the strings, since 60 all tables may be those of "shared". */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/stack_table.h"

/* The tables of a thread. */
struct profile_tables {
	struct stack_table stacks;
	uint64_t *frame_function, *inline_depth, *function_name;
	size_t frame_count, inline_count, function_count;
};

static struct json table(struct json thread, struct json shared, const char *name)
{
	struct json own = json_member(thread, name);

	return own.at ? own : json_member(shared, name);
}

static void read_tables(struct profile_tables *t, struct json thread, struct json shared)
{
	struct json stacks = table(thread, shared, "stackTable"), frames = table(thread, shared, "frameTable");
	struct json strings = table(thread, shared, "stringArray");

	t->stacks.frame = json_numbers(json_member(stacks, "frame"), &t->stacks.count);
	t->stacks.prefix = json_numbers(json_member(stacks, "prefix"), &t->stacks.prefix_count);
	t->frame_function = json_numbers(json_member(frames, "func"), &t->frame_count);
	t->inline_depth = json_numbers(json_member(frames, "inlineDepth"), &t->inline_count);
	t->function_name = json_numbers(json_member(table(thread, shared, "funcTable"), "name"), &t->function_count);
	stack_table_strings(&t->stacks, strings.at ? strings : json_member(thread, "stringTable"));
}

static void free_tables(struct profile_tables *t)
{
	stack_table_free(&t->stacks);
	free(t->frame_function);
	free(t->inline_depth);
	free(t->function_name);
}

static uint32_t frame_of(const void *tables, uint64_t frame)
{
	const struct profile_tables *t = tables;
	uint64_t function = frame < t->frame_count ? t->frame_function[frame] : UINT64_MAX;
	uint64_t name = function < t->function_count ? t->function_name[function] : UINT64_MAX;
	uint64_t depth = frame < t->inline_count ? t->inline_depth[frame] : 0;
	enum text_kind kind = depth && depth != UINT64_MAX ? TEXT_INLINED : TEXT_PLAIN;

	return json_frame(t->stacks.s, kind,
			  name < t->stacks.string_count ? t->stacks.strings[name] : (struct json){ 0 }, "[unknown]");
}

static uint32_t labels_of(struct text_stacks *s, struct json thread, const char *unit)
{
	struct text_labels labels = TEXT_NO_LABELS;

	labels.comm = json_thread_name(s, json_member(thread, "name"));
	stack_table_thread(thread, &labels);
	if (unit)
		labels.unit = text_name(s, unit, strlen(unit));
	return text_label(s, &labels);
}

static void read_thread(struct text_stacks *s, struct json thread, struct json shared)
{
	enum { NS_PER_MS_POWER = 6 };
	struct profile_tables t = { .stacks.s = s };
	struct json samples = json_member(thread, "samples"), stacks = json_member(samples, "stack"), stack, weight;
	struct json weights = json_member(samples, "weight");
	struct json type = json_member(samples, "weightType");
	bool is_time = json_is(type, "tracing-ms");
	uint32_t labels = labels_of(s, thread, is_time ? "ns" : json_is(type, "bytes") ? "bytes" : NULL);

	if (!weights.at || *weights.at != '[')
		weights = (struct json){ 0 };
	read_tables(&t, thread, shared);
	while (json_next_item(&stacks, &stack)) {
		struct text_value value = { 1, 0 };

		if (weights.at && (!json_next_item(&weights, &weight) ||
				   !json_value(s, weight, is_time ? NS_PER_MS_POWER : 0, &value))) {
			text_wrong(s, stack.at, "a sample without a weight of 0 or more");
			continue;
		}
		stack_table_sample(&t.stacks, stack, &value, labels, frame_of, &t);
	}
	if (stacks.at)
		json_check_end(s, stacks, ']');
	free_tables(&t);
}

static void parse(const struct text_part *part)
{
	struct json all = json_make(part->text, part->len), shared = json_member(all, "shared");
	struct json threads = json_member(all, "threads"), thread;

	while (json_next_item(&threads, &thread))
		read_thread(part->out, thread, shared);
	json_check_end(part->out, threads, ']');
}

static enum sniffed sniff(const char *text, size_t len)
{
	return json_begins(text, len, "preprocessedProfileVersion") ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format firefox_format = {
	.name = "firefox",
	.holds = "stacks and values",
	.wanted = "a sample of a processed profile",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS,
	.sniff = sniff,
	.parse = parse,
};
