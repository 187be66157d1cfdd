/* firefox: processed profiles of the Firefox Profiler, as samply and others write them, too
 * (github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md):
 *
 *     {"meta": {"interval": 1, "preprocessedProfileVersion": 58},
 *      "threads": [{"name": "main", "pid": "12", "tid": 13,
 *          "samples": {"stack": [1, null], "weight": [3, 1], "weightType": "samples"},
 *          "stackTable": {"frame": [0, 1], "prefix": [null, 0]}, "frameTable": {"func": [0, 1], "inlineDepth": [0, 0]},
 *          "funcTable": {"name": [0, 1]}, "stringArray": ["main", "read"]}]}
 *
 * Since version 56 the strings, since 60 all tables may be those of "shared". */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "core/memory.h"

enum { DEPTH_MAX = 100000 };

/* The tables of a thread. */
struct profile_tables {
	struct text_stacks *s;
	uint64_t *stack_frame, *stack_prefix, *frame_function, *inline_depth, *function_name;
	size_t stack_count, prefix_count, frame_count, inline_count, function_count;
	struct json *strings; /* [string_count] */
	size_t string_count;
	uint32_t *stacks; /* [stack_count]: numbers of text_stack(), ... */
	bool *made;       /* ... if made */
};

static struct json table(struct json thread, struct json shared, const char *name)
{
	struct json own = json_member(thread, name);

	return own.at ? own : json_member(shared, name);
}

static void read_strings(struct profile_tables *t, struct json thread, struct json shared)
{
	struct json array = table(thread, shared, "stringArray"), item;
	size_t cap = 0;

	if (!array.at)
		array = json_member(thread, "stringTable");
	while (json_next_item(&array, &item)) {
		t->strings = xgrow(t->strings, &cap, t->string_count + 1, sizeof(*t->strings));
		t->strings[t->string_count++] = item;
	}
}

static void read_tables(struct profile_tables *t, struct json thread, struct json shared)
{
	struct json stacks = table(thread, shared, "stackTable"), frames = table(thread, shared, "frameTable");

	t->stack_frame = json_numbers(json_member(stacks, "frame"), &t->stack_count);
	t->stack_prefix = json_numbers(json_member(stacks, "prefix"), &t->prefix_count);
	t->frame_function = json_numbers(json_member(frames, "func"), &t->frame_count);
	t->inline_depth = json_numbers(json_member(frames, "inlineDepth"), &t->inline_count);
	t->function_name = json_numbers(json_member(table(thread, shared, "funcTable"), "name"), &t->function_count);
	read_strings(t, thread, shared);
	t->stacks = xcalloc(t->stack_count + 1, sizeof(*t->stacks));
	t->made = xcalloc(t->stack_count + 1, sizeof(*t->made));
}

static void free_tables(struct profile_tables *t)
{
	free(t->stack_frame);
	free(t->stack_prefix);
	free(t->frame_function);
	free(t->inline_depth);
	free(t->function_name);
	free(t->strings);
	free(t->stacks);
	free(t->made);
}

static uint32_t frame_of(const struct profile_tables *t, uint64_t stack)
{
	uint64_t frame = t->stack_frame[stack];
	uint64_t function = frame < t->frame_count ? t->frame_function[frame] : UINT64_MAX;
	uint64_t name = function < t->function_count ? t->function_name[function] : UINT64_MAX;
	uint64_t depth = frame < t->inline_count ? t->inline_depth[frame] : 0;
	enum text_kind kind = depth && depth != UINT64_MAX ? TEXT_INLINED : TEXT_PLAIN;

	return json_frame(t->s, kind, name < t->string_count ? t->strings[name] : (struct json){ 0 }, "[unknown]");
}

static uint32_t stack_of(struct profile_tables *t, uint64_t stack)
{
	struct str frames = { 0 };
	uint32_t *items;
	size_t count = 0;

	if (t->made[stack])
		return t->stacks[stack];
	for (uint64_t at = stack; at < t->stack_count && count < DEPTH_MAX; count++) {
		uint32_t frame = frame_of(t, at);

		str_add(&frames, (const char *)&frame, sizeof(frame));
		at = at < t->prefix_count ? t->stack_prefix[at] : UINT64_MAX;
	}
	items = (uint32_t *)(void *)frames.buf;
	t->stacks[stack] = text_stack_leaf_first(t->s, items, count);
	t->made[stack] = true;
	str_free(&frames);
	return t->stacks[stack];
}

static uint32_t labels_of(struct text_stacks *s, struct json thread, bool is_time)
{
	struct text_labels labels = TEXT_NO_LABELS;
	uint64_t pid, tid;

	labels.comm = json_thread_name(s, json_member(thread, "name"));
	if (json_u64(json_member(thread, "tid"), &tid) && tid <= INT32_MAX)
		labels.pid = labels.tid = (int32_t)tid;
	if (json_u64(json_member(thread, "pid"), &pid) && pid <= INT32_MAX)
		labels.pid = (int32_t)pid;
	labels.tid = labels.tid < 0 ? labels.pid : labels.tid;
	if (is_time)
		labels.unit = text_name(s, "ns", 2);
	return text_label(s, &labels);
}

static void read_thread(struct text_stacks *s, struct json thread, struct json shared)
{
	enum { NS_PER_MS_POWER = 6 };
	struct profile_tables t = { .s = s };
	struct json samples = json_member(thread, "samples"), stacks = json_member(samples, "stack"), stack, weight;
	struct json weights = json_member(samples, "weight");
	bool is_time = json_is(json_member(samples, "weightType"), "tracing-ms");
	uint32_t labels = labels_of(s, thread, is_time);
	uint64_t number;

	if (!weights.at || *weights.at != '[')
		weights = (struct json){ 0 };
	read_tables(&t, thread, shared);
	while (json_next_item(&stacks, &stack)) {
		struct text_value value = { 1, 0 };

		if (weights.at && (!json_next_item(&weights, &weight) ||
				   !json_scaled(weight, is_time ? NS_PER_MS_POWER : 0, &value.whole))) {
			text_wrong(s, stack.at, "a sample without a weight of 0 or more");
			continue;
		}
		if (stack.at < stack.end && *stack.at == 'n') /* null: the thread had none */
			continue;
		if (!json_scaled(stack, 0, &number) || number >= t.stack_count)
			text_wrong(s, stack.at, "a stack that is not in the table");
		else
			fold_add_text(s, &(struct text_sample){
						 .values = &value, .stack = stack_of(&t, number), .labels = labels });
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
