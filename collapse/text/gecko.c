/* gecko: profiles as Gecko writes them, before the Firefox Profiler processes them; also by MOZ_PROFILER_SHUTDOWN, and by
 * perf script gecko (github.com/firefox-devtools/profiler/blob/main/docs-developer/gecko-profile-format.md):
 *
 *     {"meta": {"version": 27, "interval": 1, "stackwalk": 1, "processType": 0},
 *      "threads": [{"name": "GeckoMain", "pid": 12, "tid": 13,
 *          "samples": {"schema": {"stack": 0, "time": 1}, "data": [[1, 5.25], [null, 6.25]]},
 *          "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1]]},
 *          "frameTable": {"schema": {"location": 0}, "data": [[0], [1]]},
 *          "stringTable": ["(root)", "read (in libc.so.6)"]}],
 *      "processes": [a profile of each other process]}
 *
 * Each sample counts 1. */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/span.h"
#include "core/memory.h"

enum { DEPTH_MAX = 100000, PROCESS_DEPTH_MAX = 8 };

/* The tables of a thread. */
struct gecko_thread {
	struct text_stacks *s;
	uint64_t *prefix, *frame, *location; /* by stack, by stack, by frame; UINT64_MAX: none */
	size_t prefix_count, frame_count, location_count;
	struct json *strings; /* [string_count] */
	size_t string_count;
	uint32_t *stacks; /* [frame_count]: numbers of text_stack(), ... */
	bool *made;       /* ... if made */
};

/* The item of a row, by its column; {0}: the row is shorter. */
static struct json cell(struct json row, uint64_t column)
{
	struct json item;

	while (json_next_item(&row, &item)) {
		if (!column--)
			return item;
	}
	return (struct json){ 0 };
}

static uint64_t column_of(struct json table, const char *name)
{
	uint64_t column;

	return json_u64(json_member(json_member(table, "schema"), name), &column) ? column : UINT64_MAX;
}

/* A column of whole numbers; what is not one is UINT64_MAX.  The caller frees them. */
static uint64_t *column(struct json table, const char *name, size_t *count)
{
	struct json rows = json_member(table, "data"), row;
	uint64_t at = column_of(table, name), *numbers = NULL, n;
	size_t cap = 0;

	*count = 0;
	while (json_next_item(&rows, &row)) {
		numbers = xgrow(numbers, &cap, *count + 1, sizeof(*numbers));
		numbers[(*count)++] = json_u64(cell(row, at), &n) ? n : UINT64_MAX;
	}
	return numbers;
}

/* "read (in libc.so.6)", "go (https://example.com/app.js:12:3)": what is in parentheses is where the function is. */
static struct text_span function_of(struct text_span location)
{
	size_t open = span_find(location, " (");
	struct text_span where = span_after(location, open < location.len ? open + 2 : location.len);

	if (!open || !span_ends(where, ")"))
		return location;
	if (span_begins(where, "in ") || span_has(where, ":") || span_has(where, "/"))
		return (struct text_span){ location.text, open };
	return location;
}

static uint32_t frame_of(const struct gecko_thread *t, uint64_t stack)
{
	uint64_t frame = t->frame[stack];
	uint64_t location = frame < t->location_count ? t->location[frame] : UINT64_MAX;
	struct str text = { 0 };
	struct text_span name = { "[unknown]", 9 };
	uint32_t number;

	if (location < t->string_count && json_text(t->strings[location], &text) && text.len)
		name = function_of((struct text_span){ text.buf, text.len });
	number = text_frame(t->s, TEXT_PLAIN, name.text, name.len);
	str_free(&text);
	return number;
}

static uint32_t stack_of(struct gecko_thread *t, uint64_t stack)
{
	struct str frames = { 0 };
	size_t count = 0;

	if (t->made[stack])
		return t->stacks[stack];
	for (uint64_t at = stack; at < t->frame_count && count < DEPTH_MAX; count++) {
		uint32_t frame = frame_of(t, at);

		str_add(&frames, (const char *)&frame, sizeof(frame));
		at = at < t->prefix_count ? t->prefix[at] : UINT64_MAX;
	}
	t->stacks[stack] = text_stack_leaf_first(t->s, (uint32_t *)(void *)frames.buf, count);
	t->made[stack] = true;
	str_free(&frames);
	return t->stacks[stack];
}

