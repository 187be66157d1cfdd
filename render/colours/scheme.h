/* scheme: the palettes, and the colour that each gives a frame's name.
 *
 * Formulas: flamegraph.pl (hot to js), inferno (python, rust), ours (safe,
 * viridis).  Unlike flamegraph.pl, an annotation (frame.h) always wins over what
 * the name looks like: "kernel::sync::lock_[k]" is kernel code, not C++. */
#ifndef RENDER_SCHEME_H
#define RENDER_SCHEME_H

#include <stddef.h>
#include <stdint.h>

#include "render/colours/hue.h"
#include "render/colours/vector.h"

struct scheme {
	const char *name;
	/* One kind of colours for all names ... */
	uint32_t (*colour)(const struct vector *v);
	/* ... or one for each kind of code: the index of the name's kind in kinds. */
	size_t (*kind)(const char *name, size_t len);
	const struct scheme_kind {
		const char *label;
		hue_fn *hue;
	} * kinds; /* ended by {0} */
};

/* The colour of a name with that vector. */
uint32_t scheme_colour(const struct scheme *s, const char *name, size_t len, const struct vector *v);

/* The palettes there are, ended by {0}. */
extern const struct scheme schemes[];

#endif
