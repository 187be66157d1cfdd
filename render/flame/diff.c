#include "render/flame/diff.h"

#include <string.h>

#include "core/error.h"

#define MINUS "\xe2\x88\x92"

/* Crumbs have so many strengths of each hue. */
enum { CRUMB_STEPS = 3 };

/* red-blue is flamegraph.pl's (255, c, c) and (c, c, 255), with c not below what
 * black text needs; orange-blue is from Okabe and Ito's set, whose colours people
 * with any colour vision tell apart (jfly.uni-koeln.de/color). */
static const struct diff_colours known[] = {
	{ "red-blue", { 0xffd6d6, 0xff5a5a }, { 0xd6d6ff, 0x6c6cff }, 0xffb52e, 0x3fbfae, 0xececec },
	{ "orange-blue", { 0xffe3c2, 0xe88a1a }, { 0xd3e8f8, 0x4aa3e0 }, 0xf0e442, 0x00a57a, 0xececec },
	{0}
};

const struct diff_colours *diff_colours_find(const char *name)
{
	for (const struct diff_colours *c = known; c->name; c++) {
		if (!strcmp(c->name, name))
			return c;
	}
	die_usage("--delta-colors wants red-blue or orange-blue, not '%s'", name);
}

/* ---- values --------------------------------------------------------------- */

static uint64_t scaled(const struct diff_side *side, uint64_t value)
{
	return scale_u64(value, side->scale.num, side->scale.den);
}

uint64_t diff_value(const struct diff_side *side, uint32_t i)
{
	return scaled(side, side->totals[i]);
}

static uint64_t self_value(const struct tree *t, const struct diff_side *side, uint32_t i)
{
	uint64_t self = side->totals[i];

	for (uint32_t c = i + 1; c < t->frames[i].end; c = t->frames[c].end)
		self -= side->totals[c];
	return scaled(side, self);
}

uint64_t diff_delta(const struct diff *d, uint32_t i, bool *shrank)
{
	uint64_t base, new;

	base = d->by_self ? self_value(d->tree, &d->base, i) : diff_value(&d->base, i);
	new = d->by_self ? self_value(d->tree, &d->new, i) : diff_value(&d->new, i);
	*shrank = new < base;
	return *shrank ? base - new : new - base;
}

static bool is_noise(const struct diff *d, uint64_t delta)
{
	return (double)delta < d->threshold * (double)d->whole;
}

enum diff_kind diff_kind_of(const struct diff *d, uint32_t i)
{
	uint64_t base = diff_value(&d->base, i), new = diff_value(&d->new, i), delta;
	bool shrank;

	if (!d->base.totals[i])
		return is_noise(d, new) ? DIFF_SAME : DIFF_NEW;
	if (!d->new.totals[i])
		return is_noise(d, base) ? DIFF_SAME : DIFF_GONE;
	delta = diff_delta(d, i, &shrank);
	if (!delta || is_noise(d, delta))
		return DIFF_SAME;
	return shrank ? DIFF_SHRANK : DIFF_GREW;
}

/* ---- colours -------------------------------------------------------------- */

static uint32_t colour(const struct diff *d, uint32_t i, uint64_t steps)
{
	const struct diff_colours *c = d->colours;
	uint64_t delta, whole = d->largest;
	enum diff_kind kind = diff_kind_of(d, i);
	const struct hue *hue;
	bool shrank;

	if (kind == DIFF_NEW || kind == DIFF_GONE)
		return kind == DIFF_NEW ? c->appeared : c->gone;
	if (kind == DIFF_SAME)
		return c->same;
	delta = diff_delta(d, i, &shrank);
	if (delta > whole) /* the root alone can be that */
		delta = whole;
	if (steps) {
		delta = 2 * scale_u64(delta, steps - 1, whole) + 1;
		whole = 2 * steps;
	}
	hue = kind == DIFF_GREW ? &c->grew : &c->shrank;
	return colour_between(hue->pale, hue->strong, delta, whole);
}

static uint32_t diff_box(const struct colouring *c, uint32_t frame)
{
	return colour((const struct diff *)c, frame, 0);
}

