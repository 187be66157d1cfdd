#include "render/palette.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/hash.h"
#include "core/str.h"
#include "render/frame.h"

/* span * v for v in [0, 1). */
static uint32_t part(uint32_t span, uint32_t v)
{
	return span * v >> 16;
}

static uint32_t rgb(uint32_t r, uint32_t g, uint32_t b)
{
	return r << 16 | g << 8 | b;
}

/* ---- hues ----------------------------------------------------------------- */

static uint32_t red(uint32_t v)
{
	uint32_t x = 50 + part(80, v);

	return rgb(200 + part(55, v), x, x);
}

static uint32_t green(uint32_t v)
{
	uint32_t x = 50 + part(60, v);

	return rgb(x, 200 + part(55, v), x);
}

static uint32_t yellow(uint32_t v)
{
	uint32_t x = 175 + part(55, v);

	return rgb(x, x, 50 + part(20, v));
}

static uint32_t purple(uint32_t v)
{
	uint32_t x = 190 + part(65, v);

	return rgb(x, 80 + part(60, v), x);
}

static uint32_t aqua(uint32_t v)
{
	uint32_t x = 165 + part(55, v);

	return rgb(50 + part(60, v), x, x);
}

static uint32_t orange(uint32_t v)
{
	return rgb(190 + part(65, v), 90 + part(65, v), 0);
}

/* ---- palettes ------------------------------------------------------------- */

static uint32_t hot(const char *name, size_t len, uint32_t v1, uint32_t v2)
{
	(void)name, (void)len;
	return rgb(205 + part(50, v2), part(230, v1), part(55, v2));
}

static uint32_t mem(const char *name, size_t len, uint32_t v1, uint32_t v2)
{
	(void)name, (void)len;
	return rgb(0, 190 + part(50, v2), part(210, v1));
}

static uint32_t io(const char *name, size_t len, uint32_t v1, uint32_t v2)
{
	uint32_t x = 80 + part(60, v1);

	(void)name, (void)len;
	return rgb(x, x, 190 + part(55, v2));
}

static bool has(const char *name, size_t len, const char *part_of_it)
{
	return memmem(name, len, part_of_it, strlen(part_of_it));
}

/* "Ljava/util/List" or "com/example/App": a class by its package. */
static bool is_java_class(const char *name, size_t len)
{
	static const char *const roots[] = { "java/", "javax/", "jdk/", "net/", "org/",
					     "com/", "io/", "sun/" };

	if (len && name[0] == 'L') {
		name++;
		len--;
	}
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		if (len >= strlen(roots[i]) && !memcmp(name, roots[i], strlen(roots[i])))
			return true;
	}
	return false;
}

static uint32_t java(const char *name, size_t len, uint32_t v1, uint32_t v2)
{
	(void)v2;
	switch (frame_annotation(name, len)) {
	case 'j': case '0': case '1': return green(v1);
	case 'i': return aqua(v1);
	case 'k': return orange(v1);
	case 'w': return purple(v1);
	}
	if (is_java_class(name, len) || has(name, len, ":::"))
		return green(v1);
	return has(name, len, "::") ? yellow(v1) : red(v1);
}

static const struct palette palettes[] = {
	{ "hot", hot },
	{ "java", java },
	{ "mem", mem },
	{ "io", io },
	{0}
};

const struct palette *palette_find(const char *name)
{
	struct str known = {0};

	for (const struct palette *p = palettes; p->name; p++) {
		if (!strcmp(p->name, name))
			return p;
	}
	for (const struct palette *p = palettes; p->name; p++)
		str_addf(&known, " %s", p->name);
	die_usage("--colors wants one of:%s; not '%s'", str_text(&known), name);
}

/* FNV-1a, 64 bits, then mixed: the same everywhere and for ever, unlike the
 * hashes of our tables. */
static uint64_t hash_name(const char *name, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		h = (h ^ (unsigned char)name[i]) * 0x100000001b3u;
	h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
	return h ^ h >> 32;
}

uint32_t palette_colour(const struct palette *p, const char *name, size_t len)
{
	uint64_t h = hash_name(name, frame_base_len(name, len));

	if (len == 2 && !memcmp(name, "--", 2)) /* between a stack and its waker's */
		return rgb(160, 160, 160);
	if (len == 1 && name[0] == '-')
		return rgb(200, 200, 200);
	return p->colour(name, len, (uint32_t)(h & 0xffff), (uint32_t)(h >> 32 & 0xffff));
}

/* A third of the way to white. */
static uint32_t paler(uint32_t colour)
{
	uint32_t r = colour >> 16, g = colour >> 8 & 255, b = colour & 255;

	return rgb(r + (255 - r) / 3, g + (255 - g) / 3, b + (255 - b) / 3);
}

uint32_t palette_crumb(const struct palette *p, const char *name, size_t len)
{
	return paler(p->colour(name, len, 1 << 15, 1 << 15));
}

/* ---- backgrounds ---------------------------------------------------------- */

static const struct background backgrounds[] = {
	{ "white", 0xffffff, 0xffffff },
	{ "yellow", 0xeeeeee, 0xeeeeb0 },
	{ "blue", 0xeeeeee, 0xe0e0ff },
	{ "green", 0xeef2ee, 0xe0ffe0 },
	{ "grey", 0xf8f8f8, 0xe8e8e8 },
	{0}
};

static bool parse_colour(const char *text, uint32_t *colour)
{
	if (text[0] != '#' || strlen(text) != 7 ||
	    strspn(text + 1, "0123456789abcdefABCDEF") != 6)
		return false;
	*colour = (uint32_t)strtoul(text + 1, NULL, 16);
	return true;
}

struct background background_find(const char *name)
{
	struct background flat = { .name = name };

	for (const struct background *b = backgrounds; b->name; b++) {
		if (!strcmp(b->name, name))
			return *b;
	}
	if (!parse_colour(name, &flat.top))
		die_usage("--bgcolors wants white, yellow, blue, green, grey or #rrggbb, not '%s'",
			  name);
	flat.bottom = flat.top;
	return flat;
}
