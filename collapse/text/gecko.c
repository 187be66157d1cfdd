/* gecko: profiles as Gecko writes them, before the Firefox Profiler processes them, for example with
 * MOZ_PROFILER_SHUTDOWN; also of perf script gecko
 * (github.com/firefox-devtools/profiler/blob/main/docs-developer/gecko-profile-format.md):
 *
 *     {"meta": {"version": 27, "interval": 1, "stackwalk": 1, "processType": 0},
 *      "threads": [{"name": "GeckoMain", "pid": 12, "tid": 13,
 *          "samples": {"schema": {"stack": 0, "time": 1}, "data": [[1, 5.25], [null, 6.25]]},
 *          "stackTable": {"schema": {"prefix": 0, "frame": 1}, "data": [[null, 0], [0, 1]]},
 *          "frameTable": {"schema": {"location": 0}, "data": [[0], [1]]},
 *          "stringTable": ["(root)", "read (in libc.so.6)"]}],
 *      "processes": [a profile of each other process]}
 *
 * Up to version 4, of 2016, "libs" stands first, a string that may be longer than the sniffed text, and profiles of
 * other processes are strings among the threads.  Versions before 3, whose samples are not in tables, are not read.
 *
 * Recordings of Firefox's own performance panel, up to Firefox 88, have this as their member "profile".
 * Each sample counts 1.  Times are in ms after "startTime" of the process' "meta", which is that of the wall clock. */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/span.h"
#include "collapse/parse/stack_table.h"
#include "core/memory.h"

enum { PROCESS_DEPTH_MAX = 8 };

static const char too_deep[] = "processes in processes, too many";

/* The tables of a thread. */
struct gecko_thread {
	struct stack_table stacks;
	uint64_t *location, *line; /* [location_count], [line_count], by frame; UINT64_MAX: none */
	size_t location_count, line_count;
};

/* The item of a row in a column; {0}: the row is too short. */
static struct json cell(struct json row, uint64_t column)
{
	struct json item;

	while (json_next_item(&row, &item)) {
		if (!column--)
			return item;
	}
	return (struct json){ 0 };
}

static uint64_t gecko_column_of(struct json table, const char *name)
{
	uint64_t column;

	return json_u64(json_member(json_member(table, "schema"), name), &column) ? column : UINT64_MAX;
}

/* A column of whole numbers; other items are UINT64_MAX.  The caller frees the list. */
static uint64_t *column(struct json table, const char *name, size_t *count)
{
	struct json rows = json_member(table, "data"), row;
	uint64_t at = gecko_column_of(table, name), *numbers = NULL, n;
	size_t cap = 0;

	*count = 0;
	while (json_next_item(&rows, &row)) {
		numbers = xgrow(numbers, &cap, *count + 1, sizeof(*numbers));
		numbers[(*count)++] = json_u64(cell(row, at), &n) ? n : UINT64_MAX;
	}
	return numbers;
}

/* Remove the numbers from "app.js:12:3"; the first one is the line. */
static void take_numbers(struct text_span *where, uint32_t *line)
{
	uint64_t number;

	for (int i = 0; i < 2; i++) {
		size_t colon = span_last(*where, ':');
		struct text_span rest = span_after(*where, colon + (colon < where->len));

		if (!span_number(&rest, UINT32_MAX, &number) || rest.len)
			return;
		*line = (uint32_t)number;
		where->len = colon;
	}
}

/* Split "read (in libc.so.6)", "go (https://example.com/app.js:12:3)": the function, and its place in the
 * parentheses. */
static struct text_span gecko_function_of(struct text_span location, struct text_source *at)
{
	size_t open = span_opening(location);
	struct text_span where = span_after(location, open + (open < location.len));

	if (open < 2 || open == location.len || location.text[open - 1] != ' ')
		return location;
	if (!span_begins(where, "in ") && !span_has(where, ":") && !span_has(where, "/"))
		return location;
	where.len--;
	if (!span_skip(&where, "in "))
		take_numbers(&where, &at->line);
	at->file = where.text;
	at->len = where.len;
	return (struct text_span){ location.text, open - 1 };
}

/* The frame's number.  Its line is the one that ran, not the first line of the function. */
static uint32_t gecko_frame_of(const void *thread, uint64_t frame)
{
	const struct gecko_thread *t = thread;
	uint64_t location = frame < t->location_count ? t->location[frame] : UINT64_MAX;
	uint64_t line = frame < t->line_count ? t->line[frame] : UINT64_MAX;
	struct str room = { 0 };
	struct text_span text = { 0 }, name = { "[unknown]", 9 };
	struct text_source at = { 0 };
	uint32_t number;

	if (location < t->stacks.string_count)
		json_span(t->stacks.strings[location], &room, &text.text, &text.len);
	if (text.len)
		name = gecko_function_of(text, &at);
	at.line = line <= UINT32_MAX ? (uint32_t)line : at.line;
	number = text_frame_at(t->stacks.s, TEXT_PLAIN, name.text, name.len, at);
	str_free(&room);
	return number;
}

