/* layout: the places of a tree's frames in the picture.
 *
 *     row 2   |box|         |..|    box:   wide enough to be drawn by itself
 *     row 1   |   box  | | | |      crumb: a run of frames too narrow for that,
 *     row 0   |      box          |        drawn as one shape
 *
 * Lengths are in cpx (hundredths of a pixel) from the left end of the root, in
 * whole numbers, so that every machine draws the same picture. */
#ifndef RENDER_LAYOUT_H
#define RENDER_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "render/colours/colouring.h"
#include "render/profile/tree.h"

struct box {
	uint32_t frame; /* crumbs: the first one of the run */
	uint32_t row;   /* level above the root */
	int32_t x0, x1;
	uint32_t rgb; /* crumbs only */
};

struct boxes {
	struct box *items;
	size_t count, cap;
};

struct layout {              /* {0} is empty */
	struct boxes boxes;  /* in the tree's order */
	struct boxes crumbs; /* sorted by colour, row, x0 */
	uint32_t rows;       /* rows that are not empty */
	uint32_t dropped;    /* frames that are too narrow to be drawn */
	uint32_t deeper;     /* frames in rows from max_rows on */
	int32_t least_cpx;   /* because of boxes_max, frames narrower than this are crumbs; 0: none */
	uint32_t box_rows;   /* because of boxes_max, all frames from this row on are crumbs; 0: none */
};

struct layout_size {
	int32_t width_cpx;                 /* of the root */
	uint64_t min_value;                /* frames with less are not drawn */
	uint32_t max_rows;                 /* frames in deeper rows are not drawn either; 0: no limit */
	int32_t box_cpx;                   /* narrower frames are crumbs */
	uint32_t boxes_max;                /* at most this many boxes; 0: any number */
	const struct colouring *colouring; /* the frames of a run have the same colour */
};

/* Lay out frame root and all below it. */
void layout_make(struct layout *l, const struct tree *t, uint32_t root, const struct layout_size *size);

void layout_free(struct layout *l);

#endif
