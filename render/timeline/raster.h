/* raster: the marks that the spans of a row make in a picture of a given width.
 *
 * A span of a pixel or more is a mark of its own, as wide as its time.  Shorter spans are merged by pixel: such a mark
 * has the colour of the kind that took most of the pixel, and its height is the share of the pixel's time that spans
 * took, at least a pixel.  Marks of dull kinds (waits for work, or for time to pass) are at most a third as high.
 * Neighbours that look the same become one mark.  The gaps between the spans of a row have marks of one kind and height
 * (timeline_find_shorts()).
 * browser/timeline/raster.js does the same for a part of the window. */
#ifndef RENDER_RASTER_H
#define RENDER_RASTER_H

#include <stddef.h>
#include <stdint.h>

#include "render/timeline/timeline.h"

struct raster {
	const struct timeline *t;
	int32_t width_px;
	int32_t height_px; /* height of a mark whose spans take all of its time */
	uint64_t *of_kind; /* time in the pixel, by kind */
	uint32_t *touched; /* kinds with time in the pixel */
};

struct mark {
	int32_t x, w; /* cpx, from the window's start */
	int32_t h;    /* px */
	uint32_t kind, row;
	size_t span; /* SIZE_MAX: the mark is of several spans */
};

struct marks { /* {0} is empty */
	struct mark *items;
	size_t count, cap;
};

/* t must be arranged, and have a window.  The caller calls raster_free(). */
void raster_init(struct raster *r, const struct timeline *t, int32_t width_px, int32_t height_px);

/* Append the marks of row, from left to right. */
void raster_row(struct raster *r, uint32_t row, struct marks *out);

void raster_free(struct raster *r);

#endif
