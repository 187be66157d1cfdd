#include "render/heat/scale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "render/colours/hue.h"
#include "render/heat/grid.h"

enum { STEPS = 9, COUNT_STEPS = 5, NOTHING_DARK = 0x17191d };

/* In each ramp, except the two with other programs' colours, luminance falls from step to step on white and rises on
 * dark, so that they work with any colour vision, and in print. */
static const struct heat_ramp ramps[] = {
	{ "ember",
	  "yellow, red, black; for all kinds of color vision",
	  { 0xffffff, 0xffe391, 0xfecb64, 0xfba747, 0xf07d35, 0xd6522f, 0xac2c38, 0x761640, 0x3b0a33 },
	  { 0x17191d, 0x451a45, 0x6f1f4e, 0x9b2c48, 0xc6443c, 0xe66c2c, 0xf69a2c, 0xfccb5e, 0xfff6c4 },
	  false,
	  { 34 / 64.0, 29 / 64.0 } },
	{ "viridis",
	  "yellow, green, blue; for all kinds of color vision",
	  { 0xffffff, 0xfde725, 0x9fda3a, 0x4ac16d, 0x1fa187, 0x277f8e, 0x365c8d, 0x46337e, 0x440154 },
	  { 0x17191d, 0x440154, 0x46337e, 0x365c8d, 0x277f8e, 0x1fa187, 0x4ac16d, 0x9fda3a, 0xfde725 },
	  false,
	  { 31 / 64.0, 28 / 64.0 } },
	{ "cividis",
	  "yellow to blue; for all kinds of color vision",
	  { 0xffffff, 0xffea46, 0xdac55f, 0xb3a673, 0x8e8a79, 0x6d6e71, 0x50576c, 0x2c426d, 0x00204d },
	  { 0x17191d, 0x00306f, 0x35466c, 0x50576c, 0x6d6e71, 0x8e8a79, 0xb3a673, 0xdac55f, 0xffea46 },
	  false,
	  { 29 / 64.0, 29 / 64.0 } },
	{ "greys",
	  "shades of grey",
	  { 0xffffff, 0xe4e4e4, 0xcacaca, 0xafafaf, 0x939393, 0x767676, 0x585858, 0x383838, 0x121212 },
	  { 0x17191d, 0x33363b, 0x4f5257, 0x6c6f73, 0x898c90, 0xa7a9ac, 0xc5c7c9, 0xe3e4e5, 0xffffff },
	  false,
	  { 32 / 64.0, 22 / 64.0 } },
	{ "flamescope",
	  "FlameScope's white to red",
	  { 0xffffff, 0xffd3cc, 0xffa899, 0xff7c65, 0xff5032, 0xf93e2b, 0xf22d23, 0xec1b1c, 0xe50914 },
	  { 0x17191d, 0x4a1419, 0x7e1116, 0xb10d15, 0xe50914, 0xec1b1c, 0xf22d23, 0xf93e2b, 0xff5032 },
	  false,
	  { 30 / 64.0, 28 / 64.0 } },
	{ "enhanced",
	  "FlameScope's, with blue for 1 to 3",
	  { 0xffffff, 0x6aaaff, 0xfaa0b5, 0xff5032, 0xe50914 },
	  { 0x17191d, 0x2f5f9f, 0xfaa0b5, 0xff5032, 0xe50914 },
	  true,
	  { 45 / 64.0, 18 / 64.0 } },
	{ "trace2heatmap",
	  "trace2heatmap.pl's red",
	  { 0xffffff, 0xffd2c1, 0xffb4a5, 0xff968a, 0xff786e, 0xff5a53, 0xff3c37, 0xff1e1c, 0xff0000 },
	  { 0x17191d, 0x3a1619, 0x571316, 0x731013, 0x8f0d10, 0xab0a0c, 0xc70709, 0xe30306, 0xff0000 },
	  false,
	  { 39 / 64.0, 50 / 64.0 } },
};

const struct heat_ramp *heat_ramps(size_t *count)
{
	*count = sizeof(ramps) / sizeof(ramps[0]);
	return ramps;
}

const char *heat_ramp_name(size_t i)
{
	return i < sizeof(ramps) / sizeof(ramps[0]) ? ramps[i].name : NULL;
}

const struct heat_ramp *heat_ramp_find(const char *name)
{
	for (size_t i = 0; i < sizeof(ramps) / sizeof(ramps[0]); i++) {
		if (!strcmp(ramps[i].name, name))
			return &ramps[i];
	}
	return NULL;
}

