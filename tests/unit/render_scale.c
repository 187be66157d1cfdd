/* Colours of heat maps: exact examples, and whether everybody can tell them apart. */
#include <math.h>
#include <string.h>

#include "render/heat/scale.h"
#include "tests/unit/check.h"
#include "tests/unit/heat_made.h"

static struct heat_grid grid_of(uint64_t *cells, uint32_t count)
{
	struct heat_grid g = { .axes = { .columns = count, .rows = 1 }, .cells = cells };

	for (uint32_t i = 0; i < count; i++) {
		if (cells[i] > g.largest)
			g.largest = cells[i];
	}
	return g;
}

static bool near(double got, double wanted)
{
	return fabs(got - wanted) < 1e-12;
}

/* As in Cloud Analytics: one scale for all maps of a picture together. */
static void test_rank(void)
{
	uint64_t one[] = { 0, 1, 5, 0, 1 }, two[] = { 2, 1 };
	struct heat_grid a = grid_of(one, 5), b = grid_of(two, 2);
	const struct heat_grid *both[] = { &a, &b };
	struct heat_scale s;

	heat_scale_make(&s, HEAT_RANK, both, 2);
	CHECK(near(heat_scale_of(&s, 1), .6) && near(heat_scale_of(&s, 2), .8) && near(heat_scale_of(&s, 5), 1));
	CHECK(heat_scale_of(&s, 0) == 0);
	CHECK(near(heat_scale_of(&s, 3), .8)); /* no cell has it */
	heat_scale_free(&s);

	one[2] = 5000000000; /* too large for a table */
	a = grid_of(one, 5);
	heat_scale_make(&s, HEAT_RANK, both, 2);
	CHECK(near(heat_scale_of(&s, 1), .6) && near(heat_scale_of(&s, 2), .8) &&
	      near(heat_scale_of(&s, 5000000000), 1));
	heat_scale_free(&s);
}

static void test_linear_and_log(void)
{
	uint64_t cells[] = { 0, 3, 99 }, nothing[] = { 0, 0 };
	struct heat_grid a = grid_of(cells, 3), empty = grid_of(nothing, 2);
	const struct heat_grid *one[] = { &a }, *none[] = { &empty };
	struct heat_scale s;

	heat_scale_make(&s, HEAT_LINEAR, one, 1);
	CHECK(near(heat_scale_of(&s, 33), 1.0 / 3) && heat_scale_of(&s, 99) == 1 && heat_scale_of(&s, 0) == 0);
	CHECK(heat_scale_of(&s, 500) == 1);
	heat_scale_free(&s);
	heat_scale_make(&s, HEAT_LOG, one, 1);
	CHECK(near(heat_scale_of(&s, 9), .5) && heat_scale_of(&s, 99) == 1 && heat_scale_of(&s, 0) == 0);
	heat_scale_free(&s);
	for (int c = HEAT_LINEAR; c <= HEAT_LOG; c++) {
		heat_scale_make(&s, (enum heat_coloring)c, none, 1);
		CHECK(heat_scale_of(&s, 0) == 0 && heat_scale_of(&s, 1) == 1);
		heat_scale_free(&s);
		heat_scale_make(&s, (enum heat_coloring)c, NULL, 0);
		CHECK(heat_scale_of(&s, 0) == 0);
		heat_scale_free(&s);
	}
}

/* ---- hues ------------------------------------------------------------------- */

/* The hue of a key depends on its place, but no two keys have the same. */
static void test_numbers(void)
{
	const uint32_t keys[] = { 3, 0, 15, 12, 1 };
	uint32_t numbers[14], many[14];

	heat_hue_numbers(keys, 5, numbers);
	CHECK(numbers[0] == 3 && numbers[1] == 0 && numbers[2] == 1 && numbers[3] == 2 && numbers[4] == 4);
	for (uint32_t i = 0; i < 14; i++)
		many[i] = i;
	heat_hue_numbers(many, 14, numbers);
	CHECK(!memcmp(many, numbers, sizeof(many)));
}

