#include "render/timeline/timeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/lines.h"
#include "core/memory.h"
#include "core/str.h"
#include "core/wallclock.h"
#include "render/profile/foreign.h"
#include "render/profile/line.h"
#include "render/profile/sample.h"

enum { NOWHERE = -1, STALLS_MAX = 10000 };

enum value_column { COLUMN_TIME, COLUMN_COUNT, COLUMN_LONGEST, COLUMN_MIGRATIONS, COLUMN_OTHER };

struct reader {
	struct timeline *t;
	const struct timeline_filter *filter;
	struct lines in;
	int thread, cpu, state, by; /* places of frames in a stack; NOWHERE: no such frame */
	enum value_column columns[SAMPLE_COLUMNS_MAX];
	size_t column_count; /* at least 1 */
	int roots;           /* how many frames of a stack, including by, come before its trace; NOWHERE: unknown */
	bool refused;        /* the current file cannot be drawn, and this was reported */
	bool spans;          /* whether its lines are spans, ... */
	bool sums;           /* lines without a time are allowed among them: sums of shorter spans */
};

/* ---- headers -------------------------------------------------------------- */

/* The index of item in a list "a,b,c", or NOWHERE. */
static int place_in(const char *list, const char *item)
{
	size_t len = strlen(item);
	int place = 0;

	for (const char *at = list; at; place++) {
		const char *comma = strchr(at, ',');
		size_t size = comma ? (size_t)(comma - at) : strlen(at);

		if (size == len && !memcmp(at, item, len))
			return place;
		at = comma ? comma + 1 : NULL;
	}
	return NOWHERE;
}

/* The place of the first root that is not a CPU, a state, an event, or the usurper of a CPU. */
static int place_of_any(const char *roots)
{
	static const char *const not_these[] = { "cpu", "state", "by", "event" };
	int place = 0;

	for (const char *at = roots; at; place++) {
		const char *comma = strchr(at, ',');
		size_t len = comma ? (size_t)(comma - at) : strlen(at);
		bool good = true;

		for (size_t i = 0; i < sizeof(not_these) / sizeof(not_these[0]); i++)
			good &= strlen(not_these[i]) != len || memcmp(at, not_these[i], len);
		if (good)
			return place;
		at = comma ? comma + 1 : NULL;
	}
	return NOWHERE;
}

static void read_roots(struct reader *r, const char *roots)
{
	static const char *const best[] = { "thread", "tid", "pid", "comm" };

	r->thread = NOWHERE;
	for (size_t i = 0; i < sizeof(best) / sizeof(best[0]) && r->thread == NOWHERE; i++)
		r->thread = place_in(roots, best[i]);
	if (r->thread == NOWHERE)
		r->thread = place_of_any(roots);
	r->cpu = place_in(roots, "cpu");
	r->state = place_in(roots, "doing");
	r->t->has_waits |= r->state != NOWHERE;
	if (r->state == NOWHERE)
		r->state = place_in(roots, "state");
	r->by = place_in(roots, "by");
	r->roots = strcmp(roots, "none") != 0;
	for (const char *at = roots; r->roots && (at = strchr(at, ',')); at++)
		r->roots++;
	if (r->by != NOWHERE)
		r->t->by_place = r->by;
}

static enum value_column timeline_read_column_of(const char *name, size_t len)
{
	static const char *const names[] = { "time", "count", "longest", "migrations" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == len && !memcmp(names[i], name, len))
			return (enum value_column)i;
	}
	return COLUMN_OTHER;
}

/* The first column is the line's weight, whatever its name. */
static void timeline_read_columns(struct reader *r, const char *list)
{
	r->column_count = 0;
	for (const char *at = list; at && r->column_count < SAMPLE_COLUMNS_MAX;) {
		const char *comma = strchr(at, ',');
		size_t len = comma ? (size_t)(comma - at) : strlen(at);
		enum value_column column = timeline_read_column_of(at, len);

		if (column == COLUMN_OTHER)
			warn("%s:%" PRIu64 ": unknown column '%.*s' ignored", r->in.path, r->in.number, (int)len, at);
		r->t->has_migrations |= column == COLUMN_MIGRATIONS;
		r->columns[r->column_count++] = column;
		at = comma ? comma + 1 : NULL;
	}
	r->columns[0] = COLUMN_TIME;
}

static void timeline_read_header(struct reader *r, const char *line, size_t len)
{
	struct folded_source header = { 0 };
	const char *value;

	if (!source_read(&r->t->in.source, line, len))
		return;
	source_read(&header, line, len);
	value = source_get(&header, FOLDED_ROOT);
	if (value)
		read_roots(r, value);
	value = source_get(&header, FOLDED_COLUMNS);
	if (value)
		timeline_read_columns(r, value);
	value = source_get(&header, FOLDED_SPANS);
	r->spans = value && !strcmp(value, "start");
	r->sums = r->filter->sums && (r->t->has_waits || source_get(&header, FOLDED_SHORT));
	r->refused = !r->t->has_waits && foreign_events_check(&header, r->in.path, "--tenancy -t ") < 0;
	source_free(&header);
}

