/* tree: a profile's frames in drawing order.
 *
 * Depth first, siblings in one of several orders: a frame's subtree is frames[i]
 * .. frames[frames[i].end - 1], its first child frames[i + 1], the sibling after a
 * child c is frames[c.end].
 *
 * What is narrower than a limit can be folded: all such children of a frame, with
 * everything below them, into one frame called "...", the last of the children. */
#ifndef RENDER_TREE_H
#define RENDER_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/profile/profile.h"

struct frame {
	uint32_t name;   /* id in profile.names */
	uint32_t parent; /* of the root: 0 */
	uint32_t end;
	uint32_t depth; /* of the root: 0 */
	uint64_t start; /* where it begins, counted from the root's beginning: behind the
			  * sibling before; in a profile_chart() there may be a gap between */
	uint64_t total; /* self and all children; never 0 */
};

/* What a frame itself has in one layer. */
struct layer_value {
	uint32_t layer;
	uint64_t value;
};

/* A frame that stands for others. */
struct tree_fold {
	uint32_t frame; /* its name is PROFILE_FOLDED_NAME */
	uint32_t count; /* of the frames it stands for */
};

struct tree { /* {0} is empty */
	struct frame *frames;
	uint32_t count;
	uint32_t levels;         /* tree_levels() of the root */
	bool charted;            /* of a profile_chart(): there can be gaps, see tree_gap() */
	struct tree_fold *folds; /* by rising frame */
	uint32_t fold_count;
	uint64_t folded;    /* frames that they stand for */
	uint64_t least;     /* what was folded is less than this; 0: nothing was */
	uint32_t *arrival;  /* [count], if it was asked for: each one's place among its
				* siblings in the order in which the input had them */
	uint32_t *frame_of; /* [profile's stack], if it was asked for: the frame that it
				* ends in, or that it is folded in */

	/* With layers: frame i has values[values_at[i]] .. values[values_at[i + 1] - 1],
	 * by rising layer; its own, not its children's. */
	struct layer_value *values;
	size_t *values_at; /* [count + 1]; NULL without layers */
};

enum tree_order {
	ORDER_NAME,    /* bytewise, annotation last */
	ORDER_WIDTH,   /* widest first, then by name */
	ORDER_ARRIVAL, /* as the input had them; that of every profile_chart() */
};

struct tree_wish {
	enum tree_order order;
	uint64_t detail_bytes; /* fold so much that encode() writes about so many; 0: nothing */
	bool arrival;          /* set tree.arrival */
	bool keep_first;       /* the root's children are not folded, only what is below */
	bool frame_of;         /* set tree.frame_of */
};

/* Order p's frames.  Empty if all values of p are 0. */
void tree_build_as(struct tree *t, const struct profile *p, const struct tree_wish *wish);

/* By name, all of them. */
void tree_build(struct tree *t, const struct profile *p);

/* How many frames the frame i stands for; 0 for one that stands for itself. */
uint32_t tree_folded(const struct tree *t, uint32_t i);

/* How many "..." frames are in frame root's subtree, and how many frames they stand for. */
uint32_t tree_folds_below(const struct tree *t, uint32_t root);
uint64_t tree_folded_below(const struct tree *t, uint32_t root);

/* The part of frame i that is not in a child: to the right of the children, and in the gaps
 * between them. */
uint64_t tree_self(const struct tree *t, uint32_t i);

/* The gap before frame i, which is not the root: the part of its parent between it and the
 * previous child, or the parent's own beginning. */
uint64_t tree_gap(const struct tree *t, uint32_t i);

/* The number of levels of frame i's subtree, itself included. */
uint32_t tree_levels(const struct tree *t, uint32_t i);

/* [count] totals over each frame's subtree in one layer; the caller frees them.
 * They add up exactly, as the widths do. */
uint64_t *tree_layer_totals(const struct tree *t, uint32_t layer);

void tree_free(struct tree *t);

/* ---- between tree*.c ---- */

/* What a tree is made from. */
struct tree_source {
	const struct profile *profile;
	uint64_t *total; /* [stack] of its first node; of one without nodes, its self */
	uint32_t *size;  /* [stack] nodes in and below it, without gaps */
	uint32_t *hung;  /* the stacks but the first, by the node that they hang below */
	uint32_t *begin; /* [stack] in hung: those in this stack, if any */
};

void tree_source_make(struct tree_source *s, const struct profile *p);
void tree_source_free(struct tree_source *s);

/* Which frames are kept: those of at least high, and, since many can have the same
 * total, the ones of at least low in the first stacks.  The parents of kept frames
 * are kept. */
struct tree_limit {
	uint64_t low, high; /* 0 < low <= high */
	uint32_t stacks;
};

static inline bool tree_keeps(const struct tree_limit *limit, uint64_t total, uint32_t stack)
{
	return total >= limit->high || (total >= limit->low && stack < limit->stacks);
}

/* What to keep for detail_bytes; 0: everything. */
struct tree_limit tree_limit_for(const struct tree_source *s, uint64_t detail_bytes);

/* At most how many frames are left within the limit, and how many fold the others. */
void tree_kept(const struct tree_source *s, const struct tree_limit *limit, uint64_t *kept, uint64_t *folds);

/* Set values and values_at: stack n's values count with frame frame_of[n]. */
void tree_add_layers(struct tree *t, const struct profile *p, const uint32_t *frame_of);

#endif
