/* Lines become cells. */
#include "render/bars/bars.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/format/folded.h"
#include "core/lines.h"
#include "core/memory.h"
#include "core/str.h"
#include "render/profile/foreign.h"
#include "render/profile/line.h"
#include "render/profile/sample.h"

static const char COUNT_COLUMN[] = "count", LONGEST_COLUMN[] = "longest", MIGRATIONS_COLUMN[] = "migrations";

enum { FRAMES_MAX = 32 };

/* The meaning of a frame at the root. */
enum part { PART_NOTHING, PART_WHO, PART_KIND, PART_BY };

struct reader {
	struct bars *bars;
	const struct bars_wish *wish;
	enum part parts[FRAMES_MAX]; /* by place of the frame */
	bool in_row[FRAMES_MAX];     /* if part of a who: does it belong to the name of the row? */
	size_t part_count;
	size_t columns;                          /* columns of a line; 0: one value without columns */
	int count_at, longest_at, migrations_at; /* indexes of columns, or -1 */
	struct str who, row;
	const char *fault; /* what is wrong with the line; NULL: sample_fault() may know */
};

/* ---- values --------------------------------------------------------------- */

/* Take a column's value in units of 10^-b->decimals.  Returns NULL, or what is wrong. */
static const char *take_column(struct bars *b, const struct sample_column *c, uint64_t *value)
{
	static const char too_large[] = "the sum of all values would be too large";

	if (c->decimals > b->decimals && !bars_refine(b, c->decimals))
		return too_large;
	*value = decimal_shift(c->value, b->decimals - c->decimals);
	return *value == UINT64_MAX ? too_large : NULL;
}

/* Set *count to column number at, if there is such a column. */
static bool bars_read_take_count(const struct sample_column *columns, int at, uint64_t *count)
{
	if (at <= 0)
		return true;
	*count = columns[at].value;
	return !columns[at].decimals;
}

static const char *bars_read_take_columns(struct reader *r, const struct sample_column *columns,
					  struct bars_amount *amount)
{
	struct bars *b = r->bars;
	const char *wrong = take_column(b, &columns[0], &amount->value);
	uint64_t sum;

	*amount = (struct bars_amount){ .value = amount->value };
	if (!wrong && r->longest_at > 0) {
		/* may make the units finer */
		wrong = take_column(b, &columns[r->longest_at], &amount->longest);
		if (!wrong)
			wrong = take_column(b, &columns[0], &amount->value);
	}
	if (!wrong && (!bars_read_take_count(columns, r->count_at, &amount->count) ||
		       !bars_read_take_count(columns, r->migrations_at, &amount->migrations)))
		wrong = "the count is not a whole number";
	if (!wrong && (__builtin_add_overflow(b->amount.value, amount->value, &sum) ||
		       __builtin_add_overflow(b->amount.count, amount->count, &sum) ||
		       __builtin_add_overflow(b->amount.migrations, amount->migrations, &sum)))
		wrong = "the sum of all values would be too large";
	return wrong;
}

/* ---- frames --------------------------------------------------------------- */

struct found {
	const char *kind, *by; /* NULL: none */
	size_t kind_len, by_len;
};

static void append_frame(struct str *to, const char *frame, size_t len)
{
	if (to->len)
		str_addc(to, ';');
	str_add(to, frame, len);
}

/* Find the frames of kind and by, and set r's who and row from theirs. */
static void find_frames(struct reader *r, const char *stack, size_t len, struct found *f)
{
	const char *end = stack + len;

	*f = (struct found){ 0 };
	str_clear(&r->who);
	str_clear(&r->row);
	for (size_t place = 0; place < r->part_count && stack < end; place++) {
		const char *semicolon = memchr(stack, ';', (size_t)(end - stack));
		size_t frame_len = (size_t)((semicolon ? semicolon : end) - stack);

		switch (r->parts[place]) {
		case PART_WHO:
			append_frame(&r->who, stack, frame_len);
			if (r->in_row[place])
				append_frame(&r->row, stack, frame_len);
			break;
		case PART_KIND:
			f->kind = stack;
			f->kind_len = frame_len;
			break;
		case PART_BY:
			f->by = stack;
			f->by_len = frame_len;
			break;
		default: break;
		}
		stack += frame_len + 1;
	}
}

