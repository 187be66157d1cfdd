/* hue: ranges of similar colours, in which a number 0..1 selects one.
 *
 * The formulas of red to orange are those of flamegraph.pl; its darkest colours get lighter (hue_readable()).  The
 * others are for people who cannot distinguish red and green: the eight colours of Okabe and Ito ("Color Universal
 * Design", 2008), mixed with varying amounts of white. */
#ifndef RENDER_HUE_H
#define RENDER_HUE_H

#include <stdint.h>

typedef uint32_t hue_fn(double v); /* 0xrrggbb */

hue_fn hue_red, hue_green, hue_blue, hue_yellow, hue_purple, hue_aqua, hue_orange;
hue_fn hue_lime, hue_pale_green, hue_pale_bluish_green; /* code compiled without full optimization, or interpreted */
hue_fn hue_pale_aqua, hue_pale_sky;                     /* code that is probably inlined */
hue_fn hue_sand, hue_mist, hue_sage;                    /* calm: nothing in them is an alarm */
hue_fn hue_vermilion, hue_bluish_green, hue_sky, hue_lemon, hue_amber, hue_mauve, hue_silver;

/* From blue-green through green to yellow: the lighter part of matplotlib's "viridis", in which larger numbers
 * are also lighter. */
hue_fn hue_viridis;

/* The hue with this name ("red" to "orange", and those of Okabe and Ito), or NULL. */
hue_fn *hue_find(const char *name);

/* span * v, rounded down. */
static inline uint32_t hue_part(double span, double v)
{
	return (uint32_t)(span * v);
}

static inline uint32_t hue_rgb(uint32_t r, uint32_t g, uint32_t b)
{
	return r << 16 | g << 8 | b;
}

/* The colour, mixed with as much white as makes black text readable on it: a contrast of 4.5:1 (WCAG 2). */
uint32_t hue_readable(uint32_t rgb);

/* The colour at part (0..1) of the way from one colour to another. */
uint32_t hue_between(uint32_t from, uint32_t to, double part);

#endif
