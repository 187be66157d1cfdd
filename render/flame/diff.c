#include "render/flame/diff.h"

#include <math.h>
#include <string.h>

#include "core/error.h"

#define MINUS "\xe2\x88\x92"

/* CRUMB_STEPS: how many strengths of each hue crumbs have.  STRENGTHS: the same for boxes, a multiple of 1 to
 * 16, so that any simple share of the largest change is a whole number of steps. */
enum { CRUMB_STEPS = 3, STRENGTHS = 720720 };

/* Shares below this are rounding errors of doubles. */
#define ROUNDING 1e-12

/* red-blue is (255, c, c) and (c, c, 255), as in flamegraph.pl, but c is never so low that black text is hard to read;
 * orange-blue is from Okabe and Ito's set, whose colours people with any colour vision can distinguish
 * (jfly.uni-koeln.de/color). */
static const struct diff_colours known[] = {
	{ "red-blue", { 0xffd6d6, 0xff5a5a }, { 0xd6d6ff, 0x6c6cff }, 0xffb52e, 0x3fbfae, 0xececec },
	{ "orange-blue", { 0xffe3c2, 0xe88a1a }, { 0xd3e8f8, 0x4aa3e0 }, 0xf0e442, 0x00a57a, 0xececec },
	{ 0 }
};

const struct diff_colours *diff_colours_find(const char *name)
{
	for (const struct diff_colours *c = known; c->name; c++) {
		if (!strcmp(c->name, name))
			return c;
	}
	die_usage("--delta-colors needs red-blue or orange-blue, not '%s'", name);
}

/* ---- values --------------------------------------------------------------- */

static double scaled(const struct diff_side *side, uint64_t value)
{
	const struct profile_scale *scale = &side->scale;

	if (scale->num == scale->den)
		return (double)value;
	return (double)value * (double)scale->num / (double)scale->den;
}

double diff_value(const struct diff_side *side, uint32_t i)
{
	return scaled(side, side->totals[i]);
}

static uint64_t flame_diff_self_of(const struct tree *t, const struct diff_side *side, uint32_t i)
{
	uint64_t self = side->totals[i];

	for (uint32_t c = i + 1; c < t->frames[i].end; c = t->frames[c].end)
		self -= side->totals[c];
	return self;
}

static double self_value(const struct tree *t, const struct diff_side *side, uint32_t i)
{
	return scaled(side, flame_diff_self_of(t, side, i));
}

double diff_delta(const struct diff *d, uint32_t i)
{
	double delta = d->by_self ? self_value(d->tree, &d->new, i) - self_value(d->tree, &d->base, i)
				  : diff_value(&d->new, i) - diff_value(&d->base, i);

	return d->negate ? -delta : delta;
}

static bool flame_diff_is_noise(const struct diff *d, double delta)
{
	return fabs(delta) < fmax(d->threshold, ROUNDING) * d->whole;
}

/* ---- chance --------------------------------------------------------------- */

double diff_z_of_level(double level)
{
	double low = 0, high = 40;

	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (erfc(middle / sqrt(2)) > level)
			low = middle;
		else
			high = middle;
	}
	return round(low * 1e6) / 1e6; /* the same digits whatever the math library */
}

/* Are both roots equal, so that shares are compared? */
static bool compares_shares(const struct diff *d)
{
	return fabs(diff_value(&d->base, d->root) - diff_value(&d->new, d->root)) <= ROUNDING * d->whole;
}

/* How many samples a value is. */
static double flame_diff_count_of(const struct diff *d, uint64_t value)
{
	double one = 1;

	for (unsigned i = 0; i < d->unit->decimals; i++)
		one *= 10;
	return (double)value / one;
}

/* Is the difference between the counts base and new within chance?  layers.js computes the same in the same
 * order. */
static bool is_chance(const struct diff *d, uint64_t base, uint64_t new)
{
	const struct profile_scale *s0 = &d->base.scale, *s1 = &d->new.scale;
	double rho = ((double)s0->num / (double)s0->den) / ((double)s1->num / (double)s1->den);
	double x0 = flame_diff_count_of(d, base), x1 = flame_diff_count_of(d, new), share = 0, z;

	if (compares_shares(d)) {
		double n0 = flame_diff_count_of(d, d->base.totals[d->root]),
		       n1 = flame_diff_count_of(d, d->new.totals[d->root]);

		share = (x0 + x1) / (n0 + n1);
		if (share > 0.5) {
			share = 1 - share;
			x0 = n0 - x0;
			x1 = n1 - x1;
		}
	}
	z = 2 * fabs(sqrt(x1 + 0.375) - sqrt(rho * (x0 + 0.375))) / sqrt(1 + rho) / sqrt(1 - share);
	return z < d->chance_z;
}

static bool total_is_chance(const struct diff *d, uint32_t i)
{
	return d->chance_z > 0 && is_chance(d, d->base.totals[i], d->new.totals[i]);
}

static bool self_is_chance(const struct diff *d, uint32_t i)
{
	return d->chance_z > 0 &&
	       is_chance(d, flame_diff_self_of(d->tree, &d->base, i), flame_diff_self_of(d->tree, &d->new, i));
}

bool diff_is_chance(const struct diff *d, uint32_t i)
{
	bool by_self = d->by_self && d->base.totals[i] && d->new.totals[i];

	return by_self ? self_is_chance(d, i) : total_is_chance(d, i);
}

enum diff_kind diff_kind_of(const struct diff *d, uint32_t i)
{
	double delta;

