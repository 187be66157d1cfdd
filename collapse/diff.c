#include "collapse/diff.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "collapse/collapse.h"
#include "collapse/finish.h"
#include "collapse/output/facts.h"
#include "collapse/output/output.h"
#include "collapse/run.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/format/pairs.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "core/utf8.h"

enum { BEFORE, AFTER, SIDES };

/* Scaled values have this many decimals. */
enum { DIGITS = 6, UNIT = 1000000, SCALE_BITS = 43 };

struct amount {
	uint64_t whole, fraction; /* fraction: of 1/COLUMN_ONE */
};

struct side {
	const char *path;
	struct amount *values; /* [stacks.count], or fewer: the rest is 0 */
	size_t count, cap;
	struct amount total;
	char *unit;
	struct str header;
	struct header_facts facts;
	uint64_t scale_up, scale_down; /* its values are multiplied with the one and divided by the other */
	bool left_empty;               /* the filters left none of its stacks: its values are 0 */
	size_t nameless;               /* how many values each stack has, if none of them is the weight; 0: one of them
				        * is */
};

struct comparison {
	const struct options *options;
	struct intern stacks;
	struct side sides[SIDES];
	struct side *side; /* the one that is read */
	bool nothing;      /* nothing in it was asked for */
	enum { NORMALIZE_NONE, NORMALIZE_TOTAL, NORMALIZE_DURATION, NORMALIZE_WINDOWS } normalize;
};

static const char *const ways[] = {
	[NORMALIZE_NONE] = "none",
	[NORMALIZE_TOTAL] = "total",
	[NORMALIZE_DURATION] = "duration",
	[NORMALIZE_WINDOWS] = FOLDED_BY_WINDOWS,
};

/* ---- reading ----------------------------------------------------------------------- */

static void collapse_diff_add(struct amount *a, struct amount b)
{
	a->fraction += b.fraction;
	a->whole = column_carry(column_sum(a->whole, b.whole), &a->fraction);
}

/* "app+0x1f40" -> "app+0x...": addresses differ in each build. */
static void strip_hex(struct str *text)
{
	struct str stripped = { 0 };

	for (size_t i = 0; i < text->len;) {
		if (i + 2 < text->len && !memcmp(text->buf + i, "0x", 2) && isxdigit((unsigned char)text->buf[i + 2])) {
			str_puts(&stripped, "0x...");
			for (i += 2; i < text->len && isxdigit((unsigned char)text->buf[i]); i++)
				;
		} else {
			str_addc(&stripped, text->buf[i++]);
		}
	}
	str_free(text);
	*text = stripped;
}

static void collapse_diff_add_line(struct comparison *d, const struct str *text, struct amount value)
{
	struct side *side = d->side;
	uint32_t stack = intern_add(&d->stacks, text->buf, text->len);

	side->values = xgrow(side->values, &side->cap, (size_t)stack + 1, sizeof(*side->values));
	while (side->count <= stack)
		side->values[side->count++] = (struct amount){ 0 };
	collapse_diff_add(&side->values[stack], value);
	collapse_diff_add(&side->total, value);
}

/* The number of values of each stack if none of them is the weight, as in a differential or without names; else 0. */
static size_t nameless_values(const struct side *s, const struct columns *c)
{
	const char *names = facts_get(&s->facts, FOLDED_COLUMNS);
	size_t count = c->count - c->fractions;

	return count > 1 && (!names || !strcmp(names, FOLDED_COMPARED)) ? count : 0;
}

/* What one run of collapse found. */
static void collapse_diff_take(void *argument, const struct product *p)
{
	const struct columns *c = p->fold->columns;
	struct comparison *d = argument;
	struct str text = { 0 };

	for (size_t i = 0; i < p->fold->count; i++) {
		const struct fold_line *line = &p->fold->lines[i];
		const uint64_t *more = fold_more(p->fold, line);

		if (!line->kept)
			continue;
		str_clear(&text);
		fold_line_text(line, p->texts, &text);
		if (d->options->strip_hex)
			strip_hex(&text);
		collapse_diff_add_line(
			d, &text, (struct amount){ line->value, c->fractions ? more[c->count - c->fractions - 1] : 0 });
	}
	str_free(&text);
	str_add(&d->side->header, str_text(&p->header), p->header.len);
	facts_read(&d->side->facts, str_text(&p->header));
	d->side->nameless = nameless_values(d->side, c);
	d->side->unit =
		xstrdup(facts_get(&d->side->facts, FOLDED_UNIT) ? facts_get(&d->side->facts, FOLDED_UNIT) : p->unit);
}

