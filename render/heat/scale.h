/* scale: maps counts to colours.
 *
 * rank, linear and the hues are those of Joyent's Cloud Analytics (node-heatmap):
 *   rank    all cells that are not 0, of all maps of the picture, sorted from large to small; the
 *           cell at place i of N has (N - i) / N, equal ones the value of the first of them:
 *           1, 1, 1, 2, 5 -> .6 .6 .6 .8 1
 *   linear  value / largest (at least 1)
 *   hue h   HSV, V = .95, S = .9 n; n = 0 is white
 *   several maps in one cell   rgb = sum of colour(hue_m, n_m) * n_m / sum of n
 *   hues    21, 112, 203, 294, 25, ...: 91 more each, modulo 360
 * But as the fifth hue looks like the first, the second four hues end (n = 1) at V = .70 and
 * the third four at .50: V = .95 - (.95 - end) n.  In numbers of hues, 360 or 720 is added for these.
 * log: log(1 + value) / log(1 + largest); its colours begin where a single count can be seen
 * (heat_ramp.least, for hues HEAT_LEAST_HUE): at least + (1 - least) n.  flamescope: linear, its own colours: white,
 * #FF5032 at half, #E50914; enhanced: at 0, 1, 3, half, largest white, #6AAAFF, #FAA0B5,
 * #FF5032, #E50914.
 *
 * A ramp's colour at n is between its two nearest steps, linear in each channel; a count that is
 * not 0 is at least at HEAT_LEAST, so that one event does not look like none.  For a ramp that counts,
 * linear has steps at 0, 1, 3, half and all of the largest (without those that are not larger than
 * the step before), rank and log at 0, 1/4, ... 1.
 * In the dark, hue h is HSV, S = .85, V from .15 (n = 0) to .95, .70 or .50 (n = 1); n = 0 is the theme's background.
 * Channels are rounded half up, those of a mixture at the end.
 * browser/heat/scale.js does the same. */
#ifndef RENDER_HEAT_SCALE_H
#define RENDER_HEAT_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HEAT_LEAST (1.0 / 16)
#define HEAT_LEAST_HUE 0.5

enum heat_coloring { HEAT_LINEAR, HEAT_RANK, HEAT_LOG };

/* Colours for numbers 0 to 1.  To add one: a row in scale.c. */
struct heat_ramp {
	const char *name; /* "ember" (the default, safe for the colour-blind), ... */
	const char *description;
	uint32_t light[9], dark[9]; /* 0xrrggbb at 0, 1/8, ... 1; [0] is the empty cell */
	bool counts;                /* five steps, which are counts (0, 1, 3, half, largest) */
	double least[2];            /* light, dark: from here on, the contrast to the empty cell is 3:1 or more (WCAG
				     * 2.1, 1.4.11) */
};

const struct heat_ramp *heat_ramp_find(const char *name); /* NULL: unknown */

/* The i-th; NULL after the last one. */
const char *heat_ramp_name(size_t i);
const struct heat_ramp *heat_ramps(size_t *count); /* [0] is the default */

struct heat_scale { /* {0} is empty */
	enum heat_coloring coloring;
	uint64_t largest;
	uint64_t *counts; /* rank: the different counts, ascending */
	double *ranks;    /* rank: the ranks of these counts */
	size_t count;
};

/* Make the scale for all grids of a picture together. */
struct heat_grid;
void heat_scale_make(struct heat_scale *s, enum heat_coloring coloring, const struct heat_grid *const *grids,
		     size_t count);

/* The place of value in the scale: 0 (only for the value 0) to 1. */
double heat_scale_of(const struct heat_scale *s, uint64_t value);

/* The n with which a hue is drawn for value. */
double heat_scale_hue(const struct heat_scale *s, uint64_t value);

void heat_scale_free(struct heat_scale *s);

/* The colour of a cell that has value. */
uint32_t heat_ramp_rgb(const struct heat_ramp *r, bool dark, const struct heat_scale *s, uint64_t value);

/* The hue with this number: 0 to 360; plus 360 or 720 if it is nearly the same as the hue four or eight numbers
 * before. */
double heat_hue(size_t number);

enum { HEAT_HUES = 12 }; /* that can be distinguished */

/* Choose the numbers of the hues of keys[count] (their places in the list of all keys), in the order in which the keys
 * were chosen: a key gets the number of its own place if no earlier key has that hue, so that it keeps its hue whatever
 * else is chosen. */
void heat_hue_numbers(const uint32_t *keys, size_t count, uint32_t *numbers);

/* Used as a hue for the rest if some keys have hues: grey, V = .95 - .2 n (dark: .15 + .25 n), lighter than any
 * hue. */
enum { HEAT_GREY = -1 };

/* The colour of hue at n (0 to 1). */
uint32_t heat_hue_rgb(double hue, double n, bool dark);

/* The mixed colour of several keys in one cell: hues[count], n[count]. */
uint32_t heat_hue_mix(const double *hues, const double *n, size_t count, bool dark);

#endif
