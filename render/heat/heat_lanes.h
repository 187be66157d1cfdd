/* heat_lanes: lanes below a heat map, on its axis of time.
 *
 *     1000 ms |################
 *        0 ms |################
 *             10:15:02    10:15:12                         the axis of both
 *             udp 0.0.0.0:5000 depth   0 to 80 KiB, limit 208 KiB
 *             ▁▁▁▁▁▁▁▁▁█▁▁▁▁▁▁
 *
 * Any timed line "lane;NAME...;quantity value" makes one (render/lanes/lanes.h). */
#ifndef RENDER_HEAT_LANES_H
#define RENDER_HEAT_LANES_H

#include "render/heat/heat_draw.h"

/* Read the lanes of path as well; with is_input it is one of those that heat_read() has read.  Returns 0, or -1 after a
 * message: a file that cannot be read, or one without lanes. */
int heat_lanes_read(struct heat *h, const char *path, bool is_input);

/* Put the lanes whose names match one of only (empty: all) below the maps, cut to the time of their columns; if there
 * are none to draw, a remark says why. */
void heat_lanes_add(struct heat_chart *c, struct lanes *l, const struct text_list *only);

#endif
