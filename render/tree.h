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

struct tree {                  /* {0} is empty */
	struct frame *frames;
	uint32_t count;
};

/* Order p's frames.  Empty when p holds no value but 0. */
void tree_build(struct tree *t, const struct profile *p);

/* What of frame i is in no child; it stands to the right of the children. */
uint64_t tree_self(const struct tree *t, uint32_t i);

/* The number of levels of frame i's subtree, itself included. */
uint32_t tree_levels(const struct tree *t, uint32_t i);

void tree_free(struct tree *t);

#endif
