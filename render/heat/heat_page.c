#include "render/heat/heat_draw.h"

#include "render/flame/flame.h"

static const char *const heat_scripts[] = {
	"lanes/data.js",  "lanes/draw.js",   "heat/data.js",    "heat/axes.js",   "heat/seen.js",
	"heat/grid.js",   "heat/scale.js",   "heat/select.js",  "heat/ticks.js",  "heat/tree.js",
	"heat/range.js",  "heat/flame.js",   "heat/address.js", "heat/app.js",    "heat/page.js",
	"heat/cells.js",  "heat/view.js",    "heat/marks.js",   "heat/hover.js",  "heat/stage.js",
	"heat/lanes.js",  "heat/keys.js",    "heat/beats.js",   "heat/counts.js", "heat/aside.js",
	"heat/period.js", "heat/actions.js", "heat/toolbar.js", "heat/legend.js", "heat/details.js",
	"heat/lines.js",  "heat/export.js",  "heat/links.js",   "heat/heat.js",   NULL
};

/* A heat map contains a flame graph, of the selected time. */
const struct page heat_page = { .base = &flame_page, .scripts = heat_scripts, .style = "heat/heat.css" };
