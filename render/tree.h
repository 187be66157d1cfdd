/* tree: a profile's frames in drawing order.
 *
 * Depth first, siblings by name (bytewise, annotation last): a frame's subtree
 * is frames[i] .. frames[frames[i].end - 1], its first child frames[i + 1], the
 * sibling after a child c is frames[c.end]. */
#ifndef RENDER_TREE_H
#define RENDER_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "render/profile.h"

struct frame {
	uint32_t name;   /* id in profile.names */
	uint32_t parent; /* of the root: 0 */
	uint32_t end;
	uint32_t depth;  /* of the root: 0 */
	uint64_t start;  /* where it begins, counted from the root's beginning */
	uint64_t total;  /* self and all children; never 0 */
};

/* What a frame itself has in one layer. */
struct layer_value {
	uint32_t layer;
	uint64_t value;
};

struct tree {                  /* {0} is empty */
	struct frame *frames;
	uint32_t count;

	/* With layers: frame i has values[values_at[i]] .. values[values_at[i + 1] - 1],
	 * by rising layer; its own, not its children's. */
	struct layer_value *values;
	size_t *values_at;     /* [count + 1]; NULL without layers */
};

/* Order p's frames.  Empty when p holds no value but 0. */
void tree_build(struct tree *t, const struct profile *p);

/* What of frame i is in no child; it stands to the right of the children. */
uint64_t tree_self(const struct tree *t, uint32_t i);

/* The number of levels of frame i's subtree, itself included. */
uint32_t tree_levels(const struct tree *t, uint32_t i);

/* [count] totals over each frame's subtree in one layer; the caller frees them.
 * They add up exactly, as the width's do. */
uint64_t *tree_layer_totals(const struct tree *t, uint32_t layer);

void tree_free(struct tree *t);

/* ---- between tree.c and tree_layers.c ---- */

/* Set values and values_at: node n's values count with frame frame_of[n]. */
void tree_add_layers(struct tree *t, const struct profile *p, const uint32_t *frame_of);

#endif