static void test_hues(void)
{
	const double wanted[] = { 21, 112, 203, 294, 25, 116 };
	const double hues[] = { 0, 120 }, even[] = { 1, 1 }, more[] = { 1, 0.5 }, none[] = { 0, 0 };

	for (size_t i = 0; i < 6; i++)
		CHECK(fmod(heat_hue(i), 360) == wanted[i]);
	/* Hues that come round again are darker, up to n = 1. */
	CHECK(heat_hue(0) == 21 && heat_hue(3) == 294 && heat_hue(4) == 25 + 360 && heat_hue(8) == 29 + 720 &&
	      heat_hue(12) == 33);
	CHECK(heat_hue_rgb(0, 0.01, false) == 0xf2f0f0 && heat_hue_rgb(360, 0.01, false) == 0xf2efef);
	CHECK(heat_hue_rgb(360, 1, false) == 0xb31212 && heat_hue_rgb(720, 1, false) == 0x800d0d);
	CHECK(heat_hue_rgb(360, 1, true) == 0xb31b1b && heat_hue_rgb(0, 1, true) == 0xf22424);
	/* V .95 = 242.25; S .9 n: at n = 1 the least channel is 24.225. */
	CHECK(heat_hue_rgb(0, 1, false) == 0xf21818);
	CHECK(heat_hue_rgb(120, 1, false) == 0x18f218);
	CHECK(heat_hue_rgb(240, 0.5, false) == 0x8585f2);
	CHECK(heat_hue_rgb(60, 1, false) == 0xf2f218);
	CHECK(heat_hue_rgb(0, 0, false) == 0xffffff && heat_hue_rgb(0, 0, true) == 0x17191d);
	/* (242.25, 24.225, 24.225) and (24.225, 242.25, 24.225), in halves. */
	CHECK(heat_hue_mix(hues, even, 2, false) == 0x858518);
	/* The second one at half strength: (133.2375, 242.25, 133.2375), in thirds. */
	CHECK(heat_hue_mix(hues, more, 2, false) == 0xce613d);
	CHECK(heat_hue_mix(hues, none, 2, false) == 0xffffff);
	CHECK(heat_hue_mix(hues, more, 1, false) == heat_hue_rgb(0, 1, false));
}

/* ---- ramps ------------------------------------------------------------------ */

static uint32_t colour(const char *ramp, uint64_t value, uint64_t largest, bool dark)
{
	struct heat_scale s = { .coloring = HEAT_LINEAR, .largest = largest };

	return heat_ramp_rgb(heat_ramp_find(ramp), dark, &s, value);
}

static void test_known_ramps(void)
{
	CHECK(colour("flamescope", 0, 8, false) == 0xffffff);
	CHECK(colour("flamescope", 4, 8, false) == 0xff5032);
	CHECK(colour("flamescope", 8, 8, false) == 0xe50914);
	CHECK(colour("flamescope", 6, 8, false) == 0xf22d23);
	CHECK(colour("enhanced", 0, 20, false) == 0xffffff);
	CHECK(colour("enhanced", 1, 20, false) == 0x6aaaff);
	CHECK(colour("enhanced", 3, 20, false) == 0xfaa0b5);
	CHECK(colour("enhanced", 10, 20, false) == 0xff5032);
	CHECK(colour("enhanced", 20, 20, false) == 0xe50914);
	CHECK(colour("enhanced", 2, 20, false) == 0xb2a5da);
	CHECK(colour("enhanced", 1, 1, false) == 0x6aaaff); /* half of it and all of it together are no more than 1 */
	CHECK(colour("enhanced", 4, 4, false) == 0xe50914);
	/* rgb(255, 240 - 240 r, 220 - 220 r) */
	CHECK(colour("trace2heatmap", 0, 8, false) == 0xffffff);
	CHECK(colour("trace2heatmap", 1, 8, false) == 0xffd2c1);
	CHECK(colour("trace2heatmap", 4, 8, false) == 0xff786e);
	CHECK(colour("trace2heatmap", 8, 8, false) == 0xff0000);
	CHECK(heat_ramp_find("no such") == NULL);
}

/* One event among thousands is visible. */
static void test_one_event(void)
{
	size_t count;
	const struct heat_ramp *ramps = heat_ramps(&count);

	for (size_t i = 0; i < count; i++) {
		uint32_t none = colour(ramps[i].name, 0, 100000, false), one = colour(ramps[i].name, 1, 100000, false);
		int blue = (int)(none & 255) - (int)(one & 255), green = (int)(none >> 8 & 255) - (int)(one >> 8 & 255);

		CHECK(none == 0xffffff && blue + green >= 20);
		CHECK(colour(ramps[i].name, 0, 9, true) == 0x17191d);
		CHECK(colour(ramps[i].name, 9, 9, true) != 0x17191d);
	}
	CHECK(!strcmp(ramps[0].name, "ember"));
}

struct linear {
	double r, g, b;
};

