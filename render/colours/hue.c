#include "render/colours/hue.h"

#include <stddef.h>
#include <string.h>

/* ---- flamegraph.pl's -------------------------------------------------------- */

uint32_t hue_red(double v)
{
	uint32_t x = 50 + hue_part(80, v);

	return hue_rgb(200 + hue_part(55, v), x, x);
}

uint32_t hue_green(double v)
{
	uint32_t x = 50 + hue_part(60, v);

	return hue_rgb(x, 200 + hue_part(55, v), x);
}

uint32_t hue_blue(double v)
{
	uint32_t x = 80 + hue_part(60, v);

	return hue_rgb(x, x, 205 + hue_part(50, v));
}

uint32_t hue_yellow(double v)
{
	uint32_t x = 175 + hue_part(55, v);

	return hue_rgb(x, x, 50 + hue_part(20, v));
}

uint32_t hue_purple(double v)
{
	uint32_t x = 190 + hue_part(65, v);

	return hue_rgb(x, 80 + hue_part(60, v), x);
}

uint32_t hue_aqua(double v)
{
	uint32_t x = 165 + hue_part(55, v);

	return hue_rgb(50 + hue_part(60, v), x, x);
}

uint32_t hue_orange(double v)
{
	return hue_rgb(190 + hue_part(65, v), 90 + hue_part(65, v), 0);
}

/* ---- beside these: what async-profiler has for C1 and interpreted code ------- */

uint32_t hue_lime(double v)
{
	return hue_rgb(170 + hue_part(40, v), 215 + hue_part(35, v), 70 + hue_part(50, v));
}

uint32_t hue_pale_green(double v)
{
	uint32_t x = 150 + hue_part(40, v);

	return hue_rgb(x, 205 + hue_part(35, v), x);
}

uint32_t hue_pale_aqua(double v)
{
	uint32_t x = 205 + hue_part(35, v);

	return hue_rgb(135 + hue_part(45, v), x, x);
}

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

/* Up to two fifths white: with more, hues could be mistaken for each other. */
static uint32_t tint(uint32_t colour, double v)
{
	return hue_between(colour, 0xffffff, 0.4 * v);
}

uint32_t hue_vermilion(double v)
{
	return tint(0xd55e00, v);
}

uint32_t hue_bluish_green(double v)
{
	return tint(0x009e73, v);
}

uint32_t hue_pale_bluish_green(double v)
{
	return tint(0x7fceb9, v);
}

uint32_t hue_sky(double v)
{
	return tint(0x56b4e9, v);
}

uint32_t hue_pale_sky(double v)
{
	return tint(0xa6d8f4, v);
}

uint32_t hue_lemon(double v)
{
	return tint(0xf0e442, v);
}

uint32_t hue_amber(double v)
{
	return tint(0xe69f00, v);
}

uint32_t hue_mauve(double v)
{
	return tint(0xcc79a7, v);
}

uint32_t hue_silver(double v)
{
	return tint(0xb0b0b0, v);
}

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
