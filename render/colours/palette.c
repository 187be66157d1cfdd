#include "render/colours/palette.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/str.h"
#include "render/colours/hue.h"
#include "render/colours/measuring.h"
#include "render/colours/palette_map.h"
#include "render/colours/rules.h"

enum { SCHEMES_MAX = 32 };

const struct palette *palette_find(const char *name)
{
	static struct palette found[SCHEMES_MAX];
	struct str known = { 0 };

	for (size_t i = 0; schemes[i].name; i++) {
		if (!strcmp(schemes[i].name, name)) {
			found[i] = (struct palette){ &schemes[i], vector_of_name, NULL, NULL };
			return &found[i];
		}
	}
	for (const struct scheme *s = schemes; s->name; s++)
		str_addf(&known, " %s", s->name);
	die_usage("--colors needs one of:%s; not '%s'", str_text(&known), name);
}

bool palette_is_separator(const char *name, size_t len)
{
	return len && len <= 2 && !memcmp(name, "--", len);
}

uint32_t palette_colour(const struct palette *p, const char *name, size_t len)
{
	struct vector v;
	uint32_t colour;

	if (palette_is_separator(name, len))
		return len == 2 ? 0xa0a0a0 : 0xc8c8c8;
	v = p->vector(name, len);
	if (p->rules && rules_colour(p->rules, name, len, v.v1, &colour))
		return colour;
	if (p->map && palette_map_find(p->map, name, len, &colour))
		return colour;
	if (measuring_is(name, len))
		return MEASURING_RGB;
	return scheme_colour(p->scheme, name, len, &v);
}

/* A third of the way to white. */
static uint32_t paler(uint32_t colour)
{
	uint32_t r = colour >> 16, g = colour >> 8 & 255, b = colour & 255;

	return hue_rgb(r + (255 - r) / 3, g + (255 - g) / 3, b + (255 - b) / 3);
}

uint32_t palette_crumb(const struct palette *p, const char *name, size_t len)
{
	static const struct vector middle = { 0.5, 0.5, 0.5 };
	uint32_t colour;

	if (!p->rules || !rules_colour(p->rules, name, len, 0.5, &colour))
		colour = measuring_is(name, len) ? MEASURING_RGB : scheme_colour(p->scheme, name, len, &middle);
	return paler(colour);
}

uint32_t palette_diffusion(uint64_t part, uint64_t whole)
{
	uint32_t x = 100 + hue_part(150, 1 - sqrt((double)part / (double)whole));

	return hue_rgb(255, x, x);
}

/* ---- backgrounds ---------------------------------------------------------- */

static const struct background backgrounds[] = { { "white", 0xffffff, 0xffffff }, { "yellow", 0xeeeeee, 0xeeeeb0 },
						 { "blue", 0xeeeeee, 0xe0e0ff },  { "green", 0xeef2ee, 0xe0ffe0 },
						 { "grey", 0xf8f8f8, 0xe8e8e8 },  { 0 } };

bool parse_colour(const char *text, uint32_t *colour)
{
	if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
		return false;
	*colour = (uint32_t)strtoul(text + 1, NULL, 16);
	return true;
}

/* WCAG 2: relative luminance; 0.179 is as far from black as from white. */
bool background_is_dark(struct background b)
{
	static const double weights[] = { 0.2126, 0.7152, 0.0722 };
	double luminance = 0;

	for (int i = 0; i < 3; i++) {
		double part = (b.top >> (16 - 8 * i) & 255) / 255.0;

		luminance += weights[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
	}
	return luminance < 0.179;
}

struct background background_find(const char *name)
{
	struct background flat = { .name = name };

	for (const struct background *b = backgrounds; b->name; b++) {
		if (!strcmp(b->name, name))
			return *b;
	}
	if (!parse_colour(name, &flat.top))
		die_usage("--bgcolors needs white, yellow, blue, green, grey or #rrggbb, not '%s'", name);
	flat.bottom = flat.top;
	return flat;
}