static uint32_t diff_crumb(const struct colouring *c, uint32_t frame)
{
	return colour((const struct diff *)c, frame, CRUMB_STEPS);
}

static void tip_of(const struct colouring *c, struct str *out, uint32_t frame)
{
	diff_tip((const struct diff *)c, out, frame);
}

void diff_make(struct diff *d)
{
	uint64_t base = diff_value(&d->base, d->root), new = diff_value(&d->new, d->root), delta;
	bool shrank;

	d->colouring = (struct colouring){ diff_box, diff_crumb, tip_of };
	d->whole = base > new ? base : new;
	d->largest = 1;
	for (uint32_t i = d->root + 1; i < d->tree->frames[d->root].end; i++) {
		delta = diff_delta(d, i, &shrank);
		if (delta > d->largest)
			d->largest = delta;
	}
}

/* ---- words ---------------------------------------------------------------- */

static void add_side(const struct diff *d, struct str *out, const struct diff_side *side,
		     uint32_t i)
{
	str_puts(out, side->name);
	str_addc(out, ' ');
	value_add(out, side->totals[i], d->unit);
	str_puts(out, ", ");
	share_add(out, side->totals[i], side->totals[d->root]);
}

/* part / whole as a signed percentage: "+12.34%". */
static void add_signed(struct str *out, bool minus, uint64_t part, uint64_t whole)
{
	str_puts(out, !part ? "" : minus ? MINUS : "+");
	share_add(out, part, whole);
}

static bool is_plain(const struct profile_scale *scale)
{
	return scale->num == scale->den;
}

/* The change as shares compare ("+12.34 points"), as values do when these are
 * not scaled ("+12 samples"), or else as a share of the larger whole. */
static void add_change(const struct diff *d, struct str *out, bool minus, uint64_t delta)
{
	if (diff_value(&d->base, d->root) == diff_value(&d->new, d->root)) {
		add_signed(out, minus, delta, d->whole);
		out->buf[--out->len] = '\0'; /* the percent sign */
		str_puts(out, " points");
	} else if (is_plain(&d->base.scale) && is_plain(&d->new.scale)) {
		str_puts(out, !delta ? "" : minus ? MINUS : "+");
		value_add(out, delta, d->unit);
	} else {
		add_signed(out, minus, delta, d->whole);
		str_puts(out, " of all");
	}
}

void diff_tip(const struct diff *d, struct str *out, uint32_t i)
{
	uint64_t base = diff_value(&d->base, i), delta;
	bool shrank;
	struct diff totals = *d;

	totals.by_self = false;
	add_side(d, out, &d->base, i);
	str_puts(out, "; ");
	add_side(d, out, &d->new, i);
	str_puts(out, "; ");
	delta = diff_delta(&totals, i, &shrank);
	add_change(d, out, shrank, delta);
	if (!d->base.totals[i]) {
		str_puts(out, ", new");
	} else if (!d->new.totals[i]) {
		str_puts(out, ", gone");
	} else if (base) {
		str_puts(out, ", ");
		add_signed(out, shrank, delta, base);
	}
	if (!d->by_self)
		return;
	str_puts(out, "; self ");
	delta = diff_delta(d, i, &shrank);
	add_change(d, out, shrank, delta);
}

void diff_legend(const struct diff *d, struct legend *legend, const char *gone)
{
	const struct diff_colours *c = d->colours;
	struct str same = {0};

	legend_add(legend, c->grew.pale, "");
	legend_add(legend, c->grew.strong, d->by_self ? "grew (itself)" : "grew");
	legend_add(legend, c->shrank.pale, "");
	legend_add(legend, c->shrank.strong, d->by_self ? "shrank (itself)" : "shrank");
	legend_add(legend, c->appeared, "new");
	legend_add(legend, c->gone, gone);
	if (d->threshold > 0)
		str_addf(&same, "unchanged (by less than %.6g%%)", d->threshold * 100);
	else
		str_puts(&same, "unchanged");
	legend_add(legend, c->same, same.buf);
	str_free(&same);
}
