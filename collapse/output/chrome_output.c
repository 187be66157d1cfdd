/* chrome: trace events as JSON ("Trace Event Format"), for Perfetto, chrome://tracing and Chromium's DevTools.
 *
 *     M  names of processes and threads
 *     X  a slice: ts and dur in us, from 1 us before the start of the profile on (otherData.start_ns)
 *     s, f  an arrow, from the waker to the end of the other thread's wait
 *
 * A span is one slice; its stack is an argument.  A sample becomes nested slices, one for each frame; the next sample
 * extends the slices of the frames that it shares.  Samples without times are laid out one after the other, as in a
 * flame graph, with widths that are their values: 1 is 1 us, but ns are ns.  A sample with a time is as wide as the
 * time that it stands for.  The value of a leaf, or of a span, is an argument. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/output/by_thread.h"
#include "collapse/output/facts.h"
#include "collapse/output/output_formats.h"
#include "collapse/output/value_types.h"
#include "collapse/wire/json_stream.h"
#include "core/error.h"
#include "core/memory.h"

/* ---- times of slices ------------------------------------------------------------------- */

/* When a slice begins, and how long it is, in us:
 *
 *     "ts":392774.656,"dur":884781.2710000001      ends at 1277555.927
 *
 * Viewers in JavaScript, such as DevTools, add the two in double precision.  If a slice then ends later than the one
 * around it, even by the last bit, they take it for damaged and drop it.  So where the plain decimals do not add up
 * exactly to the end, the length gets more digits.  Rounded to ns, numbers up to 26 days are exact.  Above 104 days,
 * doubles cannot represent ns, and the decimals stay plain. */

enum {
	US = 3,
	DIGITS_MAX = 17
}; /* numbers of decimals: US shows a time in us to the ns, and no number has more than DIGITS_MAX */

#define LAST_DOUBLE_NS (UINT64_C(1) << 53)

/* The double that JavaScript makes of the decimal: the nearest one. */
static double trace_times_us(uint64_t ns)
{
	return (double)ns / 1000;
}

/* The number that gives `end` when it is added to `start`. */
static double length_us(double start, double end)
{
	double length = end - start;

	while (start + length < end)
		length = nextafter(length, INFINITY);
	while (start + length > end)
		length = nextafter(length, 0);
	return length;
}

static void add_exact_length(struct json_stream *j, double start, double end)
{
	double length = length_us(start, end);
	char text[64];
	int binary, digits;

	frexp(end, &binary);
	digits = (53 - binary) * 3 / 10; /* those that end can tell apart */
	do {
		snprintf(text, sizeof(text), "%.*f", digits, length);
	} while (start + strtod(text, NULL) != end && digits++ < DIGITS_MAX);
	json_raw(j, "dur", text);
}

/* Members ts and dur. */
static void trace_times_add(struct json_stream *j, uint64_t start_ns, uint64_t end_ns)
{
	double start = trace_times_us(start_ns), end = trace_times_us(end_ns);

	json_decimal(j, "ts", start_ns, US);
	if (end_ns > LAST_DOUBLE_NS || start + trace_times_us(end_ns - start_ns) == end)
		json_decimal(j, "dur", end_ns - start_ns, US);
	else
		add_exact_length(j, start, end);
}

enum {
	FIRST_NS = 1000,    /* the first time in the file, because DevTools treats 0 as no time */
	OWN_TIDS = 4194305, /* for items without a tid: larger than any tid (PID_MAX_LIMIT) */
	NO_PROCESS = 0,
	DEFAULT_PERIOD = 1000000, /* ns: the width of a sample if the recording does not tell it */
};

#define NS_PER_US UINT64_C(1000)
#define LAST_NS (UINT64_MAX / 2) /* slices end before that */

/* An open frame, whose slice is written when it closes. */
struct open_frame {
	uint32_t text;
	uint64_t start_ns;
	uint64_t value, fraction; /* value of the samples in which the frame is the leaf */
	bool leaf;
};