/* "start=1475682078.014325678" in ns. */
static bool stall_time(const struct folded_source *s, const char *key, uint64_t *ns)
{
	const char *text = source_get(s, key);
	struct instant when;

	if (!text || !instant_parse(text, &when) || when.kind != INSTANT_EPOCH)
		return false;
	*ns = when.ns;
	return true;
}

static uint64_t stall_count(const struct folded_source *s, const char *key)
{
	const char *text = source_get(s, key);

	return text ? strtoull(text, NULL, 10) : 0;
}

static uint32_t stall_name(struct timeline *t, const struct folded_source *s, const char *key)
{
	const char *text = source_get(s, key);

	return text ? intern_add(&t->names, text, strlen(text)) : UINT32_MAX;
}

static void read_stall(struct timeline *t, const char *line, size_t len)
{
	static const char mark[] = FOLDED_STALL;
	struct folded_source s = { 0 };
	struct timeline_stall stall = { 0 };

	if (len < sizeof(mark) || memcmp(line, mark, sizeof(mark) - 1) || t->stall_count == STALLS_MAX)
		return;
	source_read_pairs(&s, line + sizeof(mark) - 1, len - sizeof(mark) + 1);
	stall.by = stall_name(t, &s, FOLDED_STALL_BY);
	if (stall_time(&s, FOLDED_STALL_START, &stall.start_ns) && stall_time(&s, FOLDED_STALL_END, &stall.end_ns) &&
	    stall.start_ns < stall.end_ns && stall.by != UINT32_MAX) {
		stall.threads = stall_count(&s, FOLDED_STALL_THREADS);
		stall.longest_ns = stall_count(&s, FOLDED_STALL_LONGEST);
		stall.waits_ns = stall_count(&s, FOLDED_STALL_WAITS);
		stall.what = stall_name(t, &s, FOLDED_STALL_FOR);
		stall.did = stall_name(t, &s, FOLDED_STALL_DID);
		stall.in = stall_name(t, &s, FOLDED_STALL_IN);
		t->stalls = xgrow(t->stalls, &t->stalls_cap, t->stall_count + 1, sizeof(*t->stalls));
		t->stalls[t->stall_count++] = stall;
	}
	source_free(&s);
}

/* ---- stacks --------------------------------------------------------------- */

/* Returns false if the stack has no frame at this place. */
static bool timeline_read_take_frame(struct reader *r, const char *stack, size_t len, int place, uint32_t *name)
{
	const char *frame;
	size_t frame_len;

	*name = UINT32_MAX;
	if (place == NOWHERE)
		return true;
	frame = line_frame(stack, len, place, &frame_len);
	if (!frame)
		return false;
	*name = intern_add(&r->t->names, frame, frame_len);
	return true;
}

/* Is it "swapper-0/swapper", as collapse calls the idle task, whose process is 0? */
static bool timeline_read_is_idle(const struct timeline *t, uint32_t name)
{
	static const char task[] = "swapper-0";
	size_t len = sizeof(task) - 1;
	const char *text;

	if (name == UINT32_MAX || intern_len(&t->names, name) < len)
		return false;
	text = intern_text(&t->names, name);
	return !memcmp(text, task, len) && (!text[len] || text[len] == '/');
}

/* Only waiting states have a usurper, and throttled threads a limit. */
static bool may_have_by(const struct timeline *t, const struct timeline_stack *s)
{
	return s->state == UINT32_MAX || timeline_is_waiting(intern_text(&t->names, s->state)) ||
	       !strcmp(intern_text(&t->names, s->state), "throttled");
}

/* Take the frames after the roots: functions. */
static void take_trace(struct reader *r, struct timeline_stack *s, const char *text, size_t len)
{
	int place = r->roots - (r->by != NOWHERE && s->by == UINT32_MAX);
	const char *frame;
	size_t frame_len;

	s->trace = UINT32_MAX;
	s->root_len = (uint32_t)len;
	if (place <= 0 || !r->t->has_waits)
		return;
	frame = line_frame(text, len, place, &frame_len);
	if (!frame)
		return;
	s->trace = intern_add(&r->t->traces, frame, (size_t)(text + len - frame));
	s->root_len = (uint32_t)(frame - text - 1);
}