static const char *bars_read_add_sample(struct reader *r, const struct sample_line *s,
					const struct sample_column *columns)
{
	const struct bars_wish *wish = r->wish;
	struct bars *b = r->bars;
	struct bars_amount amount;
	const char *wrong;
	uint32_t who, row, kind, by = BARS_NOBODY;
	struct found f;

	find_frames(r, s->stack, s->stack_len, &f);
	if (!f.kind || !r->who.len || !f.kind_len)
		return "too few frames";
	if (wish->is_kind && !wish->is_kind(f.kind, f.kind_len)) {
		r->fault = f.kind;
		return "unknown state";
	}
	wrong = bars_read_take_columns(r, columns, &amount);
	if (wrong)
		return wrong;
	who = intern_add(&b->names, r->who.buf, r->who.len);
	row = intern_add(&b->names, str_text(&r->row), r->row.len);
	kind = intern_add(&b->names, f.kind, f.kind_len);
	if (f.by && f.by_len && (!wish->has_by || wish->has_by(f.kind, f.kind_len)))
		by = intern_add(&b->names, f.by, f.by_len);
	b->row_of = xgrow(b->row_of, &b->row_of_cap, b->names.count, sizeof(*b->row_of));
	b->row_of[who] = row;
	bars_amount_add(&bars_cell_of(b, who, kind, by)->amount, &amount);
	bars_amount_add(&b->amount, &amount);
	b->timed |= s->timed;
	if (wish->spans && s->timed) {
		b->spans = xgrow(b->spans, &b->spans_cap, b->span_count + 1, sizeof(*b->spans));
		b->spans[b->span_count++] = (struct bars_span){ s->time_ns, who, kind, by, amount.value };
	}
	return NULL;
}

/* ---- headers -------------------------------------------------------------- */

/* The meaning of the frame for this root. */
static enum part bars_read_part_of(const struct bars_wish *wish, const char *root)
{
	if (!strcmp(root, wish->kind))
		return PART_KIND;
	if (wish->by && !strcmp(root, wish->by))
		return PART_BY;
	return PART_WHO;
}

/* Exits 2 unless every root that makes rows is in the list. */
static void check_rows(const struct bars_wish *wish, const char *roots)
{
	for (const char *row = wish->rows; row && *row;) {
		size_t len = strcspn(row, ",");
		char *name = xstrndup(row, len);

		if (line_column(roots, name) < 0 || bars_read_part_of(wish, name) != PART_WHO)
			die_usage("--row %s: the root frames are %s "
				  "(collapse --root)",
				  name, roots);
		free(name);
		row += len + !!row[len];
	}
}

/* Note the roots in the order in which bars_unfold() writes them: those of rows, then kind, then by. */
static void note_roots(struct bars *b, const struct bars_wish *wish, const char *roots)
{
	static const enum part order[] = { PART_WHO, PART_KIND, PART_BY };

	for (size_t i = 0; i < 3; i++) {
		for (const char *at = roots; *at;) {
			size_t len = strcspn(at, ",");
			char *name = xstrndup(at, len);
			bool wanted = order[i] != PART_WHO || !wish->rows || line_column(wish->rows, name) >= 0;

			if (bars_read_part_of(wish, name) == order[i] && wanted)
				str_addf(&b->roots, "%s%s", b->roots.len ? "," : "", *name ? name : "unnamed");
			free(name);
			at += len + !!at[len];
		}
	}
}

/* Take the roots from a header: "thread,state,by". */
static void take_roots(struct reader *r, const char *roots)
{
	const struct bars_wish *wish = r->wish;
	bool who = false, kind = false;

	check_rows(wish, roots);
	if (!r->bars->roots.len)
		note_roots(r->bars, wish, roots);
	r->part_count = 0;
	for (const char *at = roots; *at && r->part_count < FRAMES_MAX;) {
		size_t len = strcspn(at, ","), place = r->part_count++;
		char *name = xstrndup(at, len);

		r->parts[place] = bars_read_part_of(wish, name);
		r->in_row[place] = !wish->rows || line_column(wish->rows, name) >= 0;
		who |= r->parts[place] == PART_WHO;
		kind |= r->parts[place] == PART_KIND;
		free(name);
		at += len + !!at[len];
	}
	if (!who || !kind)
		die_usage("the root frames are %s, and %s is not among them: "
			  "pyrograph collapse %sREC | pyrograph render %s",
			  roots, kind ? "a frame for rows" : wish->kind, wish->collapse, wish->verb);
}

