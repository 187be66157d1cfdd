/* palette: a frame's colour, from its name alone.
 *
 * The first of these with a colour for the name decides: "--" and "-" are grey;
 * the user's rules (rules.h); the colours of earlier pictures (palette_map.h); that of measuring (measuring.h); the
 * scheme with the name's vector (scheme.h, vector.h). */
#ifndef RENDER_PALETTE_H
#define RENDER_PALETTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/colours/scheme.h"
#include "render/colours/vector.h"

struct palette_map;
struct colour_rules;

struct palette {
	const struct scheme *scheme;
	vector_fn *vector;
	const struct colour_rules *rules; /* NULL: none */
	const struct palette_map *map;    /* NULL: none */
};

/* The palette called name, with our vector; if it is unknown, exits 2 and lists
 * the known ones. */
const struct palette *palette_find(const char *name);

/* Is the name "--" or "-", which separate stacks? */
bool palette_is_separator(const char *name, size_t len);

/* 0xrrggbb of a frame's name, annotation included. */
uint32_t palette_colour(const struct palette *p, const char *name, size_t len);

/* The same for frames too narrow to be drawn one by one: a paler version of the middle of the colours for names of its
 * kind.  A palette has only a few of these. */
uint32_t palette_crumb(const struct palette *p, const char *name, size_t len);

/* --colordiffusion: the wider a frame, the redder, by the square root of part / whole, since half of the whole is
 * already a lot. */
uint32_t palette_diffusion(uint64_t part, uint64_t whole);

/* A background: a vertical gradient. */
struct background {
	const char *name;
	uint32_t top, bottom;
};

/* A colour by name, or "#rrggbb"; exits 2 on wrong usage. */
struct background background_find(const char *name);

/* Is white text easier to read on this colour than black? */
bool background_is_dark(struct background b);

/* Parse "#rrggbb".  Returns false if text is not a colour. */
bool parse_colour(const char *text, uint32_t *colour);

#endif
