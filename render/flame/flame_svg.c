/* The data in an SVG flame graph besides the picture: its origin, and the whole profile for the script
 * (encode.h). */
#include "render/flame/flame.h"

#include <string.h>

#include "core/markup.h"
#include "render/colours/waits.h"
#include "render/drawing/picture.h"
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
	shown_settings(f->shown, whole, out);
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

static void flame_svg_add_picture(struct str *out, const struct flame *f)
{
	uint64_t total =
		f->layered && f->layered->totals ? f->layered->totals[f->root] : f->tree->frames[f->root].total;
	struct picture picture = {
		.kind = "flame",
		.title = f->title,
		.unit = f->style->unit.name,
		.total = value_whole(total, &f->style->unit),
		.has_idle = f->shown && !f->shown->waits, /* 0: the tree is without them */
		.thread = f->thread,
		.headline = f->style->headline,
		.notes = f->style->notes,
		.source = &f->profile->source,
		.about = f->layered ? &f->layered->about : NULL,
	};

	picture_add(out, &picture, NULL);
}

void flame_svg(const struct flame_plan *plan, struct str *out)
{
	const struct flame *f = plan->flame;
	const struct page *page = f->style->no_script ? NULL : &flame_page;
	struct encoded e;
	struct svg svg;

	svg_open(&svg, plan->w, plan->h, &f->style->font, f->style->theme);
	flame_svg_add_picture(&svg.out, f);
	svg_begin_drawing(&svg, f->style->script_url ? NULL : page, &f->style->background);
	flame_draw(plan, &svg.canvas);
	encode(&e, f->profile, f->whole ? f->whole : f->tree, f->root, f->style->palette);
	flame_svg_add_settings(&svg.out, plan, &e);
	str_reserve(&svg.out, e.names.len + e.colours.len + e.tree.len);
	metadata_add(&svg.out, "flame-names", &e.names);
	metadata_add(&svg.out, "flame-colours", &e.colours);
	metadata_add(&svg.out, "flame-tree", &e.tree);
	svg_script(&svg, page, f->style->script_url);
	svg_close(&svg);
	encoded_free(&e);
	*out = svg.out;
}
