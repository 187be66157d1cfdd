#include "render/processes/processes_draw.h"

#include <stddef.h>

static const char *const processes_scripts[] = {
	"common/clock.js",      "common/time_part.js",    "common/time_axis.js",
	"common/rows_panel.js", "common/rows_toolbar.js", "common/rows_stage.js",
	"processes/data.js",    "processes/address.js",   "processes/view.js",
	"processes/panel.js",   "processes/details.js",   "processes/actions.js",
	"processes/toolbar.js", "processes/stage.js",     "processes/aside.js",
	"processes/export.js",  "processes/processes.js", NULL
};

const struct page processes_page = { .base = &common_page,
				     .scripts = processes_scripts,
				     .style = "processes/processes.css" };
