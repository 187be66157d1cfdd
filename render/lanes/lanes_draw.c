#include "render/lanes/lanes_draw.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/colours/hue.h"
#include "render/drawing/span_text.h"
#include "render/lanes/lanes_columns.h"
#include "render/profile/number.h"

enum {
	AXIS_TEXT_H = 16 * CPX,
	TICK_GAP = 24 * CPX,
	INSET = 3 * CPX, /* between rows */
	LINE = 125,      /* the width of a line */
	EVENT_H = 6 * CPX,
	EVENT_W = 2 * CPX,
};

#define LIMIT_RGB 0xd0362a

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
	return p->bar_x + (int32_t)scale_u64(ns - p->l->start_ns, (uint64_t)p->bar_w, p->l->end_ns - p->l->start_ns);
}

/* The closest ticks between which their labels fit. */
static struct axis make_axis(const struct lanes_plan *p)
{
	uint64_t window = p->l->end_ns - p->l->start_ns;
	struct axis a = { 0 };

	for (unsigned count = (unsigned)(p->bar_w / (40 * CPX)) + 1; count; count--) {
		size_t len;
		int32_t apart;

		a.step_ns = tick_step(window, count);
		a.digits = tick_digits(a.step_ns);
		len = a.digits < 0 ? 5 : a.digits ? 9 + (size_t)a.digits : 8;
		apart = (int32_t)scale_u64(a.step_ns < window ? a.step_ns : window, (uint64_t)p->bar_w, window);
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
	c->text(c, TEXT_NOTE, p->name_x, baseline(p->axis_y, AXIS_TEXT_H, c->font.size_cpx), date.buf, date.len);
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
		lines[count++] =
			(struct area){ x_of(p, ns), p->rows_y, CPX / 2, (int32_t)p->row_count * p->row_h - INSET };
	}
	c->shape(c, lines, count, faint(p, 0.16));
	free(lines);
}

/* ---- rows ---- */

struct shapes {
	struct area *fill, *line;
	size_t fills, lines;
};

static int32_t y_of(const struct lanes_plan *p, const struct lanes_row *row, uint64_t value)
{
	const struct lanes_scale *s = &row->scale;
	uint64_t high = (uint64_t)(p->row_h - 2 * INSET);
	uint64_t above = value <= s->from ? 0 : value >= s->to ? s->to - s->from : value - s->from;

	return row->y + INSET + (int32_t)(high - scale_u64(above, high, s->to - s->from));
}

static bool is_same(const struct lanes_column *a, const struct lanes_column *b)
{
	return a->known == b->known && a->least == b->least && a->most == b->most;
}

/* Columns of the same values are one area. */
static void add_run(const struct lanes_plan *p, const struct lanes_row *row, const struct lanes_column *column,
		    size_t from, size_t to, struct shapes *s)
{
	int32_t x = p->bar_x + (int32_t)from * CPX, w = (int32_t)(to - from) * CPX, bottom = row->y + p->row_h - INSET;
	int32_t top = y_of(p, row, column->most), low = y_of(p, row, column->least);

	if (top < bottom)
		s->fill[s->fills++] = (struct area){ x, top, w, bottom - top };
	s->line[s->lines++] = (struct area){ x, top - LINE / 2, w, low - top + LINE };
}

static void add_columns(const struct lanes_plan *p, const struct lanes_row *row, const struct lanes_column *columns,
			size_t count, struct shapes *s)
{
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from + 1; to < count && is_same(&columns[from], &columns[to]);)
			to++;
		if (columns[from].known)
			add_run(p, row, &columns[from], from, to, s);
	}
}

static void draw_limit(const struct lanes_plan *p, struct canvas *c, const struct lanes_row *row, struct shapes *s)
{
	const struct lanes_lane *limit = &p->l->lanes[p->l->lanes[row->lane].limit];
	size_t count = (size_t)(p->bar_w / CPX);
	struct lanes_column *columns = lanes_columns(p->l, limit, count);

	s->fills = s->lines = 0;
	add_columns(p, row, columns, count, s);
	c->shape(c, s->line, s->lines, LIMIT_RGB);
	free(columns);
}

/* A mark at the top of the row for each moment at which something happened. */
static void draw_events(const struct lanes_plan *p, struct canvas *c, const struct lanes_row *row, struct shapes *s)
{
	const struct lanes_lane *drops = &p->l->lanes[p->l->lanes[row->lane].drops];
	size_t count = (size_t)(p->bar_w / CPX);
	struct lanes_column *columns = lanes_columns(p->l, drops, count);

	s->lines = 0;
	for (size_t i = 0; i < count; i++) {
		if (columns[i].known && columns[i].most)
			s->line[s->lines++] = (struct area){ p->bar_x + (int32_t)i * CPX - EVENT_W / 4, row->y + INSET,
							     EVENT_W, EVENT_H };
	}
	c->shape(c, s->line, s->lines, LIMIT_RGB);
	free(columns);
}

static void draw_row(const struct lanes_plan *p, struct canvas *c, const struct lanes_row *row)
{
	const struct lanes_lane *lane = &p->l->lanes[row->lane];
	size_t count = (size_t)(p->bar_w / CPX);
	struct lanes_column *columns = lanes_columns(p->l, lane, count);
	struct shapes s = { xcalloc(count + 1, sizeof(*s.fill)), xcalloc(count + 1, sizeof(*s.line)), 0, 0 };
	struct area track = { p->bar_x, row->y + INSET, p->bar_w, p->row_h - 2 * INSET };
	uint32_t rgb = lanes_rgb(lane);
	struct str tip = { 0 };

	str_add(&tip, str_text(&row->name), row->name.len);
	str_addf(&tip, "\n%s", str_text(&row->note));
	c->rect(c, &track, faint(p, 0.05), tip.buf, tip.len);
	add_columns(p, row, columns, count, &s);
	c->shape(c, s.fill, s.fills, hue_between(p->style->theme->background.top, rgb, 0.35));
	c->shape(c, s.line, s.lines, rgb);
	if (row->scale.has_limit)
		draw_limit(p, c, row, &s);
	if (lane->drops != LANES_NONE)
		draw_events(p, c, row, &s);
	free(s.fill);
	free(s.line);
	free(columns);
	str_free(&tip);
}

static void draw_names(const struct lanes_plan *p, struct canvas *c)
{
	struct str shown = { 0 };

	c->open_group(c, "lanes-names");
	for (size_t i = 0; i < p->row_count; i++) {
		const struct lanes_row *row = &p->rows[i];
		int32_t half = (p->row_h - INSET) / 2;

		str_clear(&shown);
		font_fit_middle(&shown, &c->font, str_text(&row->name), row->name.len, p->name_w, 1);
		c->text(c, TEXT_DETAILS, p->name_x, baseline(row->y, half, c->font.size_cpx), str_text(&shown),
			shown.len);
		str_clear(&shown);
		font_fit(&shown, &c->font, str_text(&row->note), row->note.len, p->name_w, 1);
		c->text(c, TEXT_NOTE, p->name_x, baseline(row->y + half, half, c->font.size_cpx), str_text(&shown),
			shown.len);
	}
	c->close_group(c);
	str_free(&shown);
}

void lanes_draw(const struct lanes_plan *p, struct canvas *c)
{
	struct axis a = make_axis(p);

	heading_draw(&p->heading, c, LANES_PAD, 8 * CPX);
	draw_axis(p, c, &a);
	draw_names(p, c);
	c->open_group(c, "lanes-rows");
	for (size_t i = 0; i < p->row_count; i++)
		draw_row(p, c, &p->rows[i]);
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
