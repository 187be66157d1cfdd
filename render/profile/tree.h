/* tree: a profile's frames in drawing order: depth first, with siblings in one of several orders.
 *
 * The subtree of frame i is frames[i] .. frames[frames[i].end - 1], its first child is frames[i + 1], and the sibling
 * after a child c is frames[c.end].
 *
 * Frames narrower than a limit can be folded: all such children of a frame, with everything
 * below them, become one frame called "...", the last of the children. */
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
	uint64_t start; /* its begin relative to that of the root: after its previous sibling; in a profile_chart()
			 * there may be a gap between both */
	uint64_t total; /* self and all children; never 0 */
};

/* A frame's own value in one layer. */
struct layer_value {
	uint32_t layer;
	uint64_t value;
};

/* A frame that stands for folded ones. */
struct tree_fold {
	uint32_t frame; /* its name is PROFILE_FOLDED_NAME */
	uint32_t count; /* how many frames it stands for */
};

struct tree { /* {0} is empty */
	struct frame *frames;
	uint32_t count;
	uint32_t levels;         /* tree_levels() of the root */
	bool charted;            /* from a profile_chart(), so that there can be gaps: see tree_gap() */
	struct tree_fold *folds; /* sorted by frame */
	uint32_t fold_count;
	uint64_t folded;    /* how many frames they stand for */
	uint64_t least;     /* frames below this width were folded; 0: none */
	uint32_t *arrival;  /* [count] if requested: the frame's place among its siblings in the order of the
			     * input */
	uint32_t *frame_of; /* [profile's stack] if requested: the frame in which it ends or is folded */

	/* With layers: frame i's own values, without those of its children, are values[values_at[i]] ..
	 * values[values_at[i + 1] - 1], by ascending layer. */
	struct layer_value *values;
	size_t *values_at; /* [count + 1]; NULL without layers */
};

enum tree_order {
	ORDER_NAME,    /* bytewise, annotation last */
	ORDER_WIDTH,   /* widest first, then by name */
	ORDER_ARRIVAL, /* in the order of the input; always so for a profile_chart() */
};

struct tree_wish {
	enum tree_order order;
	uint64_t detail_bytes; /* fold frames until encode() writes about this many bytes; 0: fold nothing */
	bool arrival;          /* set tree.arrival */
	bool keep_first;       /* never fold children of the root, only frames below them */
	bool frame_of;         /* set tree.frame_of */
};

/* Order p's frames.  Empty if all values of p are 0. */
void tree_build_as(struct tree *t, const struct profile *p, const struct tree_wish *wish);

/* All frames, by name. */
void tree_build(struct tree *t, const struct profile *p);

/* How many frames frame i stands for; 0 if it is not a fold. */
uint32_t tree_folded(const struct tree *t, uint32_t i);

/* The number of "..." frames in frame root's subtree, and of the frames that they stand for. */
uint32_t tree_folds_below(const struct tree *t, uint32_t root);
uint64_t tree_folded_below(const struct tree *t, uint32_t root);

/* The part of frame i outside of its children: to their right, and in the gaps between them. */
uint64_t tree_self(const struct tree *t, uint32_t i);

/* The gap before frame i, which is not the root: the part of the parent between the previous child, or the parent's own
 * begin, and frame i. */
uint64_t tree_gap(const struct tree *t, uint32_t i);

/* The number of levels of frame i's subtree, itself included. */
uint32_t tree_levels(const struct tree *t, uint32_t i);

/* [count] totals over each frame's subtree in one layer; the caller frees them. Like the widths, they add up
 * exactly. */
uint64_t *tree_layer_totals(const struct tree *t, uint32_t layer);

/* How many children of the root have a total below least. */
uint32_t tree_count_below(const struct tree *t, uint64_t least);

/* Put these children below a new frame called name, the last child of the root.  Not for trees with layers, gaps or
 * frame_of. */
void tree_gather(struct tree *t, uint64_t least, uint32_t name);

void tree_free(struct tree *t);

/* ---- between tree*.c ---- */

/* The input of a tree. */
struct tree_source {
	const struct profile *profile;
	uint64_t *total; /* [stack] total of its first node; for a stack without nodes, its self */
	uint32_t *size;  /* [stack] nodes in and below it, without gaps */
	uint32_t *hung;  /* all stacks except the first, sorted by the node that they hang below */
	uint32_t *begin; /* [stack] index in hung of the first stack below its nodes */
};

void tree_source_make(struct tree_source *s, const struct profile *p);
void tree_source_free(struct tree_source *s);

/* The limit of kept frames: all with a total of at least high are kept and, since many can have the same total, also
 * those of at least low in the first stacks.  Parents of kept frames are kept. */
struct tree_limit {
	uint64_t low, high; /* 0 < low <= high */
	uint32_t stacks;
};

static inline bool tree_keeps(const struct tree_limit *limit, uint64_t total, uint32_t stack)
{
	return total >= limit->high || (total >= limit->low && stack < limit->stacks);
}

/* The limit for detail_bytes; 0: keep everything. */
struct tree_limit tree_limit_for(const struct tree_source *s, uint64_t detail_bytes);

/* The maximum number of frames kept within the limit, and the number of "..." frames for the others. */
void tree_kept(const struct tree_source *s, const struct tree_limit *limit, uint64_t *kept, uint64_t *folds);

/* Set values and values_at: stack n's values count with frame frame_of[n]. */
void tree_add_layers(struct tree *t, const struct profile *p, const uint32_t *frame_of);

#endif