static int read_side(struct comparison *d, int number, const char *path)
{
	struct collapse *c = xcalloc(1, sizeof(*c));
	int status;

	d->side = &d->sides[number];
	d->side->path = path;
	c->options = *d->options;
	c->options.recording = path;
	if (number == AFTER && d->options->between_after)
		c->options.between = d->options->between_after;
	c->options.take = collapse_diff_take;
	c->options.take_argument = d;
	status = collapse_run(c);
	d->nothing |= c->reading.nothing;
	if (status < 0 && c->nothing_left && !c->options.if_any) {
		d->side->left_empty = true; /* the side's own message said so; a comparison is meant to show stacks that
					     * only the other side has */
		status = 0;
	}
	collapse_free(c);
	free(c);
	if (!status && d->side->nameless)
		return error(
			"--diff: %s has %zu values for each stack, as a differential has, and not one: compare the "
			"profiles that it was made from",
			path, d->side->nameless);
	return status;
}

/* ---- scales ------------------------------------------------------------------------ */

static uint64_t collapse_diff_duration_of(const struct side *s)
{
	uint64_t start_ns = facts_instant(&s->facts, FOLDED_START), end_ns = facts_instant(&s->facts, FOLDED_END);

	return start_ns && start_ns < end_ns ? end_ns - start_ns : 0;
}

/* Scale the smaller profile up, so that the counts of the other one stay unchanged. */
static void collapse_diff_scale_up(struct comparison *d, uint64_t before, uint64_t after)
{
	struct side *small = &d->sides[before < after ? BEFORE : AFTER];
	uint64_t larger = before < after ? after : before, smaller = before < after ? before : after;

	/* No value of the smaller one is above its total, so that value * larger fits into 128 bits. */
	while (smaller >> SCALE_BITS) {
		larger >>= 1;
		smaller >>= 1;
	}
	if (smaller) {
		small->scale_up = larger;
		small->scale_down = smaller;
	}
}

/* Totals, in millionths if these fit. */
static void totals_of(const struct comparison *d, uint64_t sizes[SIDES])
{
	const struct amount *before = &d->sides[BEFORE].total, *after = &d->sides[AFTER].total;
	bool small = !(before->whole >> SCALE_BITS) && !(after->whole >> SCALE_BITS);

	for (int i = 0; i < SIDES; i++) {
		const struct amount *total = &d->sides[i].total;

		sizes[i] = small ? total->whole * UNIT + total->fraction / (COLUMN_ONE / UNIT) : total->whole;
	}
}

static uint64_t windows_of(const struct side *s)
{
	const char *windows = facts_get(&s->facts, FOLDED_WINDOWS);

	return windows ? strtoull(windows, NULL, 10) : 0;
}

static int collapse_diff_make_scales(struct comparison *d)
{
	uint64_t sizes[SIDES];

	totals_of(d, sizes);
	for (int i = 0; i < SIDES; i++) {
		struct side *s = &d->sides[i];

		s->scale_up = s->scale_down = 1;
		if (d->normalize == NORMALIZE_DURATION)
			sizes[i] = collapse_diff_duration_of(s);
		if (d->normalize == NORMALIZE_DURATION && !sizes[i])
			return error("--normalize duration: the header of %s has no start= and end=", s->path);
	}
	for (int i = 0; i < SIDES && d->normalize == NORMALIZE_WINDOWS; i++) {
		sizes[i] = windows_of(&d->sides[i]);
		if (!sizes[i])
			return error("--normalize windows: %s has no windows (collect --between A,B)",
				     d->sides[i].path);
	}
	if (d->normalize != NORMALIZE_NONE)
		collapse_diff_scale_up(d, sizes[BEFORE], sizes[AFTER]);
	return 0;
}

/* ---- writing ----------------------------------------------------------------------- */

static void collapse_diff_add_amount(const struct side *s, uint32_t stack, struct str *out)
{
	struct amount a = stack < s->count ? s->values[stack] : (struct amount){ 0 };
	struct columns one = { .count = 2, .fractions = 1 };
	__uint128_t scaled;

	if (s->scale_up != s->scale_down) {
		scaled = ((__uint128_t)a.whole * UNIT + a.fraction / (COLUMN_ONE / UNIT)) * s->scale_up;
		scaled = (scaled + s->scale_down / 2) / s->scale_down;
		a.whole = (uint64_t)(scaled / UNIT);
		a.fraction = (uint64_t)(scaled % UNIT) * (COLUMN_ONE / UNIT);
	}
	columns_add_values(&one, a.whole, &a.fraction, ' ', out);
}

/* Order stacks frame by frame, as if ';' came before all other bytes. */
static int by_frames(const void *x, const void *y, void *stacks)
{
	const unsigned char *a = (const void *)intern_text(stacks, *(const uint32_t *)x);
	const unsigned char *b = (const void *)intern_text(stacks, *(const uint32_t *)y);

	while (*a && *a == *b)
		a++, b++;
	return (*a == ';' ? 1 : *a ? *a + 1 : 0) - (*b == ';' ? 1 : *b ? *b + 1 : 0);
}

