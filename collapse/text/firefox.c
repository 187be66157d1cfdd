/* firefox: processed profiles of the Firefox Profiler, as samply and others write them, too
 * (github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md):
 *
 *     {"meta": {"interval": 1, "preprocessedProfileVersion": 58},
 *      "threads": [{"name": "main", "pid": "12", "tid": 13,
 *          "samples": {"stack": [1, null], "time": [5.25, 6.25], "weight": [3, 1], "weightType": "samples"},
 *          "stackTable": {"frame": [0, 1], "prefix": [null, 0]},
 *          "frameTable": {"func": [0, 1], "inlineDepth": [0, 0], "line": [7, null]},
 *          "funcTable": {"name": [0, 1], "fileName": [2, null], "lineNumber": [5, null], "resource": [-1, 0]},
 *          "resourceTable": {"name": [3]}, "stringArray": ["main", "read", "/srv/app.js", "libc.so.6"]}]}
 *
 * weightType is samples, bytes or tracing-ms.  From version 56 on, the strings may be in "shared", and from version 60
 * on, all tables.  A function's file may also be the "filename" of its "source" in the table "sources"; for a function
 * of a library, the library is its resource.
 *
 * Times are in ms after "startTime" of "meta", a wall-clock time; in place of times, there may be "timeDeltas", the
 * differences from sample to sample. */
#include <stdlib.h>
#include <string.h>

#include "collapse/parse/format.h"
#include "collapse/parse/json_input.h"
#include "collapse/parse/stack_table.h"

/* A column of a table, with a number for each row; UINT64_MAX: the row has none. */
struct cells {
	uint64_t *items; /* [count] */
	size_t count;
};

/* The tables of a thread. */
struct profile_tables {
	struct stack_table stacks;
	struct cells frame_function, inline_depth, frame_line;
	struct cells function_name, function_file, function_line, function_source, function_resource;
	struct cells source_file, resource_name;
};

static struct json table(struct json thread, struct json shared, const char *name)
{
	struct json own = json_member(thread, name);

	return own.at ? own : json_member(shared, name);
}

/* Call this for each column. */
static void firefox_each_column(struct profile_tables *t, struct json thread, struct json shared,
				void (*call)(struct cells *column, struct json table, const char *name))
{
	struct json frames = table(thread, shared, "frameTable"), functions = table(thread, shared, "funcTable");

	call(&t->frame_function, frames, "func");
	call(&t->inline_depth, frames, "inlineDepth");
	call(&t->frame_line, frames, "line");
	call(&t->function_name, functions, "name");
	call(&t->function_file, functions, "fileName");
	call(&t->function_line, functions, "lineNumber");
	call(&t->function_source, functions, "source");
	call(&t->function_resource, functions, "resource");
	call(&t->source_file, table(thread, shared, "sources"), "filename");
	call(&t->resource_name, table(thread, shared, "resourceTable"), "name");
}

static void read_column(struct cells *column, struct json table, const char *name)
{
	column->items = json_numbers(json_member(table, name), &column->count);
}

static void free_column(struct cells *column, struct json table, const char *name)
{
	(void)table, (void)name;
	free(column->items);
}

static void firefox_read_tables(struct profile_tables *t, struct json thread, struct json shared)
{
	struct json stacks = table(thread, shared, "stackTable"), strings = table(thread, shared, "stringArray");

	t->stacks.frame = json_numbers(json_member(stacks, "frame"), &t->stacks.count);
	t->stacks.prefix = json_numbers(json_member(stacks, "prefix"), &t->stacks.prefix_count);
	firefox_each_column(t, thread, shared, read_column);
	stack_table_strings(&t->stacks, strings.at ? strings : json_member(thread, "stringTable"));
}

static void free_tables(struct profile_tables *t)
{
	stack_table_free(&t->stacks);
	firefox_each_column(t, (struct json){ 0 }, (struct json){ 0 }, free_column);
}

static uint64_t cell_of(const struct cells *column, uint64_t row)
{
	return row < column->count ? column->items[row] : UINT64_MAX;
}

static struct json string_at(const struct profile_tables *t, uint64_t number)
{
	return number < t->stacks.string_count ? t->stacks.strings[number] : (struct json){ 0 };
}

/* The source file, or else the library. */
static struct json firefox_file_of(const struct profile_tables *t, uint64_t function)
{
	struct json file = string_at(t, cell_of(&t->function_file, function));

