#include "render/assets.h"

#include <string.h>

ASSET(flame_css, "render/browser/flame.css")
ASSET(profile_js, "render/browser/profile.js")
ASSET(transform_js, "render/browser/transform.js")
ASSET(layout_js, "render/browser/layout.js")
ASSET(flame_js, "render/browser/flame.js")

size_t flame_scripts(const struct asset **scripts)
{
	static struct asset all[4];
	struct asset in_order[] = { profile_js_asset(), transform_js_asset(), layout_js_asset(),
				    flame_js_asset() };

	_Static_assert(sizeof(all) == sizeof(in_order), "as many");
	memcpy(all, in_order, sizeof(all));
	*scripts = all;
	return sizeof(all) / sizeof(all[0]);
}