static uint32_t labels_of(struct text_stacks *s, struct json thread)
{
	struct text_labels labels = TEXT_NO_LABELS;
	uint64_t pid, tid;

	labels.comm = json_name(s, json_member(thread, "name"));
	if (json_u64(json_member(thread, "tid"), &tid) && tid <= INT32_MAX)
		labels.pid = labels.tid = (int32_t)tid;
	if (json_u64(json_member(thread, "pid"), &pid) && pid <= INT32_MAX)
		labels.pid = (int32_t)pid;
	labels.tid = labels.tid < 0 ? labels.pid : labels.tid;
	return text_label(s, &labels);
}

static void read_samples(struct gecko_thread *t, struct json samples, uint32_t labels)
{
	struct json rows = json_member(samples, "data"), row, stack;
	uint64_t at = column_of(samples, "stack"), number;
	const struct text_value one = { 1, 0 };

	while (json_next_item(&rows, &row)) {
		stack = cell(row, at);
		if (!stack.at || *stack.at == 'n') /* null: the thread had none */
			continue;
		if (!json_u64(stack, &number) || number >= t->frame_count)
			text_wrong(t->s, stack.at, "a stack that is not in the table");
		else
			fold_add_text(t->s, &(struct text_sample){
						    .values = &one, .stack = stack_of(t, number), .labels = labels });
	}
	if (rows.at)
		json_check_end(t->s, rows, ']');
}

static void read_thread(struct text_stacks *s, struct json thread)
{
	struct json stacks = json_member(thread, "stackTable"), strings = json_member(thread, "stringTable"), item;
	struct gecko_thread t = { .s = s };
	size_t cap = 0;

	t.prefix = column(stacks, "prefix", &t.prefix_count);
	t.frame = column(stacks, "frame", &t.frame_count);
	t.location = column(json_member(thread, "frameTable"), "location", &t.location_count);
	while (json_next_item(&strings, &item)) {
		t.strings = xgrow(t.strings, &cap, t.string_count + 1, sizeof(*t.strings));
		t.strings[t.string_count++] = item;
	}
	t.stacks = xcalloc(t.frame_count + 1, sizeof(*t.stacks));
	t.made = xcalloc(t.frame_count + 1, sizeof(*t.made));
	read_samples(&t, json_member(thread, "samples"), labels_of(s, thread));
	free(t.prefix);
	free(t.frame);
	free(t.location);
	free(t.strings);
	free(t.stacks);
	free(t.made);
}

static void read_process(struct text_stacks *s, struct json process, int depth)
{
	struct json threads = json_member(process, "threads"), others = json_member(process, "processes"), item;

	while (json_next_item(&threads, &item))
		read_thread(s, item);
	json_check_end(s, threads, ']');
	while (json_next_item(&others, &item)) {
		if (depth < PROCESS_DEPTH_MAX)
			read_process(s, item, depth + 1);
		else
			text_wrong(s, item.at, "processes in processes, too many");
	}
}

static void parse(const struct text_part *part)
{
	read_process(part->out, json_make(part->text, part->len), 0);
}

static enum sniffed sniff(const char *text, size_t len)
{
	static const char *const words[] = { "meta", "version", "interval", "stackwalk", "processType" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!json_begins(text, len, words[i]))
			return SNIFF_NO;
	}
	return json_begins(text, len, "preprocessedProfileVersion") ? SNIFF_NO : SNIFF_SURE;
}

const struct input_format gecko_format = {
	.name = "gecko",
	.holds = "stacks and values",
	.wanted = "a sample of a Gecko profile",
	.has = TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS,
	.sniff = sniff,
	.parse = parse,
};