/* ---- numbers 0 to 1 --------------------------------------------------------- */

/* Find the distinct counts, and how many cells have each: in s->ranks, as numbers. */
static void count_sorted(struct heat_scale *s, const uint64_t *values, size_t count)
{
	s->counts = xcalloc(count + 1, sizeof(*s->counts));
	s->ranks = xcalloc(count + 1, sizeof(*s->ranks));
	for (size_t i = 0; i < count; i++) {
		if (!s->count || s->counts[s->count - 1] != values[i])
			s->counts[s->count++] = values[i];
		s->ranks[s->count - 1]++;
	}
}

enum { TABLE_MAX = 1 << 20 };

/* Counts are small, so a table of how many cells have each count saves sorting millions of cells. */
static void count_in_table(struct heat_scale *s, const struct heat_grid *const *grids, size_t grid_count)
{
	uint32_t *cells = xcalloc(s->largest + 1, sizeof(*cells));
	size_t different = 0;

	for (size_t g = 0; g < grid_count; g++) {
		size_t n = (size_t)grids[g]->axes.columns * grids[g]->axes.rows;

		for (size_t i = 0; grids[g]->cells && i < n; i++)
			different += !cells[grids[g]->cells[i]]++;
	}
	s->counts = xcalloc(different + 1, sizeof(*s->counts));
	s->ranks = xcalloc(different + 1, sizeof(*s->ranks));
	for (uint64_t value = 1; value <= s->largest; value++) {
		if (!cells[value])
			continue;
		s->counts[s->count] = value;
		s->ranks[s->count++] = cells[value];
	}
	free(cells);
}

static void count_by_sorting(struct heat_scale *s, const struct heat_grid *const *grids, size_t grid_count)
{
	uint64_t *values = NULL;
	size_t count = 0, cap = 0;

	for (size_t g = 0; g < grid_count; g++) {
		size_t n = (size_t)grids[g]->axes.columns * grids[g]->axes.rows;

		values = xgrow(values, &cap, count + n, sizeof(*values));
		for (size_t i = 0; grids[g]->cells && i < n; i++) {
			if (grids[g]->cells[i])
				values[count++] = grids[g]->cells[i];
		}
	}
	if (count)
		qsort(values, count, sizeof(*values), by_u64);
	count_sorted(s, values, count);
	free(values);
}

void heat_scale_make(struct heat_scale *s, enum heat_coloring coloring, const struct heat_grid *const *grids,
		     size_t count)
{
	double all = 0, up_to = 0;

	*s = (struct heat_scale){ .coloring = coloring };
	for (size_t g = 0; g < count; g++) {
		if (grids[g]->largest > s->largest)
			s->largest = grids[g]->largest;
	}
	if (coloring != HEAT_RANK)
		return;
	if (s->largest < TABLE_MAX)
		count_in_table(s, grids, count);
	else
		count_by_sorting(s, grids, count);
	for (size_t i = 0; i < s->count; i++)
		all += s->ranks[i];
	for (size_t i = 0; i < s->count; i++) {
		up_to += s->ranks[i];
		s->ranks[i] = up_to / all;
	}
}

/* A value that no cell has (of one key among several) gets the rank that it would have. */
static double scale_rank_of(const struct heat_scale *s, uint64_t value)
{
	size_t low = FIRST_NOT(i, s->count, s->counts[i] <= value);

	if (low)
		return s->ranks[low - 1];
	return s->count ? s->ranks[0] : 1;
}

double heat_scale_hue(const struct heat_scale *s, uint64_t value)
{
	double n = heat_scale_of(s, value);

	return n > 0 && s->coloring == HEAT_LOG ? HEAT_LEAST_HUE + (1 - HEAT_LEAST_HUE) * n : n;
}

double heat_scale_of(const struct heat_scale *s, uint64_t value)
{
	double largest = s->largest ? (double)s->largest : 1;
	double n;

	if (!value)
		return 0;
	if (s->coloring == HEAT_RANK)
		return scale_rank_of(s, value);
	if (s->coloring == HEAT_LOG)
		n = log1p((double)value) / log1p(largest);
	else
		n = (double)value / largest;
	return n < 1 ? n : 1;
}

void heat_scale_free(struct heat_scale *s)
{
	free(s->counts);
	free(s->ranks);
	*s = (struct heat_scale){ 0 };
}

/* ---- colours ---------------------------------------------------------------- */

