#include "render/bars/chart.h"

const char *const bars_scripts[] = { "bars/model.js",   "bars/text.js",
					    "bars/address.js", "bars/layout.js",
					    "bars/view.js",    "bars/panel.js",
					    "bars/details.js", "bars/toolbar.js",
					    "bars/aside.js",   "bars/stage.js",
					    "bars/actions.js", "bars/export.js",
					    "bars/bars.js",    NULL };

const struct page bars_page = { .base = &common_page, .scripts = bars_scripts, .style = "bars/bars.css" };