static double to_linear(uint32_t channel)
{
	double c = (channel & 255) / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static struct linear linear_of(uint32_t rgb)
{
	return (struct linear){ to_linear(rgb >> 16), to_linear(rgb >> 8), to_linear(rgb) };
}

static double luminance(struct linear c)
{
	return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

/* Machado, Oliveira and Fernandes (2009), severity 1. */
static const double vision[4][9] = {
	{ 1, 0, 0, 0, 1, 0, 0, 0, 1 },
	{ 0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998 }, /* protan */
	{ 0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881 },  /* deutan */
	{ 1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900 }, /* tritan */
};

static struct linear seen_by(struct linear c, const double *m)
{
	return (struct linear){ m[0] * c.r + m[1] * c.g + m[2] * c.b, m[3] * c.r + m[4] * c.g + m[5] * c.b,
				m[6] * c.r + m[7] * c.g + m[8] * c.b };
}

static double lightness_part(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* The distance in CIELAB (D65). */
static double distance(struct linear a, struct linear b)
{
	double lab[2][3];

	for (int i = 0; i < 2; i++) {
		struct linear c = i ? b : a;
		double x = lightness_part((0.4124 * c.r + 0.3576 * c.g + 0.1805 * c.b) / 0.95047);
		double y = lightness_part(luminance(c));
		double z = lightness_part((0.0193 * c.r + 0.1192 * c.g + 0.9505 * c.b) / 1.08883);

		lab[i][0] = 116 * y - 16;
		lab[i][1] = 500 * (x - y);
		lab[i][2] = 200 * (y - z);
	}
	return sqrt(pow(lab[0][0] - lab[1][0], 2) + pow(lab[0][1] - lab[1][1], 2) + pow(lab[0][2] - lab[1][2], 2));
}

/* Each step is darker (on dark: lighter) than the one before, for all kinds of eyes, and neighbouring steps can be told
 * apart. */
static void test_color_vision(void)
{
	static const char *const safe[] = { "ember", "viridis", "cividis", "greys" };

	for (size_t i = 0; i < 4; i++) {
		const struct heat_ramp *r = heat_ramp_find(safe[i]);

		for (int dark = 0; dark < 2; dark++) {
			const uint32_t *steps = dark ? r->dark : r->light;
			double least = 1000, wrong = 0;

			for (int eyes = 0; eyes < 4; eyes++) {
				for (int s = 1; s < 9; s++) {
					struct linear a = seen_by(linear_of(steps[s - 1]), vision[eyes]);
					struct linear b = seen_by(linear_of(steps[s]), vision[eyes]);

					wrong += dark ? luminance(b) <= luminance(a) : luminance(b) >= luminance(a);
					least = fmin(least, distance(a, b));
				}
			}
			printf("# %s, %s: neighbours are %.1f apart or more, %g steps back\n", safe[i],
			       dark ? "dark" : "light", least, wrong);
			CHECK(wrong == 0);
			CHECK(least > 6);
		}
	}
}

static double contrast(uint32_t a, uint32_t b)
{
	double x = luminance(linear_of(a)) + 0.05, y = luminance(linear_of(b)) + 0.05;

	return x > y ? x / y : y / x;
}

/* Logarithmic colours: a single count among any number stands out from the empty cell by WCAG's 3:1, larger counts do
 * not stand out less, and as many colours as possible are used. */
static void test_rare(void)
{
	size_t count;
	const struct heat_ramp *ramps = heat_ramps(&count);

	for (size_t i = 0; i < count; i++) {
		for (int dark = 0; dark < 2; dark++) {
			double least = 100, hue = 1;

			for (uint64_t largest = 1; largest < 10000000; largest = largest * 3 + 1) {
				struct heat_scale s = { .coloring = HEAT_LOG, .largest = largest };

				for (uint64_t value = 1; value <= largest; value = value * 2 + 1)
					least = fmin(least, contrast(heat_ramp_rgb(&ramps[i], dark, &s, value),
								     heat_ramp_rgb(&ramps[i], dark, &s, 0)));
				hue = fmin(hue, heat_scale_hue(&s, 1));
			}
			printf("# %s, %s: a single count has a contrast of %.2f or more\n", ramps[i].name,
			       dark ? "dark" : "light", least);
			CHECK(least >= 3 && least < 4);
			CHECK(hue > HEAT_LEAST_HUE);
		}
	}
}

int main(void)
{
	test_rank();
	test_linear_and_log();
	test_numbers();
	test_hues();
	test_known_ramps();
	test_one_event();
	test_color_vision();
	test_rare();
	return check_done();
}
