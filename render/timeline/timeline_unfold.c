#include "render/timeline/timeline_code.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/json.h"
#include "core/memory.h"
#include "core/str.h"
#include "core/wallclock.h"
#include "render/encoding/decode.h"
#include "render/encoding/digits.h"
#include "render/encoding/unfold.h"

static const char ID[] = "timeline", DAMAGED[] = "its data is damaged";

enum { FLAG_STACK = 1, FLAG_MORE = 2, FLAG_BEFORE = 4, FLAG_BITS = 3, COLUMNS_MAX = 16, FLUSH_BYTES = 256 << 10 };

struct unfolded_span {
	uint64_t start_ns, time_ns, stack;
	uint64_t more[3]; /* count, longest, migrations */
	size_t number;    /* in the file */
};

struct unfolder {
	struct json data;
	struct str stacks; /* as in the file */
	struct stack_line {
		size_t start, len;
		uint64_t trace; /* UINT64_MAX: none */
	} * lines;
	size_t line_count, lines_cap;
	struct str traces; /* whole, one after the other */
	struct stack_line *trace_lines;
	size_t trace_count, traces_cap;
	struct unfolded_span *spans;
	size_t span_count, spans_cap;
	int columns[COLUMNS_MAX]; /* the place in more of each column after the first */
	size_t column_count;
};

bool timeline_is_in(const char *svg, size_t len)
{
	struct str text = { 0 };
	bool found = decode_text(&text, svg, len, ID);

	str_free(&text);
	return found;
}

/* ---- header ----------------------------------------------------------------- */

/* "time,count,longest" without columns that a timeline does not know. */
static void timeline_unfold_read_columns(struct unfolder *u, const struct str *list, struct str *known)
{
	static const char *const names[] = { "count", "longest", "migrations" };
	const char *at = str_text(list);
	size_t len = strcspn(at, ",");

	str_add(known, at, len);
	for (at += len; *at && u->column_count < COLUMNS_MAX; at += len) {
		at++;
		len = strcspn(at, ",");
		for (int i = 0; i < 3; i++) {
			if (strlen(names[i]) != len || memcmp(names[i], at, len))
				continue;
			str_addf(known, ",%s", names[i]);
			u->columns[u->column_count++] = i;
		}
	}
}

static void timeline_unfold_add_header(struct unfolder *u, struct str *out)
{
	struct json source = json_member(u->data, "source"), value;
	struct str key = { 0 }, text = { 0 }, unit = { 0 }, columns = { 0 };

	str_add(out, FOLDED_HEADER, strlen(FOLDED_HEADER) - 1); /* pairs begin with a blank */
	while (json_next_member(&source, &key, &value)) {
		const char *k = str_text(&key);

		if (!unfold_is_key(k) || !json_text(value, &text))
			continue;
		if (!strcmp(k, FOLDED_UNIT)) {
			str_clear(&unit);
			str_add(&unit, str_text(&text), text.len);
		} else if (!strcmp(k, FOLDED_COLUMNS)) {
			if (!u->column_count && !columns.len)
				timeline_unfold_read_columns(u, &text, &columns);
			unfold_pair(out, k, &columns);
		} else {
			unfold_pair(out, k, &text);
		}
	}
	if (unit.len)
		unfold_pair(out, FOLDED_UNIT, &unit);
	str_addc(out, '\n');
	str_free(&key);
	str_free(&text);
	str_free(&unit);
	str_free(&columns);
}

/* ---- data ------------------------------------------------------------------- */

/* Take "17" and the blank after it; returns false if they are not there. */
static bool timeline_unfold_take_number(const char **at, const char *end, char mark, uint64_t *n)
{
	const char *from = *at;

	*n = 0;
	while (*at < end && **at >= '0' && **at <= '9' && *at - from < 18)
		*n = *n * 10 + (uint64_t)(*(*at)++ - '0');
	return *at > from && *at < end && *(*at)++ == mark;
}

/* The length of the first `count` frames of a text, with the semicolon after them; if it has fewer, its whole
 * length. */
static size_t frames_len(const char *text, size_t len, uint64_t frames)
{
	size_t at = 0;

	for (; frames && at < len; frames--) {
		const char *semicolon = memchr(text + at, ';', len - at);

		at = semicolon ? (size_t)(semicolon - text) + 1 : len;
	}
	return at;
}