static void collapse_diff_add_header(const struct comparison *d, struct str *out)
{
	static const char *const names[] = { "before", "after" };
	struct str losses = { 0 };
	const char *event = facts_get(&d->sides[AFTER].facts, FOLDED_EVENT);

	str_puts(out, FOLDED_HEADER);
	if (event)
		pair_add(out, FOLDED_EVENT, event);
	for (int i = 0; i < SIDES; i++) {
		struct str one = { 0 };

		facts_losses(&d->sides[i].facts, &one);
		if (one.len)
			str_addf(&losses, "%s%s: %s", losses.len ? "; " : "", names[i], one.buf);
		str_free(&one);
	}
	if (losses.len)
		pair_add(out, FOLDED_LOSSES, losses.buf);
	if (d->normalize != NORMALIZE_NONE)
		pair_add(out, FOLDED_NORMALIZE, ways[d->normalize]);
	pair_add(out, FOLDED_COLUMNS, FOLDED_COMPARED);
	pair_add(out, FOLDED_UNIT, d->sides[AFTER].unit);
	out->buf[out->len - 1] = '\n';
	for (int i = 0; i < SIDES; i++) {
		const char *header = str_text(&d->sides[i].header);

		str_addf(out, "# %s: ", names[i]);
		printable_add(out, d->sides[i].path, strlen(d->sides[i].path));
		str_puts(out, ": ");
		if (text_begins(header, d->sides[i].header.len, FOLDED_HEADER))
			str_add(out, header + strlen(FOLDED_HEADER), strcspn(header, "\n") - strlen(FOLDED_HEADER));
		else
			str_puts(out, d->sides[i].left_empty ? "nothing is left" : "without a header");
		str_addc(out, '\n');
	}
	str_free(&losses);
}

static void collapse_diff_write_lines(FILE *out, const void *diff)
{
	const struct comparison *d = diff;
	uint32_t *order = xmalloc((d->stacks.count + 1) * sizeof(*order));
	struct str text = { 0 };

	for (uint32_t i = 0; i < d->stacks.count; i++)
		order[i] = i;
	if (d->stacks.count)
		qsort_r(order, d->stacks.count, sizeof(*order), by_frames, (void *)&d->stacks);
	collapse_diff_add_header(d, &text);
	for (size_t i = 0; i < d->stacks.count; i++) {
		str_add(&text, intern_text(&d->stacks, order[i]), intern_len(&d->stacks, order[i]));
		for (int side = 0; side < SIDES; side++)
			collapse_diff_add_amount(&d->sides[side], order[i], &text);
		str_addc(&text, '\n');
		fwrite(text.buf, 1, text.len, out);
		str_clear(&text);
	}
	str_free(&text);
	free(order);
}

/* ---- all of it ----------------------------------------------------------------------- */

static void collapse_diff_choose_way(struct comparison *d)
{
	const char *asked = d->options->normalize;
	size_t count = sizeof(ways) / sizeof(*ways);

	for (size_t i = 0; i < count; i++) {
		if (!asked || !strcmp(ways[i], asked)) {
			d->normalize = i;
			return;
		}
	}
	nearest_die("--normalize", asked, ways, count);
}

static int collapse_diff_compare(struct comparison *d)
{
	const char *after = d->options->between_after ? d->options->recording : d->options->inputs[1];

	if (read_side(d, BEFORE, d->options->recording) < 0 || read_side(d, AFTER, after) < 0)
		return -1;
	if (d->sides[BEFORE].left_empty && d->sides[AFTER].left_empty)
		return -1;
	for (int i = 0; i < SIDES; i++) {
		if (!d->sides[i].unit)
			d->sides[i].unit = xstrdup(d->sides[SIDES - 1 - i].unit);
	}
	if (strcmp(d->sides[BEFORE].unit, d->sides[AFTER].unit) != 0)
		return error("--diff: %s has %s, and %s has %s: --event or --weight chooses the same for both",
			     d->sides[BEFORE].path, d->sides[BEFORE].unit, d->sides[AFTER].path, d->sides[AFTER].unit);
	if (collapse_diff_make_scales(d) < 0)
		return -1;
	return output_write(d->options->output, collapse_diff_write_lines, d);
}

int diff_run(const struct options *o)
{
	struct comparison d = { .options = o };
	int status;

	collapse_diff_choose_way(&d);
	status = collapse_diff_compare(&d);
	intern_free(&d.stacks);
	for (int i = 0; i < SIDES; i++) {
		free(d.sides[i].values);
		free(d.sides[i].unit);
		str_free(&d.sides[i].header);
		facts_free(&d.sides[i].facts);
	}
	return status < 0 && d.nothing && o->if_any ? 1 : status;
}