/* The index of name in the list columns, or -1; columns beyond those that are read do not count. */
static int find_column(const char *columns, const char *name)
{
	int at = line_column(columns, name);

	return at < SAMPLE_COLUMNS_MAX ? at : -1;
}

/* Returns 0, or -1 after a message. */
static int bars_read_take_header(struct reader *r, const struct lines *in, const char *line, size_t len)
{
	const char *before = source_get(&r->bars->source, FOLDED_UNIT), *unit, *roots, *columns;
	struct folded_source header = { 0 };
	int status = 0;

	if (!source_read(&header, line, len))
		return 0;
	unit = source_get(&header, FOLDED_UNIT);
	roots = source_get(&header, FOLDED_ROOT);
	columns = source_get(&header, FOLDED_COLUMNS);
	if (before && unit && strcmp(before, unit)) {
		status = error("%s:%" PRIu64 ": these values are in %s, earlier ones in %s", in->path, in->number, unit,
			       before);
	} else if (foreign_events_check(&header, in->path, r->wish->collapse)) {
		status = -1;
	} else {
		take_roots(r, roots ? roots : r->wish->unsaid);
		r->columns = line_columns(columns);
		r->count_at = find_column(columns, COUNT_COLUMN);
		r->longest_at = find_column(columns, LONGEST_COLUMN);
		r->migrations_at = find_column(columns, MIGRATIONS_COLUMN);
		r->bars->has_count |= r->count_at > 0;
		r->bars->has_longest |= r->longest_at > 0;
		r->bars->has_migrations |= r->migrations_at > 0;
		source_read(&r->bars->source, line, len);
	}
	source_free(&header);
	return status;
}

/* ---- lines ---------------------------------------------------------------- */

static const char *bars_read_take_line(struct reader *r, const char *line, size_t len)
{
	const struct bars_wish *wish = r->wish;
	struct sample_column columns[SAMPLE_COLUMNS_MAX];
	struct bars *b = r->bars;
	const char *wrong;
	struct sample_line s;

	b->lines++;
	if (!line_passes(&wish->lines, line, len)) {
		b->filtered_lines++;
		return NULL;
	}
	if (!r->part_count)
		take_roots(r, wish->unsaid);
	wrong = sample_parse_columns(&s, line, len, r->columns ? r->columns : 1, columns);
	return wrong ? wrong : bars_read_add_sample(r, &s, columns);
}

static int bars_read_lines(struct reader *r, struct lines *in)
{
	struct str advice = { 0 };
	const char *wrong;
	uint64_t bad = 0;
	size_t len;
	char *line;

	while (lines_next(in, &line, &len)) {
		if (in->number == 1)
			line_skip_mark(&line, &len);
		if (in->number == 1 &&
		    foreign_is(&advice, line, lines_ahead(in, line), in->path, r->wish->collapse, r->wish->verb)) {
			error("%s: %s", in->path, advice.buf);
			str_free(&advice);
			return -1;
		}
		if (line_is_blank(line, len))
			continue;
		if (line_is_comment(line, len)) {
			if (bars_read_take_header(r, in, line, len) < 0)
				return -1;
			continue;
		}
		r->fault = NULL;
		wrong = bars_read_take_line(r, line, len);
		if (wrong && ++bad <= MESSAGES_MAX)
			line_report(in, wrong, r->fault ? (size_t)(r->fault - line) + 1 : 0, line, len);
	}
	r->bars->bad_lines += bad;
	return in->failed ? -1 : 0;
}

int bars_read(struct bars *b, const char *path, const struct bars_wish *wish)
{
	struct reader r = { .bars = b, .wish = wish, .count_at = -1, .longest_at = -1, .migrations_at = -1 };
	struct lines in;
	int status;

	if (lines_open(&in, path) < 0)
		return -1;
	status = bars_read_lines(&r, &in);
	lines_close(&in);
	str_free(&r.who);
	str_free(&r.row);
	return status;
}