enum { TRACES_GROW = 64 }; /* none of our pictures has traces this many times as long as in the file */

/* "SHARED REST" */
static const char *read_traces(struct unfolder *u, const struct str *in)
{
	const char *text = str_text(in), *end = text + in->len;
	size_t limit = in->len * TRACES_GROW + 1000;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text)), *line_end = newline ? newline : end;
		struct stack_line *before = u->trace_count ? &u->trace_lines[u->trace_count - 1] : NULL;
		size_t start = u->traces.len, shared;
		uint64_t frames;

		if (!timeline_unfold_take_number(&text, line_end, ' ', &frames))
			return DAMAGED;
		shared = before ? frames_len(u->traces.buf + before->start, before->len, frames) : 0;
		if (start + shared + (size_t)(line_end - text) + 1 > limit)
			return DAMAGED;
		str_reserve(&u->traces, shared + (size_t)(line_end - text) + 2);
		if (before)
			str_add(&u->traces, u->traces.buf + before->start, shared);
		if (shared && text < line_end && u->traces.buf[u->traces.len - 1] != ';')
			str_addc(&u->traces, ';');
		str_add(&u->traces, text, (size_t)(line_end - text));
		u->trace_lines = xgrow(u->trace_lines, &u->traces_cap, u->trace_count + 1, sizeof(*u->trace_lines));
		u->trace_lines[u->trace_count++] = (struct stack_line){ start, u->traces.len - start, UINT64_MAX };
		text = line_end + 1;
	}
	return NULL;
}

/* "/TRACE": everything else is as in the previous line. */
static bool same_but_trace(struct unfolder *u, const char *at, const char *end)
{
	struct stack_line line = u->lines[u->line_count - 1];

	line.trace = 0;
	if (at == end || end - at > 18)
		return false;
	for (; at < end && *at >= '0' && *at <= '9'; at++)
		line.trace = line.trace * 10 + (uint64_t)(*at - '0');
	if (at < end || line.trace >= u->trace_count)
		return false;
	u->lines = xgrow(u->lines, &u->lines_cap, u->line_count + 1, sizeof(*u->lines));
	u->lines[u->line_count++] = line;
	return true;
}

/* Take "ROW KIND TEXT" or "ROW KIND/TRACE TEXT"; row and kind do not matter here. */
static const char *timeline_unfold_read_stacks(struct unfolder *u)
{
	const char *text = str_text(&u->stacks);

	for (size_t at = 0, len; at < u->stacks.len; at += len + 1) {
		const char *newline = memchr(text + at, '\n', u->stacks.len - at), *first, *second, *slash;

		len = newline ? (size_t)(newline - text) - at : u->stacks.len - at;
		if (len && text[at] == '/' && u->line_count) {
			if (!same_but_trace(u, text + at + 1, text + at + len))
				return DAMAGED;
			continue;
		}
		first = memchr(text + at, ' ', len);
		second = first ? memchr(first + 1, ' ', (size_t)(text + at + len - first - 1)) : NULL;
		if (!second)
			return DAMAGED;
		u->lines = xgrow(u->lines, &u->lines_cap, u->line_count + 1, sizeof(*u->lines));
		u->lines[u->line_count] = (struct stack_line){ (size_t)(second + 1 - text),
							       (size_t)(text + at + len - second - 1), UINT64_MAX };
		slash = memchr(first + 1, '/', (size_t)(second - first - 1));
		if (slash &&
		    (slash++, !timeline_unfold_take_number(&slash, second + 1, ' ', &u->lines[u->line_count].trace) ||
				      u->lines[u->line_count].trace >= u->trace_count))
			return DAMAGED;
		u->line_count++;
	}
	return NULL;
}