/* The number of the stack, or UINT32_MAX if a frame is missing. */
static uint32_t timeline_read_stack_of(struct reader *r, const char *text, size_t len)
{
	struct timeline *t = r->t;
	struct timeline_stack stack = { 0 };
	uint32_t number = intern_find(&t->texts, text, len);

	if (number != UINT32_MAX)
		return number;
	if (!timeline_read_take_frame(r, text, len, r->thread, &stack.thread) ||
	    !timeline_read_take_frame(r, text, len, r->cpu, &stack.cpu) ||
	    !timeline_read_take_frame(r, text, len, r->state, &stack.state))
		return UINT32_MAX;
	if (!may_have_by(t, &stack) || !timeline_read_take_frame(r, text, len, r->by, &stack.by))
		stack.by = UINT32_MAX;
	take_trace(r, &stack, text, len);
	stack.idle = timeline_read_is_idle(t, stack.thread);
	number = intern_add(&t->texts, text, len);
	t->stacks = xgrow(t->stacks, &t->stacks_cap, (size_t)number + 1, sizeof(*t->stacks));
	t->stacks[number] = stack;
	t->has_cpu |= stack.cpu != UINT32_MAX;
	t->has_state |= stack.state != UINT32_MAX;
	t->has_by |= stack.by != UINT32_MAX;
	return number;
}

/* ---- lines ---------------------------------------------------------------- */

static void set_column(struct timeline_values *v, enum value_column column, uint64_t value)
{
	switch (column) {
	case COLUMN_COUNT: v->count = value; break;
	case COLUMN_LONGEST: v->longest = value; break;
	case COLUMN_MIGRATIONS: v->migrations = value; break;
	case COLUMN_TIME:
	case COLUMN_OTHER: break;
	}
}

static bool timeline_read_add_to(uint64_t *sum, uint64_t value)
{
	return !__builtin_add_overflow(*sum, value, sum);
}

static const char *timeline_read_add_sum(struct timeline *t, struct timeline_stack *stack,
					 const struct timeline_values *v)
{
	struct timeline_values sum = stack->sum;
	uint64_t all = t->time_ns;

	if (!timeline_read_add_to(&sum.time, v->time) || !timeline_read_add_to(&sum.count, v->count) ||
	    !timeline_read_add_to(&sum.migrations, v->migrations) || !timeline_read_add_to(&all, v->time))
		return "the sum of all values would be too large";
	if (v->longest > sum.longest)
		sum.longest = v->longest;
	stack->sum = sum;
	t->time_ns = all;
	return NULL;
}

static bool timeline_read_is_plain(const struct timeline_values *v)
{
	return v->count == 1 && v->longest == v->time && !v->migrations;
}

static void timeline_read_add_span(struct timeline *t, uint64_t start_ns, uint32_t stack,
				   const struct timeline_values *v)
{
	uint32_t more = TIMELINE_PLAIN;

	if (!timeline_read_is_plain(v) && t->extra_count < TIMELINE_PLAIN) {
		t->extras = xgrow(t->extras, &t->extras_cap, t->extra_count + 1, sizeof(*t->extras));
		more = (uint32_t)t->extra_count;
		t->extras[t->extra_count++] = *v;
	}
	t->spans = xgrow(t->spans, &t->spans_cap, t->span_count + 1, sizeof(*t->spans));
	t->spans[t->span_count++] = (struct timeline_span){ start_ns, v->time, stack, more };
}

static void timeline_read_add_sample(struct timeline *t, uint64_t ns, uint32_t stack)
{
	t->samples = xgrow(t->samples, &t->samples_cap, t->sample_count + 1, sizeof(*t->samples));
	t->samples[t->sample_count++] = (struct timeline_sample){ ns, stack };
}

static void add_untimed(struct timeline *t, uint32_t stack, const struct timeline_values *v)
{
	t->sums = xgrow(t->sums, &t->sums_cap, t->sum_count + 1, sizeof(*t->sums));
	t->sums[t->sum_count++] = (struct timeline_sum){ stack, *v };
}

static bool timeline_read_is_sampled(const struct timeline *t, uint32_t stack)
{
	uint32_t state = t->stacks[stack].state;

	return t->has_waits && state != UINT32_MAX && !strcmp(intern_text(&t->names, state), FOLDED_SAMPLED);
}

/* The text before the values may not end in a number, as no frame does (core/format/folded.h). */
static bool timeline_read_ends_in_number(const char *stack, size_t len)
{
	size_t at = len;

	while (at && stack[at - 1] >= '0' && stack[at - 1] <= '9')
		at--;
	return at < len && at && stack[at - 1] == ' ';
}

/* Take the line's columns, which must be whole numbers.  Returns NULL, or what is wrong. */
static const char *timeline_read_take_values(const struct reader *r, const struct sample_column *columns,
					     struct timeline_values *v)
{
	*v = (struct timeline_values){ columns[0].value, 1, columns[0].value, 0 };
	for (size_t i = 0; i < r->column_count; i++) {
		if (columns[i].decimals)
			return "a value is not a whole number";
		if (i)
			set_column(v, r->columns[i], columns[i].value);
	}
	return NULL;
}

