#include "render/assets.h"

#include <string.h>

ASSET(flame_css, "render/browser/flame.css")
ASSET(profile_js, "render/browser/profile.js")
ASSET(search_js, "render/browser/search.js")
ASSET(merge_js, "render/browser/merge.js")
ASSET(reverse_js, "render/browser/reverse.js")
ASSET(layers_js, "render/browser/layers.js")
ASSET(transform_js, "render/browser/transform.js")
ASSET(apply_js, "render/browser/apply.js")
ASSET(layout_js, "render/browser/layout.js")
ASSET(colour_js, "render/browser/colour.js")
ASSET(address_js, "render/browser/address.js")
ASSET(flame_js, "render/browser/flame.js")

size_t flame_scripts(const struct asset **scripts)
{
	static struct asset all[11];
	struct asset in_order[] = {
		profile_js_asset(),
		search_js_asset(),
		merge_js_asset(),
		reverse_js_asset(),
		layers_js_asset(),
		transform_js_asset(),
		apply_js_asset(),
		layout_js_asset(),
		colour_js_asset(),
		address_js_asset(),
		flame_js_asset(),
	};

	_Static_assert(sizeof(all) == sizeof(in_order), "as many");
	memcpy(all, in_order, sizeof(all));
	*scripts = all;
	return sizeof(all) / sizeof(all[0]);
}
