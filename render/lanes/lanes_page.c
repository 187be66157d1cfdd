#include "render/lanes/lanes_draw.h"

#include <stddef.h>

static const char *const lanes_scripts[] = { "common/clock.js",      "common/time_part.js",    "common/time_axis.js",
					     "common/rows_panel.js", "common/rows_toolbar.js", "common/rows_stage.js",
					     "lanes/data.js",        "lanes/draw.js",          "lanes/address.js",
					     "lanes/view.js",        "lanes/panel.js",         "lanes/details.js",
					     "lanes/actions.js",     "lanes/toolbar.js",       "lanes/stage.js",
					     "lanes/export.js",      "lanes/lanes.js",         NULL };

const struct page lanes_page = { .base = &common_page, .scripts = lanes_scripts, .style = "lanes/lanes.css" };
