/* Stacks that grew, shrank, came and went, made by hand; colours that everybody can tell apart. */
#include <math.h>
#include <stdlib.h>

#include "render/flame/diff.h"
#include "render/flame/metrics.h"
#include "render/flame/multiples.h"
#include "tests/unit/check.h"

/* The picture of two columns, read like a file. */
struct sides {
	struct profile profile;
	struct tree tree;
	uint64_t *totals[2];
	struct unit unit;
	struct diff diff;
};

static void make_sides(struct sides *s, const char *text, const struct profile_scale *scales)
{
	struct profile_filter columns = { .layering = LAYERING_COLUMNS };
	char path[200];
	FILE *f;

	snprintf(path, sizeof(path), "%s/diff.folded", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	*s = (struct sides){ .unit = { "samples", 0, 1 } };
	profile_read(&s->profile, path, &columns);
	profile_combine(&s->profile, COMBINE_MAX, scales, 0);
	tree_build(&s->tree, &s->profile);
	for (uint32_t i = 0; i < 2; i++)
		s->totals[i] = tree_layer_totals(&s->tree, i);
	s->diff = (struct diff){
		.tree = &s->tree,
		.colours = diff_colours_find("red-blue"),
		.unit = &s->unit,
		.base = { "base", s->totals[0], scales[0] },
		.new = { "new", s->totals[1], scales[1] },
		.threshold = 0.01,
	};
	diff_make(&s->diff);
}

static void free_sides(struct sides *s)
{
	free(s->totals[0]);
	free(s->totals[1]);
	tree_free(&s->tree);
	profile_free(&s->profile);
}

static uint32_t frame_called(const struct sides *s, const char *name)
{
	for (uint32_t i = 0; i < s->tree.count; i++) {
		if (!strcmp(intern_text(&s->profile.names, s->tree.frames[i].name), name))
			return i;
	}
	return UINT32_MAX;
}

static enum diff_kind kind(const struct sides *s, const char *name)
{
	return diff_kind_of(&s->diff, frame_called(s, name));
}

static uint32_t colour(const struct sides *s, const char *name)
{
	return s->diff.colouring.box(&s->diff.colouring, frame_called(s, name));
}

static uint64_t width(const struct sides *s, const char *name)
{
	return s->tree.frames[frame_called(s, name)].total;
}

static const char *tip(const struct sides *s, const char *name)
{
	static struct str text;

	str_clear(&text);
	diff_tip(&s->diff, &text, frame_called(s, name));
	return text.buf;
}

static const char columns[] = "main;grow 100 300\nmain;shrink 400 100\nmain;same 300 302\n"
			      "main;gone 200 0\nmain;new 0 298\nmain;tiny 0 1\n";

static void check_kinds(void)
{
	static const struct profile_scale plain[] = { { 1, 1 }, { 1, 1 } };
	struct sides s;

	make_sides(&s, columns, plain);
	CHECK(width(&s, "grow") == 300 && width(&s, "shrink") == 400 && width(&s, "same") == 302);
	CHECK(width(&s, "gone") == 200 && width(&s, "new") == 298);
	CHECK(width(&s, "all") == 300 + 400 + 302 + 200 + 298 + 1);
	CHECK(kind(&s, "grow") == DIFF_GREW && kind(&s, "shrink") == DIFF_SHRANK);
	CHECK(kind(&s, "gone") == DIFF_GONE && kind(&s, "new") == DIFF_NEW);
	CHECK(kind(&s, "same") == DIFF_SAME && kind(&s, "tiny") == DIFF_SAME);
	CHECK(kind(&s, "main") == DIFF_SAME); /* 1000 to 1001 */
	/* shrink changed most, by 300; grow by two thirds of that, between 0xff and ... */
	CHECK(colour(&s, "shrink") == s.diff.colours->shrank.strong);
	CHECK(colour(&s, "grow") == colour_between(s.diff.colours->grew.pale, s.diff.colours->grew.strong, 2, 3));
	CHECK(colour(&s, "grow") == 0xff8383); /* 0xd6 - (0xd6 - 0x5a) * 2 / 3 */
	CHECK(colour(&s, "new") == 0xffb52e && colour(&s, "gone") == 0x3fbfae);
	CHECK_TEXT(tip(&s, "grow"), "base 100 samples, 10 %; new 300 samples, 30 %; "
				    "+200 samples, +200 %");
	CHECK_TEXT(tip(&s, "shrink"), "base 400 samples, 40 %; new 100 samples, 9.99 %; "
				      "\xe2\x88\x92"
				      "300 samples, \xe2\x88\x92"
				      "75 %");
	CHECK_TEXT(tip(&s, "new"), "base 0 samples, 0 %; new 298 samples, 29.8 %; +298 samples, new");
	s.diff.by_self = true;
	diff_make(&s.diff);
	CHECK(kind(&s, "main") == DIFF_SAME && kind(&s, "grow") == DIFF_GREW);
	free_sides(&s);
}

static void check_scaled(void)
{
	static const struct profile_scale twice[] = { { 2, 1 }, { 1, 1 } };
	struct sides s;

	make_sides(&s, "a;b 10 20\na;c 20 10\na 20 70\n", twice);
	CHECK(width(&s, "b") == 20 && width(&s, "c") == 40 && width(&s, "all") == 130);
	CHECK(kind(&s, "b") == DIFF_SAME && kind(&s, "c") == DIFF_SHRANK);
	CHECK(kind(&s, "a") == DIFF_SAME);
	CHECK_TEXT(tip(&s, "c"), "base 20 samples, 40 %; new 10 samples, 10 %; "
				 "\xe2\x88\x92"
				 "30 points, \xe2\x88\x92"
				 "75 %");
	s.diff.by_self = true;
	diff_make(&s.diff);
	CHECK(kind(&s, "a") == DIFF_GREW); /* itself: 40 to 70 */
	CHECK_TEXT(tip(&s, "a"), "base 50 samples, 100 %; new 100 samples, 100 %; 0 points, 0 %; "
				 "self +30 points");
	free_sides(&s);
}

/* ---- chance ---------------------------------------------------------------- */

static double poisson(double mean, unsigned k)
{
	return exp(k * log(mean) - mean - lgamma(k + 1.0));
}

/* How often a difference is found that does not exist: both counts have these means. */
static double false_alarms(double mean0, double mean1, double z)
{
	uint64_t base[] = { 1000000, 0 }, new[] = { 5, 0 }; /* of the root, and of the frame */
	struct frame frames[] = { { .end = 2 }, { .end = 2 } };
	struct tree tree = { .frames = frames, .count = 2 };
	struct unit unit = { "samples", 0, 1 };
	struct diff d = { .tree = &tree,
			  .unit = &unit,
			  .base = { "base", base, { (uint64_t)llround(1000 * mean1 / mean0), 1000 } },
			  .new = { "new", new, { 1, 1 } },
			  .chance_z = z,
			  .whole = 1 };
	double found = 0;

	for (unsigned a = 0; a < mean0 * 3 + 30; a++) {
		for (unsigned b = 0; b < mean1 * 3 + 30; b++) {
			base[1] = a;
			new[1] = b;
			if (!diff_is_chance(&d, 1))
				found += poisson(mean0, a) * poisson(mean1, b);
		}
	}
	return found;
}

static void check_chance(void)
{
	static const double means[] = { 0.5, 1, 3, 10, 40, 100 }, levels[] = { 0.01, 0.05 };
	double z;

	CHECK(diff_z_of_level(0.01) == 2.575829 && diff_z_of_level(0.05) == 1.959964 && diff_z_of_level(1) == 0);
	for (size_t l = 0; l < 2; l++) {
		z = diff_z_of_level(levels[l]);
		for (size_t i = 0; i < sizeof(means) / sizeof(*means); i++) {
			for (size_t k = 0; k < sizeof(means) / sizeof(*means); k++) {
				double rate = false_alarms(means[i], means[k], z);

				if (rate > levels[l] * 1.4)
					printf("# %g against %g at %g: %g\n", means[i], means[k], levels[l], rate);
				CHECK(rate <= levels[l] * 1.4);
			}
		}
	}
}

/* One side is empty: nothing is divided by zero, and all frames are new, or all have disappeared. */
static void check_one_sided(void)
{
	static const struct profile_scale plain[] = { { 1, 1 }, { 1, 1 } };
	struct sides s;

	make_sides(&s, "a;b 0 5\n", plain);
	CHECK(kind(&s, "b") == DIFF_NEW && kind(&s, "all") == DIFF_NEW);
	CHECK_TEXT(tip(&s, "b"), "base 0 samples, 0 %; new 5 samples, 100 %; +5 samples, new");
	free_sides(&s);
	make_sides(&s, "a;b 5 0\n", plain);
	CHECK(kind(&s, "b") == DIFF_GONE);
	free_sides(&s);
	make_sides(&s, "a 9223372036854775807 0\nb 0 9223372036854775807\n", plain);
	CHECK(kind(&s, "b") == DIFF_NEW && kind(&s, "a") == DIFF_GONE);
	CHECK(width(&s, "all") == UINT64_MAX - 1);
	free_sides(&s);
}

/* Random profiles: everywhere, the union is as wide as the wider side, and values add up. */
static void check_union(uint32_t seed)
{
	struct profile_scale scales[] = { { 1 + seed % 3, 1 }, { 7, 1 + seed % 7 } };
	struct str text = { 0 };
	struct sides s;
	int wide = 1, exact = 1;

	for (int i = 0; i < 500; i++) {
		for (int d = 0; d <= i % 5; d++) {
			seed = seed * 1664525 + 1013904223;
			str_addf(&text, "%sf%u", d ? ";" : "", seed >> 8 & 3);
		}
		str_addf(&text, " %u %u\n", seed >> 12 & 1 ? 0 : seed >> 16 & 255, seed >> 13 & 1 ? 0 : seed >> 24);
	}
	make_sides(&s, text.buf, scales);
	for (uint32_t i = 0; i < s.tree.count; i++) {
		uint64_t base = 0, new = 0, width_sum = tree_self(&s.tree, i);

		for (uint32_t c = i + 1; c < s.tree.frames[i].end; c = s.tree.frames[c].end) {
			base += s.totals[0][c];
			new += s.totals[1][c];
			width_sum += s.tree.frames[c].total;
		}
		exact &= base <= s.totals[0][i] && new <= s.totals[1][i] && width_sum == s.tree.frames[i].total;
		/* each stack's width is rounded down, by less than 1 each */
		wide &= s.tree.frames[i].total + 500 >= diff_value(&s.diff.base, i) &&
			s.tree.frames[i].total + 500 >= diff_value(&s.diff.new, i);
		wide &= s.tree.frames[i].total <= diff_value(&s.diff.base, i) + diff_value(&s.diff.new, i);
	}
	CHECK(wide);
	CHECK(exact);
	CHECK(s.totals[0][0] == s.profile.layers[0].total && s.totals[1][0] == s.profile.layers[1].total);
	str_free(&text);
	free_sides(&s);
}

/* ---- panels ------------------------------------------------------------------ */

static void check_layer_tree(void)
{
	static const struct profile_scale plain[] = { { 1, 1 }, { 1, 1 } };
	struct tree one;
	struct sides s;
	uint32_t *of;
	int good = 1;

	make_sides(&s, "a;b;c 3 0\na;b 0 2\na;d;e 4 1\na;d;f 0 7\ng 0 1\nh;i 5 6\n", plain);
	for (int side = 0; side < 2; side++) {
		tree_of_layer(&one, &of, &s.tree, 0, s.totals[side]);
		CHECK(one.frames[0].total == (side ? 17 : 12) && one.frames[0].end == one.count);
		CHECK(one.count == (side ? 9 : 8));
		for (uint32_t i = 0; i < one.count; i++) {
			uint64_t at = one.frames[i].start;

			good &= one.frames[i].total == s.totals[side][of[i]];
			good &= one.frames[i].depth == s.tree.frames[of[i]].depth;
			for (uint32_t c = i + 1; c < one.frames[i].end; c = one.frames[c].end) {
				good &= one.frames[c].parent == i && one.frames[c].start == at;
				at += one.frames[c].total;
			}
			good &= at <= one.frames[i].start + one.frames[i].total;
		}
		CHECK(good);
		tree_free(&one);
		free(of);
	}
	free_sides(&s);
}

/* ---- two metrics --------------------------------------------------------------- */

static void check_metrics(void)
{
	static const struct profile_scale plain[] = { { 1, 1 }, { 1, 1 } };
	struct profile_layer layers[] = { { "cycles", 0 }, { "instructions", 0 } };
	struct str text = { 0 };
	struct metrics m;
	struct sides s;

	make_sides(&s, "a;slow 100 25\na;fast 100 300\na;none 0 10\n", plain);
	m = (struct metrics){
		.tree = &s.tree, .layers = layers, .totals = s.totals, .count = 2, .factor = 1, .above = 1, .below = 0
	};
	metrics_make(&m);
	CHECK(m.low == 0.25 && m.high == 3 && m.has_none);
	CHECK(m.colouring.box(&m.colouring, frame_called(&s, "slow")) == metrics_stops[0]);
	CHECK(m.colouring.box(&m.colouring, frame_called(&s, "fast")) == metrics_stops[METRICS_STOPS - 1]);
	CHECK(m.colouring.box(&m.colouring, frame_called(&s, "none")) == METRICS_NONE);
	m.colouring.tip(&m.colouring, &text, frame_called(&s, "slow"));
	CHECK_TEXT(text.buf, "100 cycles, 50 %; 25 instructions, 7.46 %; instructions/cycles 0.25");
	m.is_share = true;
	m.above = 1;
	metrics_make(&m);
	CHECK(fabs(metrics_value(&m, frame_called(&s, "fast")) - 300.0 / 335) < 1e-12);
	str_free(&text);
	free_sides(&s);
}

/* ---- eyes ----------------------------------------------------------------------- */

static double linear(uint32_t c)
{
	double v = c / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t rgb)
{
	return 0.2126 * linear(rgb >> 16) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
}

/* Of black text on it (WCAG 2.1). */
static double contrast(uint32_t rgb)
{
	return (luminance(rgb) + 0.05) / 0.05;
}

/* What three kinds of eyes see: without a defect, without a red or a green receptor (Machado, Oliveira and Fernandes
 * 2009, severity 1). */
static const double eyes[3][9] = {
	{ 1, 0, 0, 0, 1, 0, 0, 0, 1 },
	{ 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998 },
	{ 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881 },
};

/* CIE L*a*b*, D65. */
static void to_lab(double lab[3], uint32_t rgb, const double *eye)
{
	double in[3] = { linear(rgb >> 16), linear(rgb >> 8 & 255), linear(rgb & 255) }, c[3], f[3];

	for (int i = 0; i < 3; i++)
		c[i] = fmin(fmax(eye[3 * i] * in[0] + eye[3 * i + 1] * in[1] + eye[3 * i + 2] * in[2], 0), 1);
	f[0] = cbrt((0.4124 * c[0] + 0.3576 * c[1] + 0.1805 * c[2]) / 0.9505);
	f[1] = cbrt(0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]);
	f[2] = cbrt((0.0193 * c[0] + 0.1192 * c[1] + 0.9505 * c[2]) / 1.089);
	lab[0] = 116 * f[1] - 16;
	lab[1] = 500 * (f[0] - f[1]);
	lab[2] = 200 * (f[1] - f[2]);
}