struct chrome {
	struct json_stream json;
	const struct product *p;
	struct header_facts facts;
	struct line_view view;
	struct by_thread by_thread;
	struct open_frame *open; /* [depth], of the current thread */
	size_t depth, open_cap;
	uint64_t base_ns, period_ns;
	uint64_t pid, tid; /* of the current track */
	uint64_t own_tids; /* so many were given */
	uint64_t flows, too_wide;
	uint32_t *thread_of_label; /* by number in view.strings: number of the thread with this name + 1 */
	size_t thread_of_label_cap;
};

/* ---- tracks ---------------------------------------------------------------------- */

static void chrome_output_begin_event(struct chrome *w, const char *phase)
{
	json_newline(&w->json);
	json_object(&w->json, NULL);
	json_string(&w->json, "ph", phase);
	json_number(&w->json, "pid", w->pid);
	json_number(&w->json, "tid", w->tid);
}

static void chrome_output_add_name(struct chrome *w, const char *what, const char *name, size_t len)
{
	chrome_output_begin_event(w, "M");
	json_string(&w->json, "name", what);
	json_object(&w->json, "args");
	json_sized(&w->json, "name", name, len);
	json_close(&w->json, '}');
	json_close(&w->json, '}');
}

static uint64_t chrome_output_tid_of(const struct chrome *w, uint32_t thread)
{
	const struct view_thread *t = &w->view.threads[thread];

	return t->tid != UINT64_MAX ? t->tid : (uint64_t)OWN_TIDS + thread;
}

static uint64_t chrome_output_pid_of(const struct chrome *w, uint32_t thread)
{
	uint64_t pid = w->view.threads[thread].pid;

	return pid != UINT64_MAX ? pid : NO_PROCESS;
}

/* The track of a thread.  lane: spans that overlap have several tracks, and all but the first have a name that ends in
 * `what`; NULL: "dw-20, 2". */
static void begin_track(struct chrome *w, uint32_t thread, uint32_t lane, const char *what)
{
	const struct view_thread *t = &w->view.threads[thread];
	struct str name = { 0 };

	w->pid = chrome_output_pid_of(w, thread);
	w->tid =
		lane ? (uint64_t)OWN_TIDS + w->view.thread_keys.count + w->own_tids++ : chrome_output_tid_of(w, thread);
	if (t->process && t->pid != UINT64_MAX)
		chrome_output_add_name(w, "process_name", view_text(&w->view, t->process),
				       view_len(&w->view, t->process));
	line_view_thread_name(&w->view, thread, &name);
	if (what)
		str_addf(&name, ", %s", what);
	else if (lane)
		str_addf(&name, ", %u", lane + 1);
	chrome_output_add_name(w, "thread_name", str_text(&name), name.len);
	str_free(&name);
}

static void chrome_output_add_times(struct chrome *w, uint64_t start_ns, uint64_t end_ns)
{
	trace_times_add(&w->json, start_ns - w->base_ns + FIRST_NS, end_ns - w->base_ns + FIRST_NS);
}

/* ---- samples --------------------------------------------------------------------- */

static void add_value_argument(struct chrome *w, const struct open_frame *f)
{
	struct columns one = { .count = 2, .fractions = 1 };
	struct str value = { 0 };

	columns_add_values(&one, f->value, &f->fraction, ' ', &value);
	json_object(&w->json, "args");
	json_raw(&w->json, "value", value.buf + 1);
	json_close(&w->json, '}');
	str_free(&value);
}

static void chrome_output_add_frame(struct chrome *w, const struct open_frame *f, uint64_t end_ns)
{
	chrome_output_begin_event(w, "X");
	json_string(&w->json, "cat", "sample");
	json_sized(&w->json, "name", view_text(&w->view, f->text), view_len(&w->view, f->text));
	chrome_output_add_times(w, f->start_ns, end_ns);
	if (f->leaf)
		add_value_argument(w, f);
	json_close(&w->json, '}');
}