static uint32_t gecko_labels_of(struct text_stacks *s, struct json thread)
{
	struct text_labels labels = TEXT_NO_LABELS;

	labels.comm = json_name(s, json_member(thread, "name"));
	stack_table_thread(thread, &labels);
	return text_label(s, &labels);
}

static void gecko_read_samples(struct gecko_thread *t, struct json samples, uint32_t labels, uint64_t start_ns)
{
	struct json rows = json_member(samples, "data"), row, stack;
	uint64_t at = gecko_column_of(samples, "stack"), time = gecko_column_of(samples, "time");
	const struct text_value one = { 1, 0 };
	struct text_sample sample = { .time_ns = start_ns, .values = &one, .labels = labels };

	if (samples.at && *samples.at == '[')
		text_wrong(t->stacks.s, samples.at,
			   "samples of a version before 3 (Firefox 40 and older), which is not read: record anew");
	while (json_next_item(&rows, &row)) {
		stack = cell(row, at);
		sample.time_ns = stack_table_time(cell(row, time), start_ns, sample.time_ns);
		if (stack.at)
			stack_table_sample(&t->stacks, stack, sample, gecko_frame_of, t);
	}
	if (rows.at)
		json_check_end(t->stacks.s, rows, ']');
}

static void gecko_read_thread(struct text_stacks *s, struct json thread, uint64_t start_ns)
{
	struct json stacks = json_member(thread, "stackTable");
	struct gecko_thread t = { .stacks.s = s };

	t.stacks.prefix = column(stacks, "prefix", &t.stacks.prefix_count);
	t.stacks.frame = column(stacks, "frame", &t.stacks.count);
	t.location = column(json_member(thread, "frameTable"), "location", &t.location_count);
	t.line = column(json_member(thread, "frameTable"), "line", &t.line_count);
	stack_table_strings(&t.stacks, json_member(thread, "stringTable"));
	gecko_read_samples(&t, json_member(thread, "samples"), gecko_labels_of(s, thread), start_ns);
	stack_table_free(&t.stacks);
	free(t.location);
	free(t.line);
}

static void gecko_read_process(struct text_stacks *s, struct json process, int depth);

/* Read a profile of another process, which is a string.  Messages refer to places in the string's text. */
static void read_quoted(struct text_stacks *s, struct json quoted, int depth)
{
	const struct text_part *part = s->part;
	struct text_part inner = *part;
	struct str text = { 0 };

	if (json_text(quoted, &text) && text.len) {
		inner.text = text.buf;
		inner.len = text.len;
		s->part = &inner;
		gecko_read_process(s, json_make(text.buf, text.len), depth);
		s->part = part;
	}
	str_free(&text);
}

static void gecko_read_process(struct text_stacks *s, struct json process, int depth)
{
	struct json threads = json_member(process, "threads"), others = json_member(process, "processes"), item;
	uint64_t start_ns = stack_table_start(process);

	while (json_next_item(&threads, &item)) {
		if (item.at == item.end || *item.at != '"')
			gecko_read_thread(s, item, start_ns);
		else if (depth < PROCESS_DEPTH_MAX)
			read_quoted(s, item, depth + 1);
		else
			text_wrong(s, item.at, too_deep);
	}
	json_check_end(s, threads, ']');
	while (json_next_item(&others, &item)) {
		if (depth < PROCESS_DEPTH_MAX)
			gecko_read_process(s, item, depth + 1);
		else
			text_wrong(s, item.at, too_deep);
	}
}

static void gecko_parse(const struct text_part *part)
{
	struct json all = json_make(part->text, part->len), inner = json_member(all, "profile");

	gecko_read_process(part->out, inner.at && !json_member(all, "threads").at ? inner : all, 0);
}

/* {"libs":"[{\"start\":1,\"end\":2,\"name\":\"libxul.so\",\"breakpadId\":\"AB0\"}, ... */
static bool begins_with_libs(const char *text, size_t len)
{
	struct json rest = json_make(text, len), libs;
	struct str key = { 0 };
	bool first = json_next_member(&rest, &key, &libs) && !strcmp(str_text(&key), "libs");

	str_free(&key);
	return first && libs.at < libs.end && *libs.at == '"' && memmem(text, len, "\\\"breakpadId\\\"", 14);
}

static enum sniffed gecko_sniff(const char *text, size_t len)
{
	static const char *const words[] = { "meta", "version", "interval", "stackwalk", "processType" };

	if (begins_with_libs(text, len))
		return SNIFF_SURE;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (!json_begins(text, len, words[i]))
			return SNIFF_NO;
	}
	return json_begins(text, len, "preprocessedProfileVersion") ? SNIFF_NO : SNIFF_SURE;
}

const struct input_format gecko_format = {
	.name = "gecko",
	.holds = "stacks, times and values",
	.wanted = "a sample of a Gecko profile",
	.has = TEXT_IS_JSON | TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_TIMES |
	       TEXT_HAS_FILES | TEXT_HAS_LINES,
	.nameless = "open it in the Firefox Profiler on the machine that ran it, and save it from there",
	.sniff = gecko_sniff,
	.parse = gecko_parse,
};
