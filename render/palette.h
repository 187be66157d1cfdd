/* palette: a frame's colour, from its name alone.
 *
 * The formulas are those that people know from flamegraph.pl; the three numbers
 * they take come from a hash of the name, so that a function has the same colour
 * in every picture. */
#ifndef RENDER_PALETTE_H
#define RENDER_PALETTE_H

#include <stddef.h>
#include <stdint.h>

struct palette {
	const char *name;
	/* v1, v2: the name's numbers, 0..65535 for [0, 1). */
	uint32_t (*colour)(const char *name, size_t len, uint32_t v1, uint32_t v2);
};

/* The palette called name; dies of wrong usage, with the names there are. */
const struct palette *palette_find(const char *name);

/* 0xrrggbb of a frame's name, annotation included. */
uint32_t palette_colour(const struct palette *p, const char *name, size_t len);

/* The same for frames too narrow to be drawn one by one: the middle of what a name
 * of its kind can have, paler.  A palette has only a few of these. */
uint32_t palette_crumb(const struct palette *p, const char *name, size_t len);

/* A background: a vertical gradient. */
struct background {
	const char *name;
	uint32_t top, bottom;
};

/* By name, or "#rrggbb"; dies of wrong usage. */
struct background background_find(const char *name);

#endif