/* Of slices with the same length, the outer one must come first. */
static void chrome_output_close_frames(struct chrome *w, size_t depth, uint64_t end_ns)
{
	for (size_t i = depth; i < w->depth; i++)
		chrome_output_add_frame(w, &w->open[i], end_ns);
	w->depth = depth < w->depth ? depth : w->depth;
}

/* How many of the open frames are also frames of the line. */
static size_t common_depth(const struct chrome *w)
{
	size_t depth = 0;

	while (depth < w->depth && depth < w->view.frame_count && w->open[depth].text == w->view.frames[depth].text)
		depth++;
	return depth;
}

static void chrome_output_open_frames(struct chrome *w, uint64_t start_ns)
{
	w->open = xgrow(w->open, &w->open_cap, w->view.frame_count + 1, sizeof(*w->open));
	while (w->depth < w->view.frame_count) {
		w->open[w->depth] = (struct open_frame){ .text = w->view.frames[w->depth].text, .start_ns = start_ns };
		w->depth++;
	}
}

static void add_to_leaf(struct chrome *w, const struct item *item)
{
	const struct columns *c = w->p->fold->columns;
	struct open_frame *leaf = &w->open[w->depth - 1];

	leaf->leaf = item->time_ns != TIMES_NONE; /* else the width is the value */
	leaf->value += item->value;
	leaf->fraction += c->fractions ? item->more[c->count - c->fractions - 1] : 0;
	leaf->value += leaf->fraction / COLUMN_ONE;
	leaf->fraction %= COLUMN_ONE;
}

/* The width of a sample without a time, which begins at now_ns. */
static uint64_t chrome_output_width_of(struct chrome *w, const struct item *item, uint64_t now_ns)
{
	const struct columns *c = w->p->fold->columns;
	uint64_t scale = strcmp(w->p->unit, "ns") != 0 ? NS_PER_US : 1;
	uint64_t fraction = c->fractions ? item->more[c->count - c->fractions - 1] : 0;
	uint64_t room = now_ns < LAST_NS ? LAST_NS - now_ns : 0;

	if (item->value < room / scale)
		return item->value * scale + fraction / (COLUMN_ONE / scale);
	w->too_wide++;
	return room;
}

/* Write the items of a thread as nested slices.  timeless: only items without a time. */
static void chrome_output_add_samples(struct chrome *w, uint32_t thread, bool timeless)
{
	uint64_t now_ns = w->base_ns, end_ns = 0, last_ns = TIMES_NONE;

	for (size_t i = w->by_thread.starts[thread]; i < w->by_thread.starts[thread + 1]; i++) {
		struct item item = by_thread_item(&w->by_thread, i);
		bool timed = item.time_ns != TIMES_NONE;

		if (timeless && timed)
			continue;
		line_view_of(&w->view, item.line);
		if (!timed || item.time_ns == last_ns) /* one after the other */
			now_ns = now_ns < end_ns ? end_ns : now_ns;
		else if (now_ns < item.time_ns)
			now_ns = item.time_ns;
		last_ns = item.time_ns;
		if (now_ns > end_ns)
			chrome_output_close_frames(w, 0, end_ns);
		else
			chrome_output_close_frames(w, common_depth(w), now_ns);
		chrome_output_open_frames(w, now_ns);
		add_to_leaf(w, &item);
		end_ns = now_ns + (timed ? w->period_ns : chrome_output_width_of(w, &item, now_ns));
	}
	chrome_output_close_frames(w, 0, end_ns);
}

/* ---- spans ----------------------------------------------------------------------- */

/* The name of a span's slice: its root frames, or else the leaf. */
static void add_span_name(struct chrome *w)
{
	const struct line_view *v = &w->view;
	struct str name = { 0 };

	for (size_t i = 0; i < v->root_frames; i++) {
		str_puts(&name, i ? ";" : "");
		str_add(&name, view_text(v, v->frames[i].text), view_len(v, v->frames[i].text));
	}
	if (!v->root_frames)
		str_add(&name, view_text(v, v->frames[v->frame_count - 1].text),
			view_len(v, v->frames[v->frame_count - 1].text));
	json_sized(&w->json, "name", str_text(&name), name.len);
	str_free(&name);
}

