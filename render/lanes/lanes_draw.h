/* lanes_draw: draws lanes as rows with a common time axis, each with its own axis for values.
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
#include "render/drawing/page.h"
#include "render/lanes/lanes_strip.h"

enum { LANES_PAD = 10 * CPX };

struct lanes_plan {
	const struct lanes *l;
	const struct bars_style *style;
	struct heading heading, details;
	struct lanes_strip strip;
	int32_t w, h; /* cpx */
	int32_t axis_y, details_y;
};

void lanes_plan_make(struct lanes_plan *p, const struct lanes *l, const struct bars_style *style);
void lanes_plan_free(struct lanes_plan *p);

/* The plan must outlive it. */
struct drawing lanes_drawing(const struct lanes_plan *p);

/* Write the picture to path; NULL is stdout.  Returns 0, or -1 after a message. */
int lanes_write(const void *lanes, const struct bars_style *style, const char *path);

/* The scripts and the style of lanes. */
extern const struct page lanes_page;

#endif