static uint32_t channel(double value)
{
	return value <= 0 ? 0 : value >= 255 ? 255 : (uint32_t)floor(value + 0.5);
}

static uint32_t scale_rgb_of(const double *c)
{
	return channel(c[0]) << 16 | channel(c[1]) << 8 | channel(c[2]);
}

/* The colour at n among count colours at equal distances. */
static uint32_t scale_at(const uint32_t *colours, int count, double n)
{
	double place = n * (count - 1);
	int step = (int)place;

	if (step >= count - 1)
		return colours[count - 1];
	return hue_between(colours[step], colours[step + 1], place - step);
}

/* FlameScope's enhanced colours: for 0, 1, 3, half of the largest, and the largest. */
static uint32_t at_count(const uint32_t *colours, uint64_t largest, uint64_t value)
{
	double points[COUNT_STEPS] = { 0, 1, 3, (double)largest / 2, (double)largest }, v = (double)value;
	int before = 0;

	for (int i = 1; i < COUNT_STEPS; i++) {
		if (points[i] <= points[before])
			continue; /* the largest count is a small one */
		if (v < points[i])
			return hue_between(colours[before], colours[i],
					   (v - points[before]) / (points[i] - points[before]));
		before = i;
	}
	return colours[before];
}

uint32_t heat_ramp_rgb(const struct heat_ramp *r, bool dark, const struct heat_scale *s, uint64_t value)
{
	const uint32_t *colours = dark ? r->dark : r->light;
	double n = heat_scale_of(s, value);

	if (n > 0 && s->coloring == HEAT_LOG)
		n = r->least[dark] + (1 - r->least[dark]) * n;
	if (r->counts)
		return s->coloring == HEAT_LINEAR ? at_count(colours, s->largest, value)
						  : scale_at(colours, COUNT_STEPS, n);
	return scale_at(colours, STEPS, n > 0 && n < HEAT_LEAST ? HEAT_LEAST : n);
}

/* ---- hues ------------------------------------------------------------------- */

double heat_hue(size_t number)
{
	return (double)((21 + 91 * (number % 360)) % 360 + 360 * (number / 4 % 3));
}

void heat_hue_numbers(const uint32_t *keys, size_t count, uint32_t *numbers)
{
	uint32_t taken = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t number = keys[i] % HEAT_HUES;

		if (taken >> number & 1) {
			for (number = 0; number < HEAT_HUES && taken >> number & 1;)
				number++;
		}
		numbers[i] = number < HEAT_HUES ? number : keys[i];
		taken |= 1U << number;
	}
}

/* The usual formula; rgb from 0 to 255. */
static void hsv(double hue, double saturation, double value, double *rgb)
{
	double sixth = fmod(fmod(hue, 360) + 360, 360) / 60, f = sixth - floor(sixth);
	double p = value * (1 - saturation), q = value * (1 - saturation * f);
	double t = value * (1 - saturation * (1 - f));
	const double all[6][3] = {
		{ value, t, p }, { q, value, p }, { p, value, t }, { p, q, value }, { t, p, value }, { value, p, q },
	};

	for (int i = 0; i < 3; i++)
		rgb[i] = 255 * all[(int)sixth % 6][i];
}

static void hue_colour(double hue, double n, bool dark, double *rgb)
{
	static const double values[] = { 0.95, 0.70, 0.50 };
	double value = hue < 0 ? 0 : values[(int)floor(hue / 360) % 3];

	if (hue < 0)
		hsv(0, 0, dark ? 0.15 + 0.25 * n : 0.95 - 0.2 * n, rgb);
	else if (dark)
		hsv(hue, 0.85, 0.15 + (value - 0.15) * n, rgb);
	else
		hsv(hue, 0.9 * n, 0.95 - (0.95 - value) * n, rgb);
}

uint32_t heat_hue_rgb(double hue, double n, bool dark)
{
	return heat_hue_mix(&hue, &n, 1, dark);
}

uint32_t heat_hue_mix(const double *hues, const double *n, size_t count, bool dark)
{
	double sum[3] = { 0 }, weight = 0, rgb[3];

	for (size_t i = 0; i < count; i++) {
		hue_colour(hues[i], n[i], dark, rgb);
		for (int c = 0; c < 3; c++)
			sum[c] += rgb[c] * n[i];
		weight += n[i];
	}
	if (!(weight > 0))
		return dark ? NOTHING_DARK : 0xffffff;
	for (int c = 0; c < 3; c++)
		sum[c] /= weight;
	return scale_rgb_of(sum);
}