static void add_label_arguments(struct chrome *w)
{
	const struct line_view *v = &w->view;

	for (size_t i = 0; i < v->label_count; i++) {
		const struct view_label *l = &v->labels[i];

		if (!strcmp(l->key, "pid") || !strcmp(l->key, "tid"))
			continue;
		if (l->text)
			json_sized(&w->json, l->key, view_text(v, l->text), view_len(v, l->text));
		else
			json_number(&w->json, l->key, l->number);
	}
}

static void add_stack_argument(struct chrome *w)
{
	const struct line_view *v = &w->view;
	struct str stack = { 0 };

	for (size_t i = v->root_frames; i < v->frame_count; i++) {
		if (stack.len)
			str_addc(&stack, ';');
		str_add(&stack, view_text(v, v->frames[i].text), view_len(v, v->frames[i].text));
	}
	if (stack.len)
		json_sized(&w->json, "stack", stack.buf, stack.len);
	str_free(&stack);
}

/* Write a slice without length.  Arrows begin and end at slices; in DevTools, at their beginning. */
static void add_point(struct chrome *w, const char *name, uint64_t at_ns)
{
	chrome_output_begin_event(w, "X");
	json_string(&w->json, "cat", "wakeup");
	json_string(&w->json, "name", name);
	chrome_output_add_times(w, at_ns, at_ns);
	json_close(&w->json, '}');
}

static void add_arrow_end(struct chrome *w, const char *phase, uint64_t at_ns)
{
	chrome_output_begin_event(w, phase);
	json_string(&w->json, "cat", "wakeup");
	json_string(&w->json, "name", "wakeup");
	json_number(&w->json, "id", w->flows);
	json_decimal(&w->json, "ts", at_ns - w->base_ns + FIRST_NS, US);
	if (*phase == 'f')
		json_string(&w->json, "bp", "e");
	json_close(&w->json, '}');
}

/* An arrow from the waker; it ends in the span's last nanosecond. */
static void add_flow(struct chrome *w, uint64_t end_ns)
{
	uint32_t waker = w->view.waker < w->thread_of_label_cap ? w->thread_of_label[w->view.waker] : 0;
	uint64_t pid = w->pid, tid = w->tid;

	if (!w->view.waker || !waker)
		return;
	w->flows++;
	w->pid = chrome_output_pid_of(w, waker - 1);
	w->tid = chrome_output_tid_of(w, waker - 1);
	add_point(w, "wakes", end_ns);
	add_arrow_end(w, "s", end_ns);
	w->pid = pid;
	w->tid = tid;
	add_point(w, "woken", end_ns - 1);
	add_arrow_end(w, "f", end_ns - 1);
}

static void chrome_output_add_span(struct chrome *w, const struct item *item)
{
	line_view_of(&w->view, item->line);
	chrome_output_begin_event(w, "X");
	json_string(&w->json, "cat", "span");
	add_span_name(w);
	chrome_output_add_times(w, item->time_ns, item_end(item));
	json_object(&w->json, "args");
	json_begin(&w->json, "value");
	value_decimal(w->p, 0, item->value, item->more, &w->json.text);
	add_label_arguments(w);
	add_stack_argument(w);
	json_close(&w->json, '}');
	json_close(&w->json, '}');
	add_flow(w, item_end(item));
}

static void chrome_output_add_spans(struct chrome *w, uint32_t thread)
{
	size_t from = w->by_thread.starts[thread], to = w->by_thread.starts[thread + 1], count;
	bool timeless = false;
	uint32_t *lanes;

	count = lanes_make(&w->by_thread, from, to, &lanes);
	for (uint32_t lane = 0; lane < count; lane++) {
		begin_track(w, thread, lane, NULL);
		for (size_t i = from; i < to; i++) {
			struct item item = by_thread_item(&w->by_thread, i);

			if (lanes[i - from] == lane)
				chrome_output_add_span(w, &item);
		}
	}
	for (size_t i = from; i < to; i++)
		timeless |= lanes[i - from] == LANE_NONE;
	free(lanes);
	if (!timeless)
		return;
	begin_track(w, thread, (uint32_t)count + 1, "sums of short spans");
	chrome_output_add_samples(w, thread, true);
}

