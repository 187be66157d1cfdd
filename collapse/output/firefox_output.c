/* firefox: a profile of the Firefox Profiler (profiler.firefox.com), in its processed format, version 60
 * (docs-developer/CHANGELOG-formats.md of firefox-devtools/profiler); newer profilers upgrade it.
 *
 *     meta     what was recorded; start in wall-clock time; schemas of markers; facts of the recording
 *     threads  samples and, for spans with a time, markers; both refer to tables by number
 *     shared   stacks, frames, functions, strings
 *
 * A stack is a frame and the stack of its callers.  Times are ms after the start.  Samples without a time are laid out
 * one after the other. */
#include <stdlib.h>
#include <string.h>

#include "collapse/output/by_thread.h"
#include "collapse/output/facts.h"
#include "collapse/output/line_view.h"
#include "collapse/output/output_formats.h"
#include "collapse/output/value_types.h"
#include "collapse/wire/json_stream.h"
#include "core/format/folded.h"
#include "core/map.h"
#include "core/memory.h"

/* ---- tables ---------------------------------------------------------------------------- */

/* The tables of stacks, frames, functions and strings, which all threads share.
 *
 *     stack      frame  prefix         a stack is a frame and the stack of its callers
 *       0        main   -
 *       1        read   0
 *
 * Strings are numbered as in the line_view. */

enum firefox_category { FIREFOX_OTHER, FIREFOX_USER, FIREFOX_KERNEL, FIREFOX_JIT, FIREFOX_SPAN };

struct firefox_stack {
	uint32_t frame, prefix; /* prefix: number + 1; 0: none */
};

struct firefox_frame {
	uint32_t name; /* in view.strings */
	bool inlined;
};

/* {0} is valid and empty. */
struct firefox_tables {
	struct map frame_numbers;     /* name, inlined -> number + 1 */
	struct firefox_frame *frames; /* [frame_count]; a function for each */
	size_t frame_count, frame_cap;
	struct map stack_numbers;     /* prefix, frame -> number + 1 */
	struct firefox_stack *stacks; /* [stack_count] */
	size_t stack_count, stack_cap;
};

static const struct {
	const char *name, *colour;
} categories[] = {
	[FIREFOX_OTHER] = { "Other", "grey" },     [FIREFOX_USER] = { "User", "yellow" },
	[FIREFOX_KERNEL] = { "Kernel", "orange" }, [FIREFOX_JIT] = { "JIT", "green" },
	[FIREFOX_SPAN] = { "Spans", "blue" },
};

enum { CATEGORIES = sizeof(categories) / sizeof(*categories) };

struct writing {
	const struct firefox_tables *t;
	const struct line_view *v;
	struct json_stream *json;
};

static uint32_t firefox_tables_frame_number(struct firefox_tables *t, const struct view_frame *f)
{
	uint32_t *number = map_at(&t->frame_numbers, f->name, f->inlined);

	if (!*number) {
		t->frames = xgrow(t->frames, &t->frame_cap, t->frame_count + 1, sizeof(*t->frames));
		t->frames[t->frame_count++] = (struct firefox_frame){ f->name, f->inlined };
		*number = (uint32_t)t->frame_count;
	}
	return *number - 1;
}

/* The number + 1 of the stack that consists of a frame and its callers; prefix is the number + 1 of the callers' stack,
 * or 0. */
static uint32_t firefox_add_frame(struct firefox_tables *t, uint32_t prefix, const struct view_frame *view)
{
	uint32_t frame = firefox_tables_frame_number(t, view);
	uint32_t *number = map_at(&t->stack_numbers, prefix, frame);

	if (!*number) {
		t->stacks = xgrow(t->stacks, &t->stack_cap, t->stack_count + 1, sizeof(*t->stacks));
		t->stacks[t->stack_count++] = (struct firefox_stack){ frame, prefix };
		*number = (uint32_t)t->stack_count;
	}
	return *number;
}

