/* lanes_columns: a lane in columns of pixels: the least and the greatest value that it has in each. */
#ifndef RENDER_LANES_LANES_COLUMNS_H
#define RENDER_LANES_LANES_COLUMNS_H

#include "render/lanes/lanes.h"

struct lanes_column {
	uint64_t least, most;
	bool known; /* the lane has a value there */
};

/* The lane in count columns, which cover the window; the caller frees it. */
struct lanes_column *lanes_columns(const struct lanes *l, const struct lanes_lane *lane, size_t count);

#endif
