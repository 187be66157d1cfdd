#include "render/lanes/lanes_draw.h"

#include "render/drawing/time_axis.h"

void lanes_draw(const struct lanes_plan *p, struct canvas *c)
{
	struct time_axis a = { .start_ns = p->l->start_ns,
			       .end_ns = p->l->end_ns,
			       .relative = p->l->relative,
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

/* ---- file ---- */

static void lanes_draw_it(const struct drawing *d, struct canvas *c)
{
	lanes_draw(d->chart, c);
}

static void lanes_draw_svg_of_it(const struct drawing *d, struct str *out)
{
	lanes_svg(d->chart, out);
}

int lanes_write(const struct lanes *l, const struct bars_style *style, const char *path)
{
	struct lanes_plan plan;
	struct drawing d;
	int status;

	lanes_plan_make(&plan, l, style);
	d = (struct drawing){
		.w = plan.w,
		.h = plan.h,
		.title = style->title,
		.draw = lanes_draw_it,
		.svg = lanes_draw_svg_of_it,
		.chart = &plan,
	};
	status = bars_write_drawing(&d, style, &l->source, path);
	lanes_plan_free(&plan);
	return status;
}
