#include "render/lanes/lanes_draw.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/colours/hue.h"
#include "render/drawing/span_text.h"
#include "render/profile/number.h"

enum {
	AXIS_TEXT_H = 16 * CPX,
	TICK_GAP = 24 * CPX,
};

static uint32_t faint(const struct lanes_plan *p, double part)
{
	return hue_between(p->style->theme->background.top, p->style->theme->text[TEXT_DETAILS], part);
}

/* ---- axis ---- */

struct axis {
	uint64_t step_ns, first_ns;
	int digits;
};

static int32_t x_of(const struct lanes_plan *p, uint64_t ns)
{
	return p->strip.bar_x +
	       (int32_t)scale_u64(ns - p->l->start_ns, (uint64_t)p->strip.bar_w, p->l->end_ns - p->l->start_ns);
}

/* The closest ticks between which their labels fit. */
static struct axis make_axis(const struct lanes_plan *p)
{
	uint64_t window = p->l->end_ns - p->l->start_ns;
	struct axis a = { 0 };

	for (unsigned count = (unsigned)(p->strip.bar_w / (40 * CPX)) + 1; count; count--) {
		size_t len;
		int32_t apart;

		a.step_ns = tick_step(window, count);
		a.digits = tick_digits(a.step_ns);
		len = a.digits < 0 ? 5 : a.digits ? 9 + (size_t)a.digits : 8;
		apart = (int32_t)scale_u64(a.step_ns < window ? a.step_ns : window, (uint64_t)p->strip.bar_w, window);
		if (apart >= font_width(&p->style->font, "00:00:00.000000000", len) + TICK_GAP)
			break;
	}
	a.first_ns = p->l->relative ? p->l->start_ns : p->l->start_ns / a.step_ns * a.step_ns;
	if (a.first_ns < p->l->start_ns && __builtin_add_overflow(a.first_ns, a.step_ns, &a.first_ns))
		a.first_ns = UINT64_MAX; /* none */
	return a;
}

static void draw_tick(const struct lanes_plan *p, struct canvas *c, uint64_t ns, int digits)
{
	struct area tick = { x_of(p, ns), p->axis_y + AXIS_TEXT_H, CPX, 4 * CPX };
	int32_t x = tick.x + 2 * CPX;
	struct str label = { 0 };

	clock_add(&label, p->l->relative ? ns - p->l->start_ns : ns, digits);
	if (x + font_width(&c->font, label.buf, label.len) <= p->w) {
		c->rect(c, &tick, faint(p, 0.4), NULL, 0);
		c->text(c, TEXT_NOTE, x, baseline(p->axis_y, AXIS_TEXT_H, c->font.size_cpx), label.buf, label.len);
	}
	str_free(&label);
}

static void draw_axis(const struct lanes_plan *p, struct canvas *c, const struct axis *a)
{
	struct str date = { 0 };

	c->open_group(c, "lanes-axis");
	if (p->l->relative) {
		str_puts(&date, "from the start on");
	} else {
		date_add(&date, p->l->start_ns);
		str_puts(&date, " UTC");
	}
	c->text(c, TEXT_NOTE, p->strip.name_x, baseline(p->axis_y, AXIS_TEXT_H, c->font.size_cpx), date.buf, date.len);
	for (uint64_t ns = a->first_ns; ns >= a->first_ns && ns < p->l->end_ns; ns += a->step_ns)
		draw_tick(p, c, ns, a->digits);
	c->close_group(c);
	str_free(&date);
}

static void draw_grid(const struct lanes_plan *p, struct canvas *c, const struct axis *a)
{
	struct area *lines = NULL;
	size_t count = 0, cap = 0;

	for (uint64_t ns = a->first_ns; ns >= a->first_ns && ns < p->l->end_ns; ns += a->step_ns) {
		lines = xgrow(lines, &cap, count + 1, sizeof(*lines));
		lines[count++] = (struct area){ x_of(p, ns), p->strip.y, CPX / 2, p->strip.h - LANES_INSET };
	}
	c->shape(c, lines, count, faint(p, 0.16));
	free(lines);
}

void lanes_draw(const struct lanes_plan *p, struct canvas *c)
{
	struct axis a = make_axis(p);

	heading_draw(&p->heading, c, LANES_PAD, 8 * CPX);
	draw_axis(p, c, &a);
	lanes_strip_draw(&p->strip, c);
	draw_grid(p, c, &a);
	c->close_group(c);
	c->open_group(c, "details");
	heading_draw_lines(&p->details, c, LANES_PAD, p->details_y);
	c->close_group(c);
}

/* ---- file ---- */

static void draw_it(const struct drawing *d, struct canvas *c)
{
	lanes_draw(d->chart, c);
}

static void svg_of_it(const struct drawing *d, struct str *out)
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
		.scale = style->scale,
		.font = &style->font,
		.theme = style->theme,
		.background = &style->theme->background,
		.title = style->title,
		.headline = style->headline,
		.notes = style->notes,
		.created = source_get(&l->source, FOLDED_START),
		.draw = draw_it,
		.svg = svg_of_it,
		.chart = &plan,
	};
	status = drawing_write(&d, style->format, path);
	lanes_plan_free(&plan);
	return status;
}
