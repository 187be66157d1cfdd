#include "render/timeline/timeline_page.h"

#include "render/drawing/chart_entry.h"
#include "render/timeline/timeline_unfold.h"

static const char *const timeline_scripts[] = { "timeline/data.js",    "timeline/raster.js",   "timeline/address.js",
						"timeline/view.js",    "timeline/panel.js",    "timeline/details.js",
						"timeline/actions.js", "timeline/toolbar.js",  "timeline/stage.js",
						"timeline/export.js",  "timeline/timeline.js", NULL };

const struct page timeline_page = { .base = &common_page,
				    .scripts = timeline_scripts,
				    .style = "timeline/timeline.css" };

/* Without a verb: "render tenancy" draws it. */
const struct chart_entry timeline_entry = {
	.verb = { "timeline", "tenancy over time", NULL },
	.page = &timeline_page,
	.is_in = timeline_is_in,
	.unfold = timeline_unfold,
};