	if (!file.at)
		file = string_at(t, cell_of(&t->source_file, cell_of(&t->function_source, function)));
	if (!file.at)
		file = string_at(t, cell_of(&t->resource_name, cell_of(&t->function_resource, function)));
	return file;
}

static uint32_t firefox_frame_of(const void *tables, uint64_t frame)
{
	const struct profile_tables *t = tables;
	uint64_t function = cell_of(&t->frame_function, frame), line = cell_of(&t->frame_line, frame);
	uint64_t depth = cell_of(&t->inline_depth, frame);
	enum text_kind kind = depth && depth != UINT64_MAX ? TEXT_INLINED : TEXT_PLAIN;

	if (line == UINT64_MAX)
		line = cell_of(&t->function_line, function);
	return json_frame_at(t->stacks.s, kind, string_at(t, cell_of(&t->function_name, function)), "[unknown]",
			     firefox_file_of(t, function), line > UINT32_MAX ? 0 : (uint32_t)line);
}

static uint32_t firefox_labels_of(struct text_stacks *s, struct json thread, const char *unit)
{
	struct text_labels labels = TEXT_NO_LABELS;

	labels.comm = json_thread_name(s, json_member(thread, "name"));
	stack_table_thread(thread, &labels);
	if (unit)
		labels.unit = text_name(s, unit, strlen(unit));
	return text_label(s, &labels);
}

/* The time of the next sample; moves on in times or deltas. */
static uint64_t firefox_next_time(struct json *times, struct json *deltas, uint64_t start_ns, uint64_t before_ns)
{
	struct json time;

	if (json_next_item(times, &time))
		return stack_table_time(time, start_ns, before_ns);
	return json_next_item(deltas, &time) ? stack_table_time(time, before_ns, before_ns) : before_ns;
}

static void firefox_read_thread(struct text_stacks *s, struct json thread, struct json shared, uint64_t start_ns)
{
	enum { MS_POWER = 6 };
	struct profile_tables t = { .stacks.s = s };
	struct json samples = json_member(thread, "samples"), stacks = json_member(samples, "stack"), stack, weight;
	struct json weights = json_member(samples, "weight"), type = json_member(samples, "weightType");
	struct json times = json_member(samples, "time"), deltas = json_member(samples, "timeDeltas");
	bool is_time = json_is(type, "tracing-ms");
	struct text_value value;
	struct text_sample sample = { .time_ns = start_ns, .values = &value };

	sample.labels = firefox_labels_of(s, thread, is_time ? "ns" : json_is(type, "bytes") ? "bytes" : NULL);
	if (!weights.at || *weights.at != '[')
		weights = (struct json){ 0 };
	firefox_read_tables(&t, thread, shared);
	while (json_next_item(&stacks, &stack)) {
		sample.time_ns = firefox_next_time(&times, &deltas, start_ns, sample.time_ns);
		value = (struct text_value){ 1, 0 };
		if (weights.at &&
		    (!json_next_item(&weights, &weight) || !json_value(s, weight, is_time ? MS_POWER : 0, &value))) {
			text_wrong(s, stack.at, "a sample without a weight");
			continue;
		}
		stack_table_sample(&t.stacks, stack, sample, firefox_frame_of, &t);
	}
	if (stacks.at)
		json_check_end(s, stacks, ']');
	free_tables(&t);
}

static void firefox_parse(const struct text_part *part)
{
	struct json all = json_make(part->text, part->len), shared = json_member(all, "shared");
	struct json threads = json_member(all, "threads"), thread;
	uint64_t start_ns = stack_table_start(all);

	while (json_next_item(&threads, &thread))
		firefox_read_thread(part->out, thread, shared, start_ns);
	json_check_end(part->out, threads, ']');
}

static enum sniffed firefox_sniff(const char *text, size_t len)
{
	return json_begins(text, len, "preprocessedProfileVersion") ? SNIFF_SURE : SNIFF_NO;
}

const struct input_format firefox_format = {
	.name = "firefox",
	.holds = "stacks, times and values",
	.wanted = "a sample of a processed profile",
	.has = TEXT_IS_JSON | TEXT_HAS_STACKS | TEXT_HAS_COMMS | TEXT_HAS_PIDS | TEXT_HAS_TIDS | TEXT_HAS_TIMES |
	       TEXT_HAS_FILES | TEXT_HAS_LINES | TEXT_HAS_SPANS,
	.nameless = "open it in the Firefox Profiler with the symbols at hand, and save it from there; samply writes "
		    "names with "
		    "--unstable-presymbolicate",
	.sniff = firefox_sniff,
	.parse = firefox_parse,
};
