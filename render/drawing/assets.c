#include "render/drawing/assets.h"

#include <assert.h>
#include <string.h>

ASSET(flame_css, "render/browser/flame/flame.css")
ASSETS(bars_css, "render/browser/flame/flame.css", "render/browser/bars/bars.css")
ASSET_OF(heat_css, ".incbin \"render/browser/flame/flame.css\"\n.incbin \"render/browser/heat/heat.css\"\n"
		   ".incbin \"render/browser/heat/side.css\"\n")
ASSET(split_css, "render/browser/flame/split.css")
ASSET(timeline_css, "render/browser/timeline/timeline.css")
ASSET(timeline_data_js, "render/browser/timeline/data.js")
ASSET(timeline_raster_js, "render/browser/timeline/raster.js")
ASSET(timeline_flow_js, "render/browser/timeline/flow.js")
ASSET(timeline_view_js, "render/browser/timeline/view.js")
ASSET(timeline_use_js, "render/browser/timeline/use.js")
ASSET(timeline_js, "render/browser/timeline/timeline.js")
ASSET(number_js, "render/browser/common/number.js")
ASSET(profile_js, "render/browser/common/profile.js")
ASSET(search_js, "render/browser/common/search.js")
ASSET(merge_js, "render/browser/flame/merge.js")
ASSET(reverse_js, "render/browser/flame/reverse.js")
ASSET(layers_js, "render/browser/flame/layers.js")
ASSET(transform_js, "render/browser/flame/transform.js")
ASSET(apply_js, "render/browser/flame/apply.js")
ASSET(layout_js, "render/browser/flame/layout.js")
ASSET(module_js, "render/browser/flame/module.js")
ASSET(contrast_js, "render/browser/common/contrast.js")
ASSET(colour_js, "render/browser/flame/colour.js")
ASSET(address_js, "render/browser/flame/address.js")
ASSET(dom_js, "render/browser/common/dom.js")
ASSET(view_js, "render/browser/flame/view.js")
ASSET(slow_js, "render/browser/common/slow.js")
ASSET(page_js, "render/browser/common/page.js")
ASSET(panel_js, "render/browser/flame/panel.js")
ASSET(stage_js, "render/browser/flame/stage.js")
ASSET(compare_js, "render/browser/flame/compare.js")
ASSET(tip_js, "render/browser/common/tip.js")
ASSET(details_js, "render/browser/flame/details.js")
ASSET(toolbar_js, "render/browser/flame/toolbar.js")
ASSET(find_js, "render/browser/flame/find.js")
ASSET(menu_js, "render/browser/common/menu.js")
ASSET(commands_js, "render/browser/common/commands.js")
ASSET(actions_js, "render/browser/flame/actions.js")
ASSET(layered_js, "render/browser/flame/layered.js")
ASSET(help_js, "render/browser/common/help.js")
ASSET(legend_js, "render/browser/flame/legend.js")
ASSET(save_js, "render/browser/common/save.js")
ASSET(export_js, "render/browser/flame/export.js")
ASSET(keys_js, "render/browser/flame/keys.js")
ASSET(history_js, "render/browser/common/history.js")
ASSET(links_js, "render/browser/flame/links.js")
ASSET(table_js, "render/browser/flame/table.js")
ASSET(flame_js, "render/browser/flame/flame.js")
ASSET(bars_model_js, "render/browser/bars/model.js")
ASSET(bars_text_js, "render/browser/bars/text.js")
ASSET(bars_address_js, "render/browser/bars/address.js")
ASSET(bars_layout_js, "render/browser/bars/layout.js")
ASSET(bars_view_js, "render/browser/bars/view.js")
ASSET(bars_panel_js, "render/browser/bars/panel.js")
ASSET(bars_details_js, "render/browser/bars/details.js")
ASSET(bars_toolbar_js, "render/browser/bars/toolbar.js")
ASSET(bars_aside_js, "render/browser/bars/aside.js")
ASSET(bars_stage_js, "render/browser/bars/stage.js")
ASSET(bars_actions_js, "render/browser/bars/actions.js")
ASSET(bars_export_js, "render/browser/bars/export.js")
ASSET(bars_links_js, "render/browser/bars/links.js")
ASSET(bars_js, "render/browser/bars/bars.js")
ASSET(heat_data_js, "render/browser/heat/data.js")
ASSET(heat_axes_js, "render/browser/heat/axes.js")
ASSET(heat_seen_js, "render/browser/heat/seen.js")
ASSET(heat_grid_js, "render/browser/heat/grid.js")
ASSET(heat_scale_js, "render/browser/heat/scale.js")
ASSET(heat_select_js, "render/browser/heat/select.js")
ASSET(heat_ticks_js, "render/browser/heat/ticks.js")
ASSET(heat_tree_js, "render/browser/heat/tree.js")
ASSET(heat_range_js, "render/browser/heat/range.js")
ASSET(heat_flame_js, "render/browser/heat/flame.js")
ASSET(heat_address_js, "render/browser/heat/address.js")
ASSET(heat_app_js, "render/browser/heat/app.js")
ASSET(heat_page_js, "render/browser/heat/page.js")
ASSET(heat_cells_js, "render/browser/heat/cells.js")
ASSET(heat_view_js, "render/browser/heat/view.js")
ASSET(heat_marks_js, "render/browser/heat/marks.js")
ASSET(heat_hover_js, "render/browser/heat/hover.js")
ASSET(heat_stage_js, "render/browser/heat/stage.js")
ASSET(heat_keys_js, "render/browser/heat/keys.js")
ASSET(heat_beats_js, "render/browser/heat/beats.js")
ASSET(heat_counts_js, "render/browser/heat/counts.js")
ASSET(heat_aside_js, "render/browser/heat/aside.js")
ASSET(heat_period_js, "render/browser/heat/period.js")
ASSET(heat_actions_js, "render/browser/heat/actions.js")
ASSET(heat_toolbar_js, "render/browser/heat/toolbar.js")
ASSET(heat_legend_js, "render/browser/heat/legend.js")
ASSET(heat_details_js, "render/browser/heat/details.js")
ASSET(heat_lines_js, "render/browser/heat/lines.js")
ASSET(heat_export_js, "render/browser/heat/export.js")
ASSET(heat_links_js, "render/browser/heat/links.js")
ASSET(heat_js, "render/browser/heat/heat.js")