/* *end: the end of the previous span in its row; *stack: the stack of that span. */
static void timeline_unfold_take_span(struct unfolder *u, struct digits *in, uint64_t *end, uint64_t *stack)
{
	struct unfolded_span s = { .number = u->span_count };
	uint64_t first = digits_take(in), gap = first >> FLAG_BITS;

	in->bad |= first & FLAG_BEFORE ? gap > *end : gap > UINT64_MAX - *end;
	s.start_ns = first & FLAG_BEFORE ? *end - gap : *end + gap;
	if (first & FLAG_STACK)
		*stack = digits_take(in);
	s.stack = *stack;
	s.time_ns = digits_take(in);
	s.more[0] = first & FLAG_MORE ? digits_take(in) : 1;
	s.more[1] = first & FLAG_MORE ? digits_take(in) : s.time_ns;
	s.more[2] = first & FLAG_MORE ? digits_take(in) : 0;
	in->bad |= __builtin_add_overflow(s.start_ns, s.time_ns, end) || *stack >= u->line_count;
	u->spans = xgrow(u->spans, &u->spans_cap, u->span_count + 1, sizeof(*u->spans));
	u->spans[u->span_count++] = s;
}

static const char *read_spans(struct unfolder *u, const struct str *text)
{
	struct json rows = json_member(u->data, "rows"), row, item;
	struct digits in = { str_text(text), str_text(text) + text->len, false };
	uint64_t start, stack = 0;

	if (!json_u64(json_member(u->data, "start"), &start))
		return DAMAGED;
	while (json_next_item(&rows, &row)) {
		uint64_t count = 0, end = start;

		while (json_next_item(&row, &item))
			json_u64(item, &count); /* the third value: how many spans the row has */
		for (; count && !in.bad; count--) {
			while (in.at < in.end && *in.at == '\n')
				in.at++;
			timeline_unfold_take_span(u, &in, &end, &stack);
		}
	}
	return in.bad ? DAMAGED : NULL;
}

/* The samples of each row: spans of no time. */
static const char *timeline_unfold_read_samples(struct unfolder *u, const struct str *text)
{
	struct json rows = json_member(u->data, "samples"), item;
	struct digits in = { str_text(text), str_text(text) + text->len, false };
	uint64_t start, count;

	if (!json_u64(json_member(u->data, "start"), &start))
		return DAMAGED;
	while (json_next_item(&rows, &item)) {
		struct unfolded_span s = { .start_ns = start, .more = { 1, 0, 0 } };

		if (!json_u64(item, &count))
			return DAMAGED;
		for (; count && !in.bad; count--) {
			while (in.at < in.end && *in.at == '\n')
				in.at++;
			in.bad |= __builtin_add_overflow(s.start_ns, digits_take(&in), &s.start_ns);
			s.stack = digits_take(&in);
			s.number = u->span_count;
			in.bad |= s.stack >= u->line_count;
			u->spans = xgrow(u->spans, &u->spans_cap, u->span_count + 1, sizeof(*u->spans));
			u->spans[u->span_count++] = s;
		}
	}
	return in.bad ? DAMAGED : NULL;
}

/* ---- lines ------------------------------------------------------------------ */