/* ---- the file -------------------------------------------------------------------- */

static uint32_t *thread_of_label(struct chrome *w, uint32_t label)
{
	size_t before = w->thread_of_label_cap;

	w->thread_of_label =
		xgrow(w->thread_of_label, &w->thread_of_label_cap, (size_t)label + 1, sizeof(*w->thread_of_label));
	if (w->thread_of_label_cap > before)
		memset(w->thread_of_label + before, 0, (w->thread_of_label_cap - before) * sizeof(*w->thread_of_label));
	return &w->thread_of_label[label];
}

/* Find the threads of wakers, which may have no lines of their own. */
static void chrome_output_find_wakers(struct chrome *w)
{
	for (uint32_t i = 0; i < w->by_thread.thread_count; i++)
		*thread_of_label(w, w->view.threads[i].label) = i + 1;
	for (size_t i = 0; i < w->p->fold->count; i++) {
		if (!w->p->fold->lines[i].kept)
			continue;
		line_view_of(&w->view, &w->p->fold->lines[i]);
		if (w->view.waker && !*thread_of_label(w, w->view.waker))
			*thread_of_label(w, w->view.waker) = line_view_add_thread(&w->view, w->view.waker) + 1;
	}
	for (uint32_t i = (uint32_t)w->by_thread.thread_count; i < w->view.thread_keys.count; i++)
		begin_track(w, i, 0, NULL);
}

static void add_other_data(struct chrome *w)
{
	json_object(&w->json, "otherData");
	json_string(&w->json, "exporter", "pyrograph " PYROGRAPH_VERSION);
	json_begin(&w->json, "start_ns"); /* as text, since it has more digits than a JavaScript number */
	str_addf(&w->json.text, "\"%llu\"", (unsigned long long)(w->base_ns > FIRST_NS ? w->base_ns - FIRST_NS : 0));
	json_string(&w->json, "unit", w->p->unit);
	facts_json(&w->facts, &w->json, "recording");
	json_close(&w->json, '}');
}

static void write_chrome(FILE *out, const struct product *p)
{
	struct chrome w = { .json = { .out = out }, .p = p };
	bool spans = p->times && p->spans;

	facts_read(&w.facts, str_text(&p->header));
	line_view_begin(&w.view, p);
	by_thread_make(&w.by_thread, &w.view, p);
	w.base_ns = p->times && p->times->count && p->times->items[0].wall_ns != TIMES_NONE ? p->times->items[0].wall_ns
											    : 0;
	w.period_ns = value_period(&w.facts);
	w.period_ns = w.period_ns ? w.period_ns : DEFAULT_PERIOD;
	json_object(&w.json, NULL);
	json_string(&w.json, "displayTimeUnit", "ns");
	add_other_data(&w);
	json_array(&w.json, "traceEvents");
	if (spans)
		chrome_output_find_wakers(&w);
	for (uint32_t thread = 0; thread < w.by_thread.thread_count; thread++) {
		if (spans) {
			chrome_output_add_spans(&w, thread);
			continue;
		}
		begin_track(&w, thread, 0, NULL);
		chrome_output_add_samples(&w, thread, false);
	}
	json_close(&w.json, ']');
	json_close(&w.json, '}');
	json_end(&w.json);
	if (w.too_wide)
		warn("%llu values are wider than the format's times: cut off", (unsigned long long)w.too_wide);
	by_thread_free(&w.by_thread);
	line_view_end(&w.view);
	facts_free(&w.facts);
	free(w.open);
	free(w.thread_of_label);
}

const struct output_format chrome_output = {
	.name = "chrome",
	.endings = ENDINGS(".trace.json"),
	.spans = true,
	.tables = true,
	.write = write_chrome,
};
