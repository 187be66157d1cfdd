/* The SVG of lanes: the picture; lanes_data.c has the data in it, which are here with
 *
 *     "theme":"auto","layout":{"nameX":..,...} */
#include "render/drawing/picture.h"
#include "render/drawing/settings.h"
#include "render/drawing/svg.h"
#include "render/lanes/lanes_draw.h"

static void lanes_svg_add_layout(const struct lanes_plan *p, struct str *out)
{
	str_puts(out, ",\"layout\":{\"pad\":");
	px_add(out, LANES_PAD);
	setting_px(out, "nameX", p->strip.name_x);
	setting_px(out, "nameWidth", p->strip.name_w);
	setting_px(out, "barX", p->strip.bar_x);
	setting_px(out, "rowHeight", p->strip.row_h);
	setting_px(out, "fontSize", p->style->font.size_cpx);
	setting_bool(out, "fluid", p->style->fluid);
	str_addc(out, '}');
}

static void lanes_svg_add_settings(const struct lanes_plan *p, struct str *out)
{
	struct str more = { 0 };

	setting_text(&more, "theme", p->style->theme_name);
	lanes_svg_add_layout(p, &more);
	lanes_strip_data(&p->strip, "lanes", str_text(&more), out);
	str_free(&more);
}

static void lanes_svg_add_picture(const struct lanes_plan *p, struct str *out)
{
	struct picture picture = {
		.kind = "lanes",
		.title = p->style->title,
		.unit = "values",
		.total = p->l->count,
		.headline = p->style->headline,
		.notes = p->style->notes,
		.source = &p->l->source,
	};

	picture_add(out, &picture, NULL);
}

void lanes_svg(const struct lanes_plan *p, struct str *out)
{
	const struct bars_style *style = p->style;
	const struct page *page = style->no_script ? NULL : &lanes_page;
	struct svg svg;

	svg_open(&svg, p->w, p->h, &style->font, style->theme);
	lanes_svg_add_picture(p, &svg.out);
	svg_begin_drawing(&svg, style->script_url ? NULL : page, &style->theme->background);
	lanes_draw(p, &svg.canvas);
	lanes_svg_add_settings(p, &svg.out);
	svg_script(&svg, page, style->script_url);
	svg_close(&svg);
	*out = svg.out;
}