static int timeline_unfold_by_time(const void *a, const void *b)
{
	const struct unfolded_span *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* A stack, with its trace. */
static void timeline_unfold_add_line(const struct unfolder *u, size_t number, struct str *text)
{
	const struct stack_line *line = &u->lines[number];

	unfold_frames(text, u->stacks.buf + line->start, line->len);
	if (line->trace == UINT64_MAX)
		return;
	str_addc(text, ';');
	unfold_frames(text, str_text(&u->traces) + u->trace_lines[line->trace].start, u->trace_lines[line->trace].len);
}

/* Lines without a time: [[stack, time, count, longest, migrations], ...]; the last one may be missing. */
static void timeline_unfold_add_sums(const struct unfolder *u, struct str *text)
{
	struct json sums = json_member(u->data, "sums"), sum, item;

	while (json_next_item(&sums, &sum)) {
		uint64_t values[5] = { 0 };
		size_t count = 0;

		while (count < 5 && json_next_item(&sum, &item) && json_u64(item, &values[count]))
			count++;
		if (count < 4 || values[0] >= u->line_count)
			continue;
		timeline_unfold_add_line(u, values[0], text);
		unfold_value(text, values[1], 0);
		for (size_t k = 0; k < u->column_count; k++)
			unfold_value(text, u->columns[k] < 3 ? values[2 + u->columns[k]] : 0, 0);
		str_addc(text, '\n');
	}
}

/* The comments on stalls: [start, length, row, words, threads, longest, waits, for, by, in, did]. */
static void add_unfolded_stalls(const struct unfolder *u, uint64_t window_start, struct str *out)
{
	static const char *const counts[] = { FOLDED_STALL_THREADS, FOLDED_STALL_LONGEST, FOLDED_STALL_WAITS };
	static const char *const names[] = { FOLDED_STALL_FOR, FOLDED_STALL_BY, FOLDED_STALL_IN, FOLDED_STALL_DID };
	struct json stalls = json_member(u->data, "stalls"), stall, item;
	struct str text = { 0 };

	while (json_next_item(&stalls, &stall)) {
		uint64_t start = 0, length = 0, n = 0;

		str_add(out, FOLDED_STALL, strlen(FOLDED_STALL) - 1);
		for (size_t i = 0; i < 11 && json_next_item(&stall, &item); i++) {
			if (i == 0)
				json_u64(item, &start);
			if (i == 1 && json_u64(item, &length)) {
				start += window_start;
				str_addf(out, " %s=%llu.%09llu", FOLDED_STALL_START, start / NS_PER_SEC,
					 start % NS_PER_SEC);
				start += length;
				str_addf(out, " %s=%llu.%09llu", FOLDED_STALL_END, start / NS_PER_SEC,
					 start % NS_PER_SEC);
			}
			if (i >= 4 && i < 7 && json_u64(item, &n))
				str_addf(out, " %s=%llu", counts[i - 4], (unsigned long long)n);
			str_clear(&text);
			if (i >= 7 && json_text(item, &text))
				unfold_pair(out, names[i - 7], &text);
		}
		str_addc(out, '\n');
	}
	str_free(&text);
}

static void timeline_unfold_write_lines(struct unfolder *u, struct str *text, FILE *out)
{
	if (u->span_count)
		qsort(u->spans, u->span_count, sizeof(*u->spans), timeline_unfold_by_time);
	for (size_t i = 0; i < u->span_count; i++) {
		const struct unfolded_span *s = &u->spans[i];

		str_addf(text, "@%llu.%09llu ", s->start_ns / NS_PER_SEC, s->start_ns % NS_PER_SEC);
		timeline_unfold_add_line(u, s->stack, text);
		unfold_value(text, s->time_ns, 0);
		for (size_t k = 0; k < u->column_count; k++)
			unfold_value(text, s->more[u->columns[k]], 0);
		str_addc(text, '\n');
		if (text->len > FLUSH_BYTES) {
			fwrite(text->buf, 1, text->len, out);
			str_clear(text);
		}
	}
	timeline_unfold_add_sums(u, text);
	fwrite(str_text(text), 1, text->len, out);
}

int timeline_unfold(FILE *out, const char *svg, size_t len, const char *path)
{
	struct unfolder u = { 0 };
	struct str data = { 0 }, spans = { 0 }, traces = { 0 }, samples = { 0 }, text = { 0 };
	uint64_t start = 0;
	const char *wrong;

	decode_text(&data, svg, len, ID);
	decode_text(&u.stacks, svg, len, "timeline-stacks");
	decode_text(&spans, svg, len, "timeline-spans");
	decode_text(&traces, svg, len, "timeline-traces");
	decode_text(&samples, svg, len, "timeline-samples");
	u.data = json_make(str_text(&data), data.len);
	wrong = read_traces(&u, &traces);
	if (!wrong)
		wrong = timeline_unfold_read_stacks(&u);
	if (!wrong)
		wrong = read_spans(&u, &spans);
	if (!wrong)
		wrong = timeline_unfold_read_samples(&u, &samples);
	if (!wrong) {
		json_u64(json_member(u.data, "start"), &start);
		timeline_unfold_add_header(&u, &text);
		add_unfolded_stalls(&u, start, &text);
		timeline_unfold_write_lines(&u, &text, out);
	}
	free(u.lines);
	free(u.trace_lines);
	str_free(&u.traces);
	str_free(&traces);
	str_free(&samples);
	free(u.spans);
	str_free(&u.stacks);
	str_free(&data);
	str_free(&spans);
	str_free(&text);
	return wrong ? error("%s: %s", path, wrong) : 0;
}