/* Add a column that has the same value in each row. */
static void firefox_same(struct json_stream *j, const char *key, const char *json, size_t count)
{
	json_array(j, key);
	for (size_t i = 0; i < count; i++)
		json_raw(j, NULL, json);
	json_close(j, ']');
}

static enum firefox_category category_of(const struct line_view *v, const struct firefox_frame *f)
{
	static const struct {
		const char *ending;
		enum firefox_category category;
	} endings[] = {
		{ FOLDED_KERNEL_FRAME, FIREFOX_KERNEL }, { FOLDED_JIT_FRAME, FIREFOX_JIT },
		{ FOLDED_QUICK_FRAME, FIREFOX_JIT },     { FOLDED_INTERPRETED_FRAME, FIREFOX_JIT },
		{ FOLDED_PYTHON_FRAME, FIREFOX_JIT },    { FOLDED_WAKER_FRAME, FIREFOX_OTHER },
	};
	const char *name = view_text(v, f->name);
	size_t len = view_len(v, f->name);

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t n = strlen(endings[i].ending);

		if (len > n && !memcmp(name + len - n, endings[i].ending, n))
			return endings[i].category;
	}
	return name[0] == '[' ? FIREFOX_OTHER : FIREFOX_USER;
}

static void add_stack_table(struct writing *w)
{
	json_object(w->json, "stackTable");
	json_number(w->json, "length", w->t->stack_count);
	json_array(w->json, "frame");
	for (size_t i = 0; i < w->t->stack_count; i++)
		json_number(w->json, NULL, w->t->stacks[i].frame);
	json_close(w->json, ']');
	json_array(w->json, "prefix");
	for (size_t i = 0; i < w->t->stack_count; i++) {
		if (w->t->stacks[i].prefix)
			json_number(w->json, NULL, w->t->stacks[i].prefix - 1);
		else
			json_raw(w->json, NULL, "null");
	}
	json_close(w->json, ']');
	json_close(w->json, '}');
}

static void add_frame_table(struct writing *w)
{
	size_t count = w->t->frame_count;

	json_object(w->json, "frameTable");
	json_number(w->json, "length", count);
	firefox_same(w->json, "address", "-1", count);
	json_array(w->json, "inlineDepth");
	for (size_t i = 0; i < count; i++)
		json_number(w->json, NULL, w->t->frames[i].inlined);
	json_close(w->json, ']');
	json_array(w->json, "category");
	for (size_t i = 0; i < count; i++)
		json_number(w->json, NULL, category_of(w->v, &w->t->frames[i]));
	json_close(w->json, ']');
	firefox_same(w->json, "subcategory", "0", count);
	json_array(w->json, "func");
	for (size_t i = 0; i < count; i++)
		json_number(w->json, NULL, i);
	json_close(w->json, ']');
	firefox_same(w->json, "nativeSymbol", "null", count);
	firefox_same(w->json, "innerWindowID", "null", count);
	firefox_same(w->json, "line", "null", count);
	firefox_same(w->json, "column", "null", count);
	json_close(w->json, '}');
}

static void add_func_table(struct writing *w)
{
	size_t count = w->t->frame_count;

	json_object(w->json, "funcTable");
	json_number(w->json, "length", count);
	json_array(w->json, "name");
	for (size_t i = 0; i < count; i++)
		json_number(w->json, NULL, w->t->frames[i].name);
	json_close(w->json, ']');
	firefox_same(w->json, "isJS", "false", count);
	firefox_same(w->json, "relevantForJS", "false", count);
	firefox_same(w->json, "resource", "-1", count);
	firefox_same(w->json, "source", "null", count);
	firefox_same(w->json, "lineNumber", "null", count);
	firefox_same(w->json, "columnNumber", "null", count);
	json_close(w->json, '}');
}

/* Write a table of the format that has no rows here. */
static void add_empty(struct writing *w, const char *key, const char *const *columns)
{
	json_object(w->json, key);
	json_number(w->json, "length", 0);
	for (; *columns; columns++)
		firefox_same(w->json, *columns, "", 0);
	json_close(w->json, '}');
}