static double distance(uint32_t a, uint32_t b, const double *eye)
{
	double x[3], y[3];

	to_lab(x, a, eye);
	to_lab(y, b, eye);
	return sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
}

/* The least distance between any two kinds, as seen by an eye. */
static double nearest(const struct diff_colours *c, const double *eye)
{
	uint32_t all[] = { c->grew.strong, c->shrank.strong, c->appeared, c->gone, c->same };
	double least = 1000;

	for (int i = 0; i < 5; i++) {
		for (int k = 0; k < i; k++)
			least = fmin(least, distance(all[i], all[k], eye));
	}
	return least;
}

static void check_eyes(void)
{
	static const char *const pairs[] = { "red-blue", "orange-blue" };

	for (int i = 0; i < 2; i++) {
		const struct diff_colours *c = diff_colours_find(pairs[i]);

		CHECK(contrast(c->grew.strong) > 4.5 && contrast(c->shrank.strong) > 4.5);
		CHECK(contrast(c->appeared) > 4.5 && contrast(c->gone) > 4.5);
		CHECK(contrast(c->same) > 4.5);
		CHECK(nearest(c, eyes[0]) > 20);
	}
	/* the second pair is for everybody */
	CHECK(nearest(diff_colours_find("orange-blue"), eyes[1]) > 20);
	CHECK(nearest(diff_colours_find("orange-blue"), eyes[2]) > 20);
	for (int i = 0; i < METRICS_STOPS; i++) {
		CHECK(contrast(metrics_stops[i]) > 4.5);
		CHECK(!i || luminance(metrics_stops[i]) > luminance(metrics_stops[i - 1]));
		for (int e = 0; e < 3; e++)
			CHECK(!i || distance(metrics_stops[i], metrics_stops[i - 1], eyes[e]) > 12);
	}
	printf("# nearest: red-blue %.1f %.1f %.1f, orange-blue %.1f %.1f %.1f\n",
	       nearest(diff_colours_find("red-blue"), eyes[0]), nearest(diff_colours_find("red-blue"), eyes[1]),
	       nearest(diff_colours_find("red-blue"), eyes[2]), nearest(diff_colours_find("orange-blue"), eyes[0]),
	       nearest(diff_colours_find("orange-blue"), eyes[1]), nearest(diff_colours_find("orange-blue"), eyes[2]));
}

int main(void)
{
	check_kinds();
	check_scaled();
	check_chance();
	check_one_sided();
	for (uint32_t seed = 1; seed < 20; seed++)
		check_union(seed);
	check_layer_tree();
	check_metrics();
	check_eyes();
	return check_done();
}