/* Is it a line without a time among spans that should not have one? */
static bool may_be_sum(const struct reader *r, const char *line, size_t len)
{
	return r->sums && len && *line != '@';
}

/* Returns NULL, or what is wrong with the line. */
static const char *timeline_read_take_sample(struct reader *r, const char *line, size_t len)
{
	struct sample_column columns[SAMPLE_COLUMNS_MAX] = { 0 };
	struct timeline *t = r->t;
	struct timeline_values v;
	struct sample_line s;
	const char *wrong = sample_parse_columns(&s, line, len, r->column_count, columns);
	uint64_t end;
	uint32_t stack;

	if (!wrong)
		wrong = timeline_read_take_values(r, columns, &v);
	if (wrong)
		return wrong;
	if (timeline_read_ends_in_number(s.stack, s.stack_len))
		return "more numbers at the end than the header has columns";
	if (r->spans && (s.timed ? __builtin_add_overflow(s.time_ns, v.time, &end) : !may_be_sum(r, line, len)))
		return s.timed ? "the time is too large" : "no time before a span (spans=start)";
	stack = timeline_read_stack_of(r, s.stack, s.stack_len);
	if (stack == UINT32_MAX)
		return "fewer frames than the header's root= has";
	wrong = timeline_read_add_sum(t, &t->stacks[stack], &v);
	if (wrong)
		return wrong;
	t->timed |= r->spans;
	t->summed |= !r->spans;
	if (r->spans && s.timed && !v.time && timeline_read_is_sampled(t, stack))
		timeline_read_add_sample(t, s.time_ns, stack);
	else if (r->spans && s.timed)
		timeline_read_add_span(t, s.time_ns, stack, &v);
	else if (r->spans)
		add_untimed(t, stack, &v);
	return NULL;
}

static const char *timeline_read_take_line(struct reader *r, const char *line, size_t len)
{
	enum rows_line what = rows_line(&r->t->in, &r->filter->lines, line, len);

	if (what == ROWS_SAMPLE)
		return timeline_read_take_sample(r, line, len);
	if (what == ROWS_COMMENT) {
		timeline_read_header(r, line, len);
		read_stall(r->t, line, len);
	}
	return NULL;
}

int timeline_read(struct timeline *t, const char *path, const struct timeline_filter *filter)
{
	struct reader r = { .t = t,
			    .filter = filter,
			    .thread = 0,
			    .cpu = 1,
			    .state = NOWHERE,
			    .by = NOWHERE,
			    .roots = NOWHERE,
			    .column_count = 1 };
	uint64_t reported = 0;
	struct str advice = { 0 };
	size_t len;
	char *line;
	int status;

	if (lines_open(&r.in, path) < 0)
		return -1;
	while (!r.refused && lines_next(&r.in, &line, &len)) {
		const char *wrong;

		if (r.in.number == 1)
			line_skip_mark(&line, &len);
		if (r.in.number == 1 &&
		    foreign_is(&advice, line, lines_ahead(&r.in, line), path, "--tenancy ", "tenancy")) {
			status = error("%s: %s", r.in.path, advice.buf);
			goto out;
		}
		wrong = timeline_read_take_line(&r, line, len);
		t->in.bad_lines += !!wrong;
		if (wrong && ++reported <= MESSAGES_MAX)
			line_report(&r.in, wrong, 0, line, len);
	}
	status = r.in.failed || r.refused ? -1 : 0;
out:
	lines_close(&r.in);
	str_free(&advice);
	return status;
}

int timeline_read_spans(void *t, const char *path, const struct line_filter *filter)
{
	return timeline_read(t, path, &(struct timeline_filter){ *filter, true });
}

struct timeline_values timeline_values_of(const struct timeline *t, const struct timeline_span *span)
{
	if (span->more != TIMELINE_PLAIN)
		return t->extras[span->more];
	return (struct timeline_values){ span->time_ns, 1, span->time_ns, 0 };
}

void timeline_free(struct timeline *t)
{
	if (!t)
		return;
	intern_free(&t->texts);
	intern_free(&t->names);
	free(t->stacks);
	free(t->rank);
	free(t->spans);
	free(t->extras);
	intern_free(&t->traces);
	free(t->trace_rank);
	free(t->samples);
	free(t->sums);
	free(t->stalls);
	free(t->rows);
	free(t->kinds);
	source_free(&t->in.source);
	topology_free(&t->topology);
	*t = (struct timeline){ 0 };
}

void timeline_leave(void *t)
{
	timeline_free(t);
}
