#include "render/assets.h"

#include <string.h>

ASSET(flame_css, "render/browser/flame.css")
ASSET(split_css, "render/browser/split.css")
ASSET(profile_js, "render/browser/profile.js")
ASSET(flame_js, "render/browser/flame.js")

size_t flame_scripts(const struct asset **scripts)
{
	static struct asset all[2];
	struct asset in_order[] = { profile_js_asset(), flame_js_asset() };

	_Static_assert(sizeof(all) == sizeof(in_order), "as many");
	memcpy(all, in_order, sizeof(all));
	*scripts = all;
	return sizeof(all) / sizeof(all[0]);
}
