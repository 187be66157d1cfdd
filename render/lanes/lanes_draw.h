/* lanes_draw: lanes as rows with one axis of time, each with an axis of its own for the values.
 *
 *     Lanes
 *     db1 · lanes · 2026-11-21 10:15:02.000 - 10:15:12.000 UTC
 *                                 10:15:02      10:15:04      10:15:06
 *     memory free                 ▄▄▄▄▄▄▃▃▃▃▂▂▂▂▂▁▁▁▁▁▁▁▃▃▃▃▃▃▃▃▃▃▃
 *     1.2 to 3.4 GiB
 *     udp 0.0.0.0:5000 depth      --------------------------------- limit
 *     0 to 81920, limit 212992    ▁▁▁▁▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁▁
 *
 * A column of pixels shows the least and the greatest value in it.  The SVG has all values, from which the script draws
 * any part of the time. */
#ifndef RENDER_LANES_LANES_DRAW_H
#define RENDER_LANES_LANES_DRAW_H

#include "render/bars/bars_style.h"
#include "render/drawing/heading.h"
#include "render/lanes/lanes.h"

enum { LANES_PAD = 10 * CPX };

/* Values between which a row is drawn, in units of the lane. */
struct lanes_scale {
	uint64_t from, to; /* from < to */
	bool has_limit;    /* the limit is within */
};

struct lanes_row {
	size_t lane;
	int32_t y;
	struct lanes_scale scale;
	struct str name, note;
};

struct lanes_plan {
	const struct lanes *l;
	const struct bars_style *style;
	struct heading heading, details;
	struct lanes_row *rows;
	size_t row_count;
	int32_t w, h; /* cpx, as are all lengths below */
	int32_t name_x, name_w, bar_x, bar_w;
	int32_t axis_y, rows_y, row_h, details_y;
};

void lanes_plan_make(struct lanes_plan *p, const struct lanes *l, const struct bars_style *style);
void lanes_plan_free(struct lanes_plan *p);

/* The colour of a lane, by its first frame: also of the script. */
uint32_t lanes_rgb(const struct lanes_lane *lane);

void lanes_draw(const struct lanes_plan *p, struct canvas *c);

/* Append the whole file. */
void lanes_svg(const struct lanes_plan *p, struct str *out);

/* Write the picture to path; NULL is stdout.  Returns 0, or -1 after a message. */
int lanes_write(const struct lanes *l, const struct bars_style *style, const char *path);

#endif
