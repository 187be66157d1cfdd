#include "render/colours/hue.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- flamegraph.pl's -------------------------------------------------------- */

/* For red, green and blue: the least value, and how much it may be increased. */
#define RANGE(name, r, more_r, g, more_g, b, more_b)                                                       \
	uint32_t name(double v)                                                                            \
	{                                                                                                  \
		return hue_rgb(r + hue_part(more_r, v), g + hue_part(more_g, v), b + hue_part(more_b, v)); \
	}

RANGE(hue_red, 200, 55, 50, 80, 50, 80)
RANGE(hue_green, 50, 60, 200, 55, 50, 60)
RANGE(hue_blue, 80, 60, 80, 60, 205, 50)
RANGE(hue_yellow, 175, 55, 175, 55, 50, 20)
RANGE(hue_purple, 190, 65, 80, 60, 190, 65)
RANGE(hue_aqua, 50, 60, 165, 55, 165, 55)
RANGE(hue_orange, 190, 65, 90, 65, 0, 0)

/* ---- in addition: async-profiler's colours for C1 and interpreted code -------- */

RANGE(hue_lime, 170, 40, 215, 35, 70, 50)
RANGE(hue_pale_green, 150, 40, 205, 35, 150, 40)
RANGE(hue_pale_aqua, 135, 45, 205, 35, 205, 35)

/* ---- where a colour tells nothing ---------------------------------------------- */

RANGE(hue_sand, 214, 28, 194, 26, 154, 36)
RANGE(hue_mist, 142, 40, 196, 28, 192, 30)
RANGE(hue_sage, 158, 38, 200, 28, 150, 40)

/* ---- Okabe's and Ito's ------------------------------------------------------ */

uint32_t hue_between(uint32_t from, uint32_t to, double part)
{
	uint32_t mixed = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double a = from >> shift & 255, b = to >> shift & 255;

		mixed |= (uint32_t)(a + (b - a) * part + 0.5) << shift;
	}
	return mixed;
}

static double hue_linear(uint32_t byte)
{
	double v = byte / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

uint32_t hue_readable(uint32_t rgb)
{
	const double least = 4.5 * 0.05 - 0.05; /* luminance */
	const uint32_t bright_green = 137;      /* alone enough */

	for (int percent = 0; (rgb >> 8 & 255) < bright_green; percent = 2) {
		rgb = hue_between(rgb, 0xffffff, percent / 100.0);
		if (0.2126 * hue_linear(rgb >> 16) + 0.7152 * hue_linear(rgb >> 8 & 255) +
			    0.0722 * hue_linear(rgb & 255) >=
		    least)
			break;
	}
	return rgb;
}

/* Up to two fifths white; with more, hues could be mistaken for each other. */
#define TINT(name, colour)                                     \
	uint32_t name(double v)                                \
	{                                                      \
		return hue_between(colour, 0xffffff, 0.4 * v); \
	}

TINT(hue_vermilion, 0xd55e00)
TINT(hue_bluish_green, 0x009e73)
TINT(hue_pale_bluish_green, 0x7fceb9)
TINT(hue_sky, 0x56b4e9)
TINT(hue_pale_sky, 0xa6d8f4)
TINT(hue_lemon, 0xf0e442)
TINT(hue_amber, 0xe69f00)
TINT(hue_mauve, 0xcc79a7)
TINT(hue_silver, 0xb0b0b0)

uint32_t hue_viridis(double v)
{
	static const uint32_t steps[] = { 0x21918c, 0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725 };
	const uint32_t last = sizeof(steps) / sizeof(steps[0]) - 1;
	uint32_t i = hue_part(last, v);

	if (i >= last)
		return steps[last];
	return hue_between(steps[i], steps[i + 1], v * last - i);
}

/* ---- by name ---------------------------------------------------------------- */

hue_fn *hue_find(const char *name)
{
	static const struct {
		const char *name;
		hue_fn *hue;
	} hues[] = {
		{ "red", hue_red },       { "green", hue_green },         { "blue", hue_blue },
		{ "yellow", hue_yellow }, { "purple", hue_purple },       { "aqua", hue_aqua },
		{ "orange", hue_orange }, { "vermilion", hue_vermilion }, { "bluish-green", hue_bluish_green },
		{ "sky", hue_sky },       { "lemon", hue_lemon },         { "amber", hue_amber },
		{ "mauve", hue_mauve },   { "silver", hue_silver },
	};

	for (size_t i = 0; i < sizeof(hues) / sizeof(hues[0]); i++) {
		if (!strcmp(hues[i].name, name))
			return hues[i].hue;
	}
	return NULL;
}
