/* colouring: the colour of a frame.
 *
 * In a plain picture it depends only on the name (palette.h); in a differential, or a picture of two metrics, on the
 * frame's values.  Each way is a struct that begins with a
 * struct colouring. */
#ifndef RENDER_COLOURING_H
#define RENDER_COLOURING_H

#include <stdint.h>

#include "core/str.h"
#include "render/colours/palette.h"
#include "render/profile/tree.h"

struct colouring {
	/* 0xrrggbb of a frame of the tree that has a box of its own. */
	uint32_t (*box)(const struct colouring *c, uint32_t frame);
	/* The same for a frame too narrow for a box.  There are only a few such colours, so that neighbours often have
	 * the same one, and are drawn as one shape (layout.h). */
	uint32_t (*crumb)(const struct colouring *c, uint32_t frame);
	/* Append what the tooltip says about the frame after its name; NULL: its
	 * value and share. */
	void (*tip)(const struct colouring *c, struct str *out, uint32_t frame);
};

/* The colour between a (part 0) and b (part == whole), channel by channel, rounded down. */
uint32_t colour_between(uint32_t a, uint32_t b, uint64_t part, uint64_t whole);

/* By the frame's name. */
struct name_colouring {
	struct colouring colouring;
	const struct profile *profile;
	const struct tree *tree;
	const struct palette *palette;
	uint32_t *crumb_rgb; /* by name */
};

/* The arguments must outlive it. */
void name_colouring_make(struct name_colouring *n, const struct profile *p, const struct tree *t,
			 const struct palette *palette);

void name_colouring_free(struct name_colouring *n);

/* By the frame's width: palette_diffusion(). */
struct width_colouring {
	struct colouring colouring;
	const struct tree *tree;
};

/* t must outlive it. */
void width_colouring_make(struct width_colouring *w, const struct tree *t);

#endif