	if (diff_is_chance(d, i))
		return DIFF_SAME;
	if (!d->base.totals[i])
		return flame_diff_is_noise(d, diff_value(&d->new, i)) ? DIFF_SAME : DIFF_NEW;
	if (!d->new.totals[i])
		return flame_diff_is_noise(d, diff_value(&d->base, i)) ? DIFF_SAME : DIFF_GONE;
	delta = diff_delta(d, i);
	if (flame_diff_is_noise(d, delta))
		return DIFF_SAME;
	return delta < 0 ? DIFF_SHRANK : DIFF_GREW;
}

/* ---- colours -------------------------------------------------------------- */

static uint32_t colour(const struct diff *d, uint32_t i, uint64_t steps)
{
	const struct diff_colours *c = d->colours;
	uint64_t strength, whole = STRENGTHS;
	enum diff_kind kind = diff_kind_of(d, i);
	const struct hue *hue;

	if (kind == DIFF_NEW || kind == DIFF_GONE)
		return kind == DIFF_NEW ? c->appeared : c->gone;
	if (kind == DIFF_SAME)
		return c->same;
	/* only the root's delta can exceed the largest */
	strength = (uint64_t)(fmin(fabs(diff_delta(d, i)) / d->largest, 1) * STRENGTHS + 0.5);
	if (steps) {
		strength = 2 * (strength * (steps - 1) / STRENGTHS) + 1;
		whole = 2 * steps;
	}
	hue = kind == DIFF_GREW ? &c->grew : &c->shrank;
	return colour_between(hue->pale, hue->strong, strength, whole);
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
	d->colouring = (struct colouring){ diff_box, diff_crumb, tip_of };
	d->whole = fmax(diff_value(&d->base, d->root), diff_value(&d->new, d->root));
	d->largest = 0;
	for (uint32_t i = d->root + 1; i < d->tree->frames[d->root].end; i++)
		d->largest = fmax(d->largest, fabs(diff_delta(d, i)));
	d->largest = d->largest > 0 ? d->largest : 1;
}

/* ---- words ---------------------------------------------------------------- */

static void add_side(const struct diff *d, struct str *out, const struct diff_side *side, uint32_t i)
{
	str_puts(out, side->name);
	str_addc(out, ' ');
	value_add(out, side->totals[i], d->unit);
	str_puts(out, ", ");
	percentage_add(out, side->totals[i], side->totals[d->root]);
}

static void add_sign(struct str *out, double delta)
{
	str_puts(out, delta < 0 ? MINUS : delta > 0 ? "+" : "");
}

/* part / whole as a signed percentage, "+12.3"; "0" if it would be 0.00. */
static void add_signed(struct str *out, double part, double whole)
{
	double percent = whole > 0 ? fabs(part) / whole * 100 : 0;
	double hundredths = percent < 9.995 ? floor(percent * 100 + 0.5) : floor(percent * 10 + 0.5) * 10;

	add_sign(out, hundredths > 0 ? part : 0);
	quantity_add(out, hundredths < 1.8e19 ? (uint64_t)hundredths : UINT64_MAX, 100);
}

static bool flame_diff_is_plain(const struct profile_scale *scale)
{
	return scale->num == scale->den;
}

/* Append the change: as a difference of shares ("+12.34 points"), as a difference of values if these are not scaled
 * ("+12 samples"), else as a share of the larger whole. */
static void flame_diff_add_change(const struct diff *d, struct str *out, double delta)
{
	if (compares_shares(d)) {
		add_signed(out, delta, d->whole);
		str_puts(out, " points");
	} else if (flame_diff_is_plain(&d->base.scale) && flame_diff_is_plain(&d->new.scale)) {
		add_sign(out, delta);
		value_add(out, (uint64_t)fabs(delta), d->unit);
	} else {
		add_signed(out, delta, d->whole);
		str_puts(out, " % of all");
	}
}

/* delta, or 0 if it is just a rounding error. */
static double without_rounding(const struct diff *d, double delta)
{
	return fabs(delta) <= ROUNDING * d->whole ? 0 : delta;
}

void diff_tip(const struct diff *d, struct str *out, uint32_t i)
{
	struct diff totals = *d;
	double delta;

	totals.by_self = false;
	add_side(d, out, &d->base, i);
	str_puts(out, "; ");
	add_side(d, out, &d->new, i);
	str_puts(out, "; ");
	delta = without_rounding(d, diff_delta(&totals, i));
	flame_diff_add_change(d, out, delta);
	if (delta != 0 && total_is_chance(d, i)) {
		str_puts(out, ", within chance");
	} else if (!d->base.totals[i]) {
		str_puts(out, ", new");
	} else if (!d->new.totals[i]) {
		str_puts(out, ", gone");
	} else {
		str_puts(out, ", ");
		add_signed(out, delta, diff_value(&d->base, i));
		str_puts(out, " %");
	}
	if (!d->by_self)
		return;
	delta = without_rounding(d, diff_delta(d, i));
	str_puts(out, "; self ");
	flame_diff_add_change(d, out, delta);
	if (delta != 0 && self_is_chance(d, i))
		str_puts(out, ", within chance");
}

void diff_legend(const struct diff *d, struct legend *legend, const char *gone)
{
	const struct diff_colours *c = d->colours;
	struct str same = { 0 };

	legend_add(legend, c->grew.pale, "");
	legend_add(legend, c->grew.strong, d->by_self ? "grew (itself)" : "grew");
	legend_add(legend, c->shrank.pale, "");
	legend_add(legend, c->shrank.strong, d->by_self ? "shrank (itself)" : "shrank");
	legend_add(legend, c->appeared, "new");
	legend_add(legend, c->gone, gone);
	str_puts(&same, d->chance_z > 0 ? "within chance, or unchanged" : "unchanged");
	if (d->threshold > 0)
		str_addf(&same, " (by less than %.6g %%)", d->threshold * 100);
	legend_add(legend, c->same, same.buf);
	str_free(&same);
}
