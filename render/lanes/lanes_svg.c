/* The data in an SVG of lanes besides the picture, for the script and "render folded":
 *
 *     <metadata id="lanes">{
 *     "start":"1795342502000000000",  since the epoch, in ns
 *     "window":10000000000,           ns
 *     "relative":false,"known":2500000000,"theme":"auto",
 *     "rows":[3,0,...],               numbers of lanes, in the order in which they are drawn
 *     "lanes":[["lane;memory;free","bytes",0,"#3f7fbf",1234,5678,4,-1,0,0],...],  name, unit, decimals, colour, least
 *                                     and greatest value drawn, the lanes of its limit and its drops (-1: none),
 *                                     whether it is of events, whether it repeats no values
 *     "source":{"host":"db1",...},    the header
 *     "layout":{"nameX":..,...}}</metadata>
 *     <metadata class="lanes-data">   a line for each lane: pairs of time since the one before, in ns, and value
 *     0 8192 10000000 4096
 *     </metadata> */
#include "core/markup.h"
#include "render/drawing/picture.h"
#include "render/drawing/settings.h"
#include "render/drawing/svg.h"
#include "render/lanes/lanes_draw.h"
#include "render/lanes/lanes_page.h"

static const struct lanes_scale *scale_of(const struct lanes_plan *p, size_t lane)
{
	static const struct lanes_scale none = { 0, 1, false };

	for (size_t i = 0; i < p->row_count; i++) {
		if (p->rows[i].lane == lane)
			return &p->rows[i].scale;
	}
	return &none;
}

static void add_lanes(const struct lanes_plan *p, struct str *out)
{
	str_puts(out, ",\n\"lanes\":[");
	for (size_t i = 0; i < p->l->names.count; i++) {
		const struct lanes_lane *lane = &p->l->lanes[i];
		const struct lanes_scale *s = scale_of(p, i);

		str_puts(out, i ? ",\n[" : "[");
		json_puts(out, lane->name);
		str_addc(out, ',');
		json_puts(out, lane->unit);
		str_addf(out, ",%u,\"", lane->decimals);
		rgb_add(out, lanes_rgb(lane));
		str_puts(out, "\",");
		str_add_u64(out, s->from);
		str_addc(out, ',');
		str_add_u64(out, s->to);
		str_addf(out, ",%d,%d,%d,%d]", s->has_limit ? lane->limit : LANES_NONE, lane->drops, lane->is_event,
			 lane->is_silent);
	}
	str_addc(out, ']');
}

static void add_layout(const struct lanes_plan *p, struct str *out)
{
	str_puts(out, ",\"layout\":{\"pad\":");
	px_add(out, LANES_PAD);
	setting_px(out, "nameX", p->name_x);
	setting_px(out, "nameWidth", p->name_w);
	setting_px(out, "barX", p->bar_x);
	setting_px(out, "rowHeight", p->row_h);
	setting_px(out, "fontSize", p->style->font.size_cpx);
	setting_bool(out, "fluid", p->style->fluid);
	str_addc(out, '}');
}

static void add_settings(const struct lanes_plan *p, struct str *out)
{
	str_puts(out, "<metadata id=\"lanes\">{\"start\":\"");
	str_add_u64(out, p->l->start_ns);
	str_puts(out, "\",\"window\":");
	str_add_u64(out, p->l->end_ns - p->l->start_ns);
	setting_bool(out, "relative", p->l->relative);
	setting_u64(out, "known", LANES_KNOWN_NS);
	setting_text(out, "theme", p->style->theme_name);
	str_puts(out, ",\"rows\":[");
	for (size_t i = 0; i < p->row_count; i++)
		str_addf(out, "%s%zu", i ? "," : "", p->rows[i].lane);
	str_addc(out, ']');
	add_lanes(p, out);
	str_puts(out, ",\n\"source\":");
	source_json(out, &p->l->source);
	add_layout(p, out);
	str_puts(out, "}</metadata>\n");
}

static void add_data(const struct lanes *l, struct str *out)
{
	struct str data = { 0 };

	for (size_t i = 0; i < l->names.count; i++) {
		uint64_t before = l->start_ns;

		for (size_t k = 0; k < l->lanes[i].count; k++) {
			const struct lanes_point *point = &l->points[l->lanes[i].first + k];

			if (k)
				str_addc(&data, ' ');
			str_add_u64(&data, point->time_ns - before);
			str_addc(&data, ' ');
			str_add_u64(&data, point->value);
			before = point->time_ns;
		}
		str_addc(&data, '\n');
	}
	metadata_add(out, "lanes-data", &data);
	str_free(&data);
}

static void add_picture(const struct lanes_plan *p, struct str *out)
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
	add_picture(p, &svg.out);
	svg_begin_drawing(&svg, style->script_url ? NULL : page, &style->theme->background);
	lanes_draw(p, &svg.canvas);
	add_settings(p, &svg.out);
	add_data(p->l, &svg.out);
	svg_script(&svg, page, style->script_url);
	svg_close(&svg);
	*out = svg.out;
}