/* Add the member "shared". */
static void firefox_tables_write(const struct firefox_tables *t, const struct line_view *v, struct json_stream *json)
{
	struct writing all = { t, v, json }, *w = &all;

	json_object(w->json, "shared");
	add_stack_table(w);
	add_frame_table(w);
	add_func_table(w);
	add_empty(w, "resourceTable", (const char *const[]){ "lib", "name", "host", "type", NULL });
	add_empty(w, "nativeSymbols", (const char *const[]){ "libIndex", "address", "name", "functionSize", NULL });
	add_empty(w, "sources", (const char *const[]){ "uuid", "filename", NULL });
	json_array(w->json, "stringArray");
	for (uint32_t i = 0; i < w->v->strings.count; i++)
		json_sized(w->json, NULL, view_text(w->v, i), view_len(w->v, i));
	json_close(w->json, ']');
	json_close(w->json, '}');
}

/* Add the member "categories". */
static void firefox_categories(struct json_stream *json)
{
	json_array(json, "categories");
	for (size_t i = 0; i < CATEGORIES; i++) {
		json_object(json, NULL);
		json_string(json, "name", categories[i].name);
		json_string(json, "color", categories[i].colour);
		json_array(json, "subcategories");
		json_string(json, NULL, "Other");
		json_close(json, ']');
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void firefox_tables_free(struct firefox_tables *t)
{
	map_free(&t->frame_numbers);
	map_free(&t->stack_numbers);
	free(t->frames);
	free(t->stacks);
	*t = (struct firefox_tables){ 0 };
}

/* ---- threads and their lines ----------------------------------------------------------- */

enum { VERSION = 60, GECKO_VERSION = 29, MS = 6 /* digits: ns to ms */, DEFAULT_INTERVAL = 1000000 };

struct firefox {
	struct json_stream json;
	const struct product *p;
	struct header_facts facts;
	struct line_view view;
	struct by_thread by_thread;
	struct firefox_tables tables;
	uint32_t *stack_of; /* by line: number of its stack + 1; 0: not known yet */
	uint64_t base_ns, interval_ns;
	bool spans;
};

static uint32_t firefox_output_stack_of(struct firefox *w, const struct fold_line *line)
{
	uint32_t *known = &w->stack_of[line - w->p->fold->lines], stack = 0;

	if (*known)
		return *known - 1;
	line_view_of(&w->view, line);
	for (size_t i = 0; i < w->view.frame_count; i++)
		stack = firefox_add_frame(&w->tables, stack, &w->view.frames[i]);
	*known = stack;
	return stack - 1;
}

/* ---- columns of tables ------------------------------------------------------------- */

static void firefox_output_add_time(struct firefox *w, uint64_t ns)
{
	json_decimal(&w->json, NULL, ns > w->base_ns ? ns - w->base_ns : 0, MS);
}

/* ---- samples --------------------------------------------------------------------- */

static void add_stacks_column(struct firefox *w, size_t from, size_t to)
{
	json_array(&w->json, "stack");
	for (size_t i = from; i < to; i++)
		json_number(&w->json, NULL, firefox_output_stack_of(w, by_thread_item(&w->by_thread, i).line));
	json_close(&w->json, ']');
}

static void add_times_column(struct firefox *w, size_t from, size_t to)
{
	uint64_t last_ns = w->base_ns;

	json_array(&w->json, "time");
	for (size_t i = from; i < to; i++) {
		struct item item = by_thread_item(&w->by_thread, i);

		last_ns = item.time_ns != TIMES_NONE ? item.time_ns : last_ns + w->interval_ns;
		firefox_output_add_time(w, last_ns);
	}
	json_close(&w->json, ']');
}

/* Turn ns into ms, the unit of weights of type tracing-ms. */
static void add_weight(struct firefox *w, const struct item *item)
{
	if (!strcmp(w->p->unit, "ns")) {
		json_decimal(&w->json, NULL, item->value, MS);
		return;
	}
	json_begin(&w->json, NULL);
	value_decimal(w->p, 0, item->value, item->more, &w->json.text);
}

static void firefox_output_add_samples(struct firefox *w, size_t from, size_t to)
{
	const char *unit = w->p->unit;

	json_object(&w->json, "samples");
	json_number(&w->json, "length", to - from);
	add_stacks_column(w, from, to);
	add_times_column(w, from, to);
	json_array(&w->json, "weight");
	for (size_t i = from; i < to; i++) {
		struct item item = by_thread_item(&w->by_thread, i);

		add_weight(w, &item);
	}
	json_close(&w->json, ']');
	json_string(&w->json, "weightType",
		    !strcmp(unit, "ns")      ? "tracing-ms"
		    : !strcmp(unit, "bytes") ? "bytes"
					     : "samples");
	json_close(&w->json, '}');
}

/* ---- markers --------------------------------------------------------------------- */

/* The name of a marker, as a string number: the first root frame, or else the leaf. */
static uint32_t marker_name(const struct firefox *w)
{
	return w->view.frames[w->view.root_frames ? 0 : w->view.frame_count - 1].name;
}

/* "type" is the schema's. */
static const char *field_of(const char *root)
{
	return !strcmp(root, "type") ? "kind" : root;
}

static void add_marker_data(struct firefox *w, const struct item *item)
{
	const struct line_view *v = &w->view;

	json_object(&w->json, NULL);
	json_string(&w->json, "type", "span");
	for (size_t i = 0; i < v->label_count; i++) {
		if (v->labels[i].text)
			json_sized(&w->json, field_of(v->labels[i].key), view_text(v, v->labels[i].text),
				   view_len(v, v->labels[i].text));
		else
			json_number(&w->json, field_of(v->labels[i].key), v->labels[i].number);
	}
	json_object(&w->json, "cause");
	json_begin(&w->json, "time");
	w->json.comma = false;
	firefox_output_add_time(w, item->time_ns);
	json_number(&w->json, "stack", firefox_output_stack_of(w, item->line));
	json_close(&w->json, '}');
	json_close(&w->json, '}');
}

enum marker_column { MARKER_DATA, MARKER_NAME, MARKER_START, MARKER_END };

static void add_marker_column(struct firefox *w, const char *key, enum marker_column column, size_t from, size_t to)
{
	json_array(&w->json, key);
	for (size_t i = from; i < to; i++) {
		struct item item = by_thread_item(&w->by_thread, i);

		if (item.time_ns == TIMES_NONE)
			continue;
		line_view_of(&w->view, item.line);
		switch (column) {
		case MARKER_DATA: add_marker_data(w, &item); break;
		case MARKER_NAME: json_number(&w->json, NULL, marker_name(w)); break;
		case MARKER_START: firefox_output_add_time(w, item.time_ns); break;
		case MARKER_END: firefox_output_add_time(w, item_end(&item)); break;
		}
	}
	json_close(&w->json, ']');
}

static void add_markers(struct firefox *w, size_t from, size_t to)
{
	size_t count = 0;
	struct str category = { 0 };

	for (size_t i = from; w->spans && i < to; i++)
		count += by_thread_item(&w->by_thread, i).time_ns != TIMES_NONE;
	to = count ? to : from;
	str_addf(&category, "%d", FIREFOX_SPAN);
	json_object(&w->json, "markers");
	json_number(&w->json, "length", count);
	add_marker_column(w, "data", MARKER_DATA, from, to);
	add_marker_column(w, "name", MARKER_NAME, from, to);
	add_marker_column(w, "startTime", MARKER_START, from, to);
	add_marker_column(w, "endTime", MARKER_END, from, to);
	firefox_same(&w->json, "phase", "1", count); /* an interval */
	firefox_same(&w->json, "category", category.buf, count);
	json_close(&w->json, '}');
	str_free(&category);
}

static void add_markers_schema(struct firefox *w)
{
	static const char *const fields[] = { "thread",  "state",  "wait",      "by",   "waker", "kind", "file",
					      "syscall", "device", "operation", "lock", "owner", "cpu" };

	json_array(&w->json, "markerSchema");
	json_object(&w->json, NULL);
	json_string(&w->json, "name", "span");
	json_string(&w->json, "tooltipLabel", "{marker.name}");
	json_string(&w->json, "tableLabel", "{marker.name}");
	json_array(&w->json, "display");
	json_string(&w->json, NULL, "marker-chart");
	json_string(&w->json, NULL, "marker-table");
	json_string(&w->json, NULL, "timeline-overview");
	json_close(&w->json, ']');
	json_array(&w->json, "fields");
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		json_object(&w->json, NULL);
		json_string(&w->json, "key", fields[i]);
		json_string(&w->json, "label", fields[i]);
		json_string(&w->json, "format", !strcmp(fields[i], "cpu") ? "integer" : "string");
		json_close(&w->json, '}');
	}
	json_close(&w->json, ']');
	json_close(&w->json, '}');
	json_close(&w->json, ']');
}

/* ---- threads --------------------------------------------------------------------- */

static void firefox_output_add_id(struct firefox *w, const char *key, uint64_t id, uint32_t thread, bool text)
{
	json_begin(&w->json, key);
	if (text)
		str_addf(&w->json.text, "\"%llu\"", (unsigned long long)(id != UINT64_MAX ? id : 0));
	else if (id != UINT64_MAX)
		str_add_u64(&w->json.text, id);
	else
		str_addf(&w->json.text, "\"%u\"", thread + 1); /* none: a text that tells it apart */
}

static void firefox_output_add_thread(struct firefox *w, uint32_t thread)
{
	const struct view_thread *t = &w->view.threads[thread];
	size_t from = w->by_thread.starts[thread], to = w->by_thread.starts[thread + 1];
	struct str name = { 0 };

	line_view_thread_name(&w->view, thread, &name);
	json_newline(&w->json);
	json_object(&w->json, NULL);
	json_string(&w->json, "processType", "default");
	json_number(&w->json, "processStartupTime", 0);
	json_raw(&w->json, "processShutdownTime", "null");
	json_number(&w->json, "registerTime", 0);
	json_raw(&w->json, "unregisterTime", "null");
	json_array(&w->json, "pausedRanges");
	json_close(&w->json, ']');
	json_sized(&w->json, "name", str_text(&name), name.len);
	json_raw(&w->json, "isMainThread", t->pid == t->tid && t->pid != UINT64_MAX ? "true" : "false");
	if (t->process)
		json_sized(&w->json, "processName", view_text(&w->view, t->process), view_len(&w->view, t->process));
	firefox_output_add_id(w, "pid", t->pid, thread, true);
	firefox_output_add_id(w, "tid", t->tid, thread, false);
	json_raw(&w->json, "showMarkersInTimeline", w->spans ? "true" : "false");
	firefox_output_add_samples(w, from, to);
	add_markers(w, from, to);
	json_close(&w->json, '}');
	str_free(&name);
}

/* ---- meta ------------------------------------------------------------------------ */

static void firefox_output_add_entry(struct firefox *w, const char *label, const char *value)
{
	json_object(&w->json, NULL);
	json_string(&w->json, "label", label);
	json_string(&w->json, "format", "string");
	json_string(&w->json, "value", value);
	json_close(&w->json, '}');
}

/* The panel "Profile info" shows them. */
static void firefox_output_add_extra(struct firefox *w)
{
	json_array(&w->json, "extra");
	json_object(&w->json, NULL);
	json_string(&w->json, "label", "Recording");
	json_array(&w->json, "entries");
	for (size_t i = 0; i < w->facts.count; i++)
		firefox_output_add_entry(w, w->facts.items[i].key, w->facts.items[i].value);
	for (size_t i = 0; i < w->facts.note_count; i++)
		firefox_output_add_entry(w, "note", w->facts.notes[i]);
	json_close(&w->json, ']');
	json_close(&w->json, '}');
	json_close(&w->json, ']');
}

static void add_product(struct firefox *w)
{
	const char *kernel = facts_get(&w->facts, FOLDED_KERNEL), *command = facts_get(&w->facts, FOLDED_COMMAND);
	struct str name = { 0 }, losses = { 0 };

	facts_title(&w->facts, &name);
	facts_losses(&w->facts, &losses);
	if (losses.len)
		str_addf(&name, " (%s)", losses.buf);
	str_free(&losses);
	json_sized(&w->json, "product", str_text(&name), name.len);
	json_string(&w->json, "importedFrom", "pyrograph " PYROGRAPH_VERSION);
	json_string(&w->json, "platform", "Linux");
	if (kernel) {
		str_clear(&name);
		str_addf(&name, "Linux %s", kernel);
		json_sized(&w->json, "oscpu", name.buf, name.len);
	}
	if (command)
		json_string(&w->json, "arguments", command);
	str_free(&name);
}

static void add_meta(struct firefox *w)
{
	json_object(&w->json, "meta");
	json_number(&w->json, "version", GECKO_VERSION);
	json_number(&w->json, "preprocessedProfileVersion", VERSION);
	json_decimal(&w->json, "interval", w->interval_ns, MS);
	json_decimal(&w->json, "startTime", w->base_ns, MS);
	json_number(&w->json, "processType", 0);
	json_number(&w->json, "stackwalk", 1);
	json_raw(&w->json, "debug", "false");
	add_product(w);
	json_raw(&w->json, "symbolicated", "true");
	json_raw(&w->json, "symbolicationNotSupported", "true");
	json_raw(&w->json, "usesOnlyOneStackType", "true");
	json_raw(&w->json, "sourceCodeIsNotOnSearchfox", "true");
	firefox_categories(&w->json);
	add_markers_schema(w);
	firefox_output_add_extra(w);
	json_close(&w->json, '}');
}

/* ---- the file -------------------------------------------------------------------- */

static void find_base(struct firefox *w)
{
	const struct timed_samples *times = w->p->times;

	w->base_ns = facts_instant(&w->facts, FOLDED_START);
	if (times && times->count && times->items[0].wall_ns != TIMES_NONE)
		w->base_ns = times->items[0].wall_ns;
	w->interval_ns = value_period(&w->facts);
	w->interval_ns = w->interval_ns ? w->interval_ns : DEFAULT_INTERVAL;
}

static void write_firefox(FILE *out, const struct product *p)
{
	struct firefox w = { .json = { .out = out }, .p = p, .spans = p->times && p->spans };

	facts_read(&w.facts, str_text(&p->header));
	line_view_begin(&w.view, p);
	by_thread_make(&w.by_thread, &w.view, p);
	w.stack_of = xcalloc(p->fold->count + 1, sizeof(*w.stack_of));
	find_base(&w);
	json_object(&w.json, NULL);
	add_meta(&w);
	json_array(&w.json, "libs");
	json_close(&w.json, ']');
	json_array(&w.json, "threads");
	for (uint32_t i = 0; i < w.by_thread.thread_count; i++)
		firefox_output_add_thread(&w, i);
	json_close(&w.json, ']');
	json_newline(&w.json);
	firefox_tables_write(&w.tables, &w.view, &w.json);
	json_close(&w.json, '}');
	json_end(&w.json);
	by_thread_free(&w.by_thread);
	line_view_end(&w.view);
	facts_free(&w.facts);
	firefox_tables_free(&w.tables);
	free(w.stack_of);
}

const struct output_format firefox_output = {
	.name = "firefox",
	.endings = ENDINGS(".firefox.json"),
	.spans = true,
	.tables = true,
	.write = write_firefox,
};
