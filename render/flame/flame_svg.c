/* The data in an SVG flame graph besides the picture: its origin, and the whole profile for the script
 * (encode.h). */
#include "render/flame/flame.h"

#include <string.h>

#include "core/markup.h"
#include "render/colours/waits.h"
#include "render/drawing/settings.h"
#include "render/drawing/svg.h"
#include "render/encoding/encode.h"
#include "render/flame/multiples.h"
#include "render/flame/shown.h"

/* Append the settings that flame.js needs to draw as flame_draw.c does. */
static void flame_svg_add_settings(struct str *out, const struct flame_plan *plan, const struct encoded *e)
{
	const struct flame *f = plan->flame;
	const struct flame_style *style = f->style;
	const struct tree *whole = f->whole ? f->whole : f->tree;
	struct str note = { 0 };
	struct frame_settings settings = {
		.names = e->name_count,
		.frames = e->frame_count,
		.rows = plan->layout.rows,
		.boxes_max = format_boxes_max(style->format, style->width_px),
		.unit = style->unit,
		.nametype = style->nametype,
		.inverted = style->inverted,
		.fluid = style->fluid,
		.whole = f->root == 0,
		.charted = f->profile->charted,
		.arrival = whole->arrival != NULL,
		.folded = whole->folded ? tree_folded_below(whole, f->root) : 0,
		.top = plan->frames_y,
		.pad = FLAME_PAD,
		.height_px = style->frame_height_px,
		.least_px = style->min_width_px,
		.font = &style->font,
		.root_rgb = style->theme->root,
	};

	str_puts(out, "<metadata id=\"flame-settings\">{");
	frame_settings_add(out, &settings);
	if (f->layered)
		str_puts(out, str_text(&f->layered->settings));
	if (plan->panels)
		panels_settings(plan->panels, out);
	flame_idle_note(&note, f);
	shown_settings(f->shown, whole, str_text(&note), out);
	str_free(&note);
	if (f->waits)
		wait_kinds_settings(out);
	if (f->wall)
		wall_settings(out);
	if (strcmp(flame_chain_words(f), FLAME_CHAIN_WORDS) != 0)
		setting_text(out, "chain", flame_chain_words(f));
	look_add_settings(out, &style->look, f->profile, e->number);
	if (plan->legend.count) {
		str_puts(out, ",\"legend\":");
		legend_json(&plan->legend, out);
	}
	str_puts(out, "}</metadata>\n");
}

static void flame_svg_add_data(const void *chart_plan, struct str *out)
{
	const struct flame_plan *plan = chart_plan;
	const struct flame *f = plan->flame;
	struct encoded e;

	encode(&e, f->profile, f->whole ? f->whole : f->tree, f->root, f->style->palette);
	flame_svg_add_settings(out, plan, &e);
	str_reserve(out, e.names.len + e.colours.len + e.tree.len);
	metadata_add(out, "flame-names", &e.names);
	metadata_add(out, "flame-colours", &e.colours);
	metadata_add(out, "flame-tree", &e.tree);
	encoded_free(&e);
}

struct drawing flame_drawing(const struct flame_plan *plan)
{
	const struct flame *f = plan->flame;
	const struct flame_style *style = f->style;
	uint64_t total =
		f->layered && f->layered->totals ? f->layered->totals[f->root] : f->tree->frames[f->root].total;

	return (struct drawing){
		.w = plan->w,
		.h = plan->h,
		.scale = style->scale,
		.font = &style->font,
		.theme = style->theme,
		.background = &style->background,
		.picture = { .kind = "flame",
			     .title = f->title,
			     .unit = style->unit.name,
			     .total = value_whole(total, &style->unit),
			     .has_idle = f->shown && !f->shown->waits &&
					 f->shown->measured < f->shown->left_out, /* 0: the tree is without them */
			     .plot = { .top = plan->legend_y, .end = plan->details_y },
			     .thread = f->thread,
			     .headline = style->headline,
			     .notes = style->notes,
			     .source = &f->profile->source,
			     .about = f->layered ? &f->layered->about : NULL },
		.page = style->no_script ? NULL : &flame_page,
		.script_url = style->script_url,
		.siblings_url = style->siblings_url,
		.draw = flame_draw,
		.data = flame_svg_add_data,
		.chart = plan,
	};
}
