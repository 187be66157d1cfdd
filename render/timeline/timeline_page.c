#include "render/timeline/timeline_draw.h"

#include <stddef.h>

static const char *const timeline_scripts[] = { "common/clock.js",
						"common/time_part.js",
						"common/time_axis.js",
						"common/rows_panel.js",
						"common/rows_toolbar.js",
						"timeline/data.js",
						"timeline/raster.js",
						"timeline/address.js",
						"timeline/view.js",
						"timeline/panel.js",
						"timeline/details.js",
						"timeline/actions.js",
						"timeline/toolbar.js",
						"timeline/stage.js",
						"timeline/export.js",
						"timeline/timeline.js",
						NULL };

const struct page timeline_page = { .base = &common_page,
				    .scripts = timeline_scripts,
				    .style = "timeline/timeline.css" };
