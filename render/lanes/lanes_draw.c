#include "render/lanes/lanes_draw.h"

#include "core/amount.h"
#include "render/drawing/settings.h"
#include "render/drawing/svg.h"
#include "render/drawing/time_axis.h"
#include "render/profile/number.h"

static const char *const lanes_scripts[] = { "common/clock.js",      "common/time_part.js",    "common/time_axis.js",
					     "common/rows_panel.js", "common/rows_toolbar.js", "common/rows_stage.js",
					     "lanes/data.js",        "lanes/draw.js",          "lanes/address.js",
					     "lanes/view.js",        "lanes/panel.js",         "lanes/details.js",
					     "lanes/actions.js",     "lanes/toolbar.js",       "lanes/stage.js",
					     "lanes/export.js",      "lanes/lanes.js",         NULL };

const struct page lanes_page = { .base = &common_page, .scripts = lanes_scripts, .style = "lanes/lanes.css" };

enum {
	EDGE = 8 * CPX,
	GAP = 10 * CPX,
	AXIS_H = 22 * CPX,
	NAME_MOST_PERCENT = 30,
	BAR_LEAST = 100 * CPX,
};

static void lanes_plan_place_columns(struct lanes_plan *p)
{
	const struct font *font = &p->style->font;
	int64_t most = font_width(font, "0000-00-00 UTC", 14), limit = (int64_t)p->w * NAME_MOST_PERCENT / 100;
	struct lanes_strip *s = &p->strip;

	for (size_t i = 0; i < s->row_count; i++) {
		int64_t name = font_width(font, str_text(&s->rows[i].name), s->rows[i].name.len);
		int64_t note = font_width(font, str_text(&s->rows[i].note), s->rows[i].note.len);

		if (s->rows[i].left_out)
			continue;
		most = name > most ? name : most;
		most = note > most ? note : most;
	}
	s->name_x = LANES_PAD;
	s->name_w = (int32_t)(most < limit ? most : limit) + CPX;
	s->bar_x = s->name_x + s->name_w + GAP;
	s->bar_w = (p->w - LANES_PAD - s->bar_x) / CPX * CPX;
	s->bar_w = s->bar_w < BAR_LEAST ? BAR_LEAST : s->bar_w;
}

static void lanes_plan_make_details(struct lanes_plan *p)
{
	struct str text = { 0 };

	str_puts(&text,
		 "A row has its own axis of values; a column of pixels shows the least and the greatest value in it.");
	if (p->strip.flat) {
		str_addc(&text, ' ');
		plural_add(&text, p->strip.flat, "lane");
		str_puts(&text,
			 p->strip.flat == 1 ? ", 0 all the time, is left out" : ", 0 all the time, are left out");
		if (!p->style->format->cairo && !p->style->no_script)
			str_puts(&text, p->strip.flat == 1 ? ": a filter shows it" : ": a filter shows them");
		str_addc(&text, '.');
	}
	heading_add_text(&p->details, TEXT_DETAILS, &p->style->font, p->w - 2 * LANES_PAD, str_text(&text));
	str_free(&text);
}

void lanes_plan_make(struct lanes_plan *p, const struct lanes *l, const struct bars_style *style)
{
	struct heading_words words = { style->title, style->headline, style->subtitle };
	struct str total = { 0 };
	int32_t y = EDGE;

	*p = (struct lanes_plan){ .l = l, .style = style, .w = style->width_px * CPX };
	lanes_strip_make(&p->strip, l, &style->font, style->theme, style->top);
	p->strip.row_h = style->row_px * CPX;
	plural_add(&total, l->count, "value");
	str_puts(&total, " of ");
	plural_add(&total, p->strip.row_count, "lane");
	heading_make(&p->heading, &style->font, p->w - 2 * LANES_PAD, &words, total.buf, &l->in.source);
	str_free(&total);
	lanes_plan_place_columns(p);
	lanes_plan_make_details(p);
	y += heading_height(&p->heading, &style->font) + EDGE / 2;
	p->axis_y = y;
	lanes_strip_place(&p->strip, y + AXIS_H);
	p->details_y = p->strip.y + p->strip.h + EDGE;
	p->h = p->details_y + heading_height(&p->details, &style->font) + EDGE;
}

void lanes_plan_free(struct lanes_plan *p)
{
	heading_free(&p->heading);
	heading_free(&p->details);
	lanes_strip_free(&p->strip);
}

/* ---- drawing ---- */

static void lanes_draw(const void *plan, struct canvas *c)
{
	const struct lanes_plan *p = plan;
	struct time_axis a = { .start_ns = p->l->in.start_ns,
			       .end_ns = p->l->in.end_ns,
			       .relative = p->l->in.relative,
			       .x = p->strip.bar_x,
			       .w = p->strip.bar_w,
			       .date_x = p->strip.name_x,
			       .y = p->axis_y };

	time_axis_make(&a, &p->style->font);
	heading_draw(&p->heading, c, LANES_PAD, 8 * CPX);
	time_axis_draw(&a, c, "lanes-axis");
	lanes_strip_draw(&p->strip, c);
	time_axis_draw_grid(&a, c, p->strip.y, p->strip.h - LANES_INSET);
	c->close_group(c);
	c->open_group(c, "details");
	heading_draw_lines(&p->details, c, LANES_PAD, p->details_y);
	c->close_group(c);
}

/* ---- the data of the SVG: lanes_strip.c, with "theme":"auto","layout":{"nameX":..,...} ---- */

static void lanes_add_layout(const struct lanes_plan *p, struct str *out)
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

static void lanes_add_data(const void *plan, struct str *out)
{
	const struct lanes_plan *p = plan;
	struct str more = { 0 };

	setting_text(&more, "theme", p->style->theme_name);
	lanes_add_layout(p, &more);
	lanes_strip_data(&p->strip, "lanes", str_text(&more), out);
	str_free(&more);
}

/* ---- the file ---- */

struct drawing lanes_drawing(const struct lanes_plan *p)
{
	struct drawing d = bars_drawing(p->style, &lanes_page, &p->l->in.source);

	d.w = p->w;
	d.h = p->h;
	d.picture.kind = "lanes";
	d.picture.unit = "values";
	d.picture.total = p->l->count;
	d.picture.plot = (struct plot){ .top = p->axis_y, .end = p->details_y };
	d.draw = lanes_draw;
	d.data = lanes_add_data;
	d.chart = p;
	return d;
}

int lanes_write(const void *lanes, const struct bars_style *style, const char *path)
{
	struct lanes_plan plan;
	struct drawing d;
	int status;

	lanes_plan_make(&plan, lanes, style);
	d = lanes_drawing(&plan);
	status = drawing_write(&d, style->format, path);
	lanes_plan_free(&plan);
	return status;
}
