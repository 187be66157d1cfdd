/* scheme: which colour the name of a frame means, by the palettes' names.
 *
 * Formulas: flamegraph.pl (hot to js), inferno (python, rust), ours (safe,
 * viridis).  Unlike flamegraph.pl, an annotation (frame.h) always wins over what
 * the name looks like: "kernel::sync::lock_[k]" is kernel code, no C++. */
#ifndef RENDER_SCHEME_H
#define RENDER_SCHEME_H

#include <stddef.h>
#include <stdint.h>

#include "render/vector.h"

struct scheme {
	const char *name;
	uint32_t (*colour)(const char *name, size_t len, const struct vector *v);
};

/* The palettes there are, ended by {0}. */
extern const struct scheme schemes[];

#endif