size_t flame_scripts(const struct asset **scripts)
{
	static struct asset all[37];
	struct asset in_order[] = {
		number_js_asset(),
		profile_js_asset(),
		search_js_asset(),
		merge_js_asset(),
		reverse_js_asset(),
		layers_js_asset(),
		transform_js_asset(),
		apply_js_asset(),
		layout_js_asset(),
		module_js_asset(),
		contrast_js_asset(),
		colour_js_asset(),
		address_js_asset(),
		dom_js_asset(),
		view_js_asset(),
		slow_js_asset(),
		page_js_asset(),
		panel_js_asset(),
		stage_js_asset(),
		compare_js_asset(),
		tip_js_asset(),
		details_js_asset(),
		toolbar_js_asset(),
		find_js_asset(),
		menu_js_asset(),
		commands_js_asset(),
		actions_js_asset(),
		layered_js_asset(),
		help_js_asset(),
		legend_js_asset(),
		save_js_asset(),
		export_js_asset(),
		keys_js_asset(),
		history_js_asset(),
		links_js_asset(),
		table_js_asset(),
		flame_js_asset(),
	};

	_Static_assert(sizeof(all) == sizeof(in_order), "as many");
	memcpy(all, in_order, sizeof(all));
	*scripts = all;
	return sizeof(all) / sizeof(all[0]);
}

size_t timeline_scripts(const struct asset **scripts)
{
	static struct asset all[7];
	struct asset in_order[] = {
		number_js_asset(), timeline_data_js_asset(), timeline_raster_js_asset(),
		timeline_flow_js_asset(), timeline_view_js_asset(), timeline_use_js_asset(), timeline_js_asset(),
	};

	_Static_assert(sizeof(all) == sizeof(in_order), "as many");
	memcpy(all, in_order, sizeof(all));
	*scripts = all;
	return sizeof(all) / sizeof(all[0]);
}

/* All of a flame graph's, which stands in it, and its own. */
size_t heat_scripts(const struct asset **scripts)
{
	static struct asset all[80];
	struct asset own[] = {
		heat_data_js_asset(),
		heat_axes_js_asset(),
		heat_seen_js_asset(),
		heat_grid_js_asset(),
		heat_scale_js_asset(),
		heat_select_js_asset(),
		heat_ticks_js_asset(),
		heat_tree_js_asset(),
		heat_range_js_asset(),
		heat_flame_js_asset(),
		heat_address_js_asset(),
		heat_app_js_asset(),
		heat_page_js_asset(),
		heat_cells_js_asset(),
		heat_view_js_asset(),
		heat_marks_js_asset(),
		heat_hover_js_asset(),
		heat_stage_js_asset(),
		heat_keys_js_asset(),
		heat_beats_js_asset(),
		heat_counts_js_asset(),
		heat_aside_js_asset(),
		heat_period_js_asset(),
		heat_actions_js_asset(),
		heat_toolbar_js_asset(),
		heat_legend_js_asset(),
		heat_details_js_asset(),
		heat_lines_js_asset(),
		heat_export_js_asset(),
		heat_links_js_asset(),
		heat_js_asset(),
	};
	const struct asset *flame;
	size_t count = flame_scripts(&flame), own_count = sizeof(own) / sizeof(own[0]);

	assert(count + own_count <= sizeof(all) / sizeof(all[0]));
	memcpy(all, flame, count * sizeof(*all));
	memcpy(all + count, own, sizeof(own));
	*scripts = all;
	return count + own_count;
}

size_t bars_scripts(const struct asset **scripts)
{
	static struct asset all[27];
	struct asset in_order[] = {
		number_js_asset(),
		profile_js_asset(),
		search_js_asset(),
		contrast_js_asset(),
		dom_js_asset(),
		slow_js_asset(),
		page_js_asset(),
		tip_js_asset(),
		menu_js_asset(),
		commands_js_asset(),
		help_js_asset(),
		save_js_asset(),
		bars_model_js_asset(),
		bars_text_js_asset(),
		bars_address_js_asset(),
		bars_layout_js_asset(),
		bars_view_js_asset(),
		bars_panel_js_asset(),
		bars_details_js_asset(),
		bars_toolbar_js_asset(),
		bars_aside_js_asset(),
		bars_stage_js_asset(),
		bars_actions_js_asset(),
		bars_export_js_asset(),
		history_js_asset(),
		bars_links_js_asset(),
		bars_js_asset(),
	};

	_Static_assert(sizeof(all) == sizeof(in_order), "as many");
	memcpy(all, in_order, sizeof(all));
	*scripts = all;
	return sizeof(all) / sizeof(all[0]);
}
