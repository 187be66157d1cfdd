#include "render/flame/flame.h"

static const char *const flame_scripts[] = {
	"flame/known.js",      "flame/unnamed.js",      "flame/merge.js",   "flame/reverse.js", "flame/layers.js",
	"flame/difference.js", "flame/transform.js",    "flame/apply.js",   "flame/layout.js",  "flame/module.js",
	"flame/colour.js",     "flame/address.js",      "flame/view.js",    "flame/panel.js",   "flame/stage.js",
	"flame/compare.js",    "flame/differential.js", "flame/details.js", "flame/toolbar.js", "flame/find.js",
	"flame/actions.js",    "flame/layered.js",      "flame/legend.js",  "flame/export.js",  "flame/keys.js",
	"flame/links.js",      "flame/list.js",         "flame/table.js",   "flame/flame.js",   NULL
};

const struct page flame_page = { .base = &common_page, .scripts = flame_scripts, .style = "flame/flame.css" };
