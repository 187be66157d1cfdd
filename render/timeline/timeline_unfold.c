#include "render/timeline/timeline_unfold.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/str.h"
#include "core/wallclock.h"
#include "render/encoding/decode.h"
#include "render/encoding/digits.h"
#include "render/encoding/json.h"
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
	} * lines;
	size_t line_count, lines_cap;
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

/* "time,count,longest" without those that a timeline does not know. */
static void read_columns(struct unfolder *u, const struct str *list, struct str *known)
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

static void add_header(struct unfolder *u, struct str *out)
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
				read_columns(u, &text, &columns);
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

/* "ROW KIND TEXT": only the text matters here. */
static const char *read_stacks(struct unfolder *u)
{
	const char *text = str_text(&u->stacks);

	for (size_t at = 0, len; at < u->stacks.len; at += len + 1) {
		const char *newline = memchr(text + at, '\n', u->stacks.len - at), *first, *second;

		len = newline ? (size_t)(newline - text) - at : u->stacks.len - at;
		first = memchr(text + at, ' ', len);
		second = first ? memchr(first + 1, ' ', (size_t)(text + at + len - first - 1)) : NULL;
		if (!second)
			return DAMAGED;
		u->lines = xgrow(u->lines, &u->lines_cap, u->line_count + 1, sizeof(*u->lines));
		u->lines[u->line_count++] =
			(struct stack_line){ (size_t)(second + 1 - text), (size_t)(text + at + len - second - 1) };
	}
	return NULL;
}

/* *end: where the span before it in its row ends; *stack: its stack. */
static void take_span(struct unfolder *u, struct digits *in, uint64_t *end, uint64_t *stack)
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
			take_span(u, &in, &end, &stack);
		}
	}
	return in.bad ? DAMAGED : NULL;
}

/* ---- lines ------------------------------------------------------------------ */

static int by_time(const void *a, const void *b)
{
	const struct unfolded_span *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

/* Append a stack's frames, cleaned: damaged pictures may hold any bytes. */
static void add_stack(struct str *out, const char *text, size_t len)
{
	while (len) {
		const char *semicolon = memchr(text, ';', len);
		size_t frame = semicolon ? (size_t)(semicolon - text) : len;

		unfold_frame(out, text, frame);
		if (!semicolon)
			return;
		str_addc(out, ';');
		text += frame + 1;
		len -= frame + 1;
	}
}

static void write_lines(struct unfolder *u, struct str *text, FILE *out)
{
	if (u->span_count)
		qsort(u->spans, u->span_count, sizeof(*u->spans), by_time);
	for (size_t i = 0; i < u->span_count; i++) {
		const struct unfolded_span *s = &u->spans[i];
		const struct stack_line *line = &u->lines[s->stack];

		str_addf(text, "@%llu.%09llu ", s->start_ns / NS_PER_SEC, s->start_ns % NS_PER_SEC);
		add_stack(text, u->stacks.buf + line->start, line->len);
		unfold_value(text, s->time_ns, 0);
		for (size_t k = 0; k < u->column_count; k++)
			unfold_value(text, s->more[u->columns[k]], 0);
		str_addc(text, '\n');
		if (text->len > FLUSH_BYTES) {
			fwrite(text->buf, 1, text->len, out);
			str_clear(text);
		}
	}
	fwrite(text->buf, 1, text->len, out);
}

int timeline_unfold(FILE *out, const char *svg, size_t len, const char *path)
{
	struct unfolder u = { 0 };
	struct str data = { 0 }, spans = { 0 }, text = { 0 };
	const char *wrong;

	decode_text(&data, svg, len, ID);
	decode_text(&u.stacks, svg, len, "timeline-stacks");
	decode_text(&spans, svg, len, "timeline-spans");
	u.data = json_make(str_text(&data), data.len);
	wrong = read_stacks(&u);
	if (!wrong)
		wrong = read_spans(&u, &spans);
	if (!wrong) {
		add_header(&u, &text);
		write_lines(&u, &text, out);
	}
	free(u.lines);
	free(u.spans);
	str_free(&u.stacks);
	str_free(&data);
	str_free(&spans);
	str_free(&text);
	return wrong ? error("%s: %s", path, wrong) : 0;
}
