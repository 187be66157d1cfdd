/* Draws the picture that needs no script: each map's cells as one image, hatching over times that were not
 * observed, lines, axes. */
#include "render/heat/heat_draw.h"

#include <math.h>
#include <stdlib.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/colours/hue.h"
#include "render/profile/number.h"

enum { EDGE = 8 * CPX, TITLE_H = 20 * CPX, HATCHED_FROM = 50, GREY_FROM = 500, GRID_CELLS = 10 };

/* ---- cells ---------------------------------------------------------------- */

bool heat_is_hatched(const struct heat_map *m, size_t cell)
{
	return m->unseen[cell] >= HATCHED_FROM || (m->doubt.cells && m->doubt.cells[cell]);
}

/* The colour of a cell if keys have hues: mixed from these and the grey of the rest, each by its place in the scale. */
static uint32_t hues_rgb(const struct heat_plan *p, const struct theme *theme, const struct heat_map *m, size_t cell)
{
	const struct heat_chart *c = p->chart;
	double hues[HEAT_HUES_MAX + 1], n[HEAT_HUES_MAX + 1];
	size_t count = 0;

	for (size_t i = 0; i <= c->hues.key_count; i++) {
		uint64_t value = m->of_key[i].cells ? m->of_key[i].cells[cell] : 0;

		if (!value)
			continue;
		hues[count] = i < c->hues.key_count ? heat_hue(c->hues.numbers[i]) : HEAT_GREY;
		n[count++] = heat_scale_hue(&c->scale_of, value);
	}
	return heat_hue_mix(hues, n, count, background_is_dark(theme->background));
}

uint32_t heat_unseen_rgb(const struct heat_plan *p, const struct theme *theme)
{
	uint32_t nothing = heat_ramp_rgb(p->style->ramp, background_is_dark(theme->background), &p->chart->scale_of, 0);

	return hue_between(nothing, canvas_hatch_rgb(theme), 0.3);
}

uint32_t heat_cell_rgb(const struct heat_plan *p, const struct theme *theme, const struct heat_map *m, size_t cell)
{
	uint64_t value = m->grid.cells[cell];

	if (value && heat_has_hues(p->chart))
		return hues_rgb(p, theme, m, cell);
	if (!value && m->unseen[cell] >= GREY_FROM)
		return heat_unseen_rgb(p, theme);
	return heat_ramp_rgb(p->style->ramp, background_is_dark(theme->background), &p->chart->scale_of, value);
}

int32_t heat_column_x(const struct heat_plan *p, const struct heat_map *m, uint32_t column)
{
	return m->x + (int32_t)scale_u64(column, (uint64_t)m->w, p->chart->axes.columns);
}

/* The row at line y of the image; lines are counted from the top. */
static uint32_t row_of_line(const struct heat_plan *p, uint32_t y)
{
	return p->style->inverted ? y : p->chart->axes.rows - 1 - y;
}

static void tell_map(const struct heat_plan *p, const struct heat_map *m, struct str *tip)
{
	const struct heat_axes *a = &p->chart->axes;

	if (m->title)
		str_addf(tip, "%s\n", m->title);
	heat_count_add(tip, a->columns, "columns");
	str_puts(tip, " of ");
	heat_span_add(tip, a->period_ns * a->per_column);
	str_puts(tip, ", ");
	heat_count_add(tip, a->rows, "rows");
	if (a->weigh == HEAT_EVENTS && a->y != HEAT_Y_UTILIZATION) {
		str_puts(tip, "; ");
		heat_count_add(tip, m->grid.total, p->style->names_unit);
		str_puts(tip, ", at most ");
		number_add(tip, m->grid.largest);
		str_puts(tip, " in a cell");
	}
}

/* The map's cells as they are in the theme; NULL if there is no theme. */
static uint32_t *paint_cells(const struct heat_plan *p, const struct theme *theme, const struct heat_map *m)
{
	const struct heat_axes *a = &p->chart->axes;
	uint32_t *rgb = theme ? xmalloc((size_t)a->columns * a->rows * sizeof(*rgb)) : NULL;

	for (uint32_t y = 0; rgb && y < a->rows; y++) {
		for (uint32_t x = 0; x < a->columns; x++)
			rgb[(size_t)y * a->columns + x] =
				heat_cell_rgb(p, theme, m, (size_t)x * a->rows + row_of_line(p, y));
	}
	return rgb;
}

static void draw_cells(const struct heat_plan *p, struct canvas *c, const struct heat_map *m)
{
	const struct heat_axes *a = &p->chart->axes;
	uint32_t *rgb = paint_cells(p, c->theme, m), *dark = paint_cells(p, c->pair ? c->theme->dark : NULL, m);
	struct pixels image = { rgb, dark, a->columns, a->rows };
	struct area area = { m->x, m->y, m->w, m->h };
	struct str tip = { 0 };

	tell_map(p, m, &tip);
	c->image(c, &area, &image, tip.buf, tip.len);
	free(rgb);
	free(dark);
	str_free(&tip);
}

/* ---- what was not seen ---------------------------------------------------- */

static bool hatches(const struct heat_plan *p, const struct heat_map *m, uint32_t column, uint32_t line)
{
	return heat_is_hatched(m, (size_t)column * p->chart->axes.rows + row_of_line(p, line));
}

struct areas {
	struct area *items;
	size_t count, cap;
};

/* Add an area of a column; if the previous column has one at the same lines, that one is made wider. */
static void heat_draw_add_area(struct areas *areas, size_t *before, struct area area)
{
	for (; *before < areas->count && areas->items[*before].y <= area.y; ++*before) {
		struct area *left = &areas->items[*before];

		if (left->x + left->w == area.x && left->y == area.y && left->h == area.h) {
			left->w += area.w;
			return;
		}
	}
	areas->items = xgrow(areas->items, &areas->cap, areas->count + 1, sizeof(*areas->items));
	areas->items[areas->count++] = area;
}

static int32_t line_y(const struct heat_plan *p, const struct heat_map *m, uint32_t line)
{
	return m->y + (int32_t)scale_u64(line, (uint64_t)m->h, p->chart->axes.rows);
}

static void heat_draw_add_column(const struct heat_plan *p, const struct heat_map *m, uint32_t column,
				 struct areas *areas, size_t *before)
{
	int32_t x = heat_column_x(p, m, column), w = heat_column_x(p, m, column + 1) - x;
	uint32_t rows = p->chart->axes.rows;

	for (uint32_t line = 0, end; line < rows; line = end) {
		int32_t y = line_y(p, m, line);

		for (end = line; end < rows && hatches(p, m, column, end);)
			end++;
		if (end > line)
			heat_draw_add_area(areas, before, (struct area){ x, y, w, line_y(p, m, end) - y });
		else
			end++;
	}
}

static void draw_unseen(const struct heat_plan *p, struct canvas *c, const struct heat_map *m)
{
	struct areas areas = { 0 };
	size_t before = 0; /* the first area that may end at this column */

	for (uint32_t x = 0; m->unseen && x < p->chart->axes.columns; x++) {
		size_t at = before, count = areas.count;

		heat_draw_add_column(p, m, x, &areas, &at);
		before = areas.count > count ? count : before;
	}
	c->hatch(c, areas.items, areas.count);
	free(areas.items);
}

/* ---- lines ---------------------------------------------------------------- */

static void heat_draw_grid(const struct heat_plan *p, struct canvas *c, const struct heat_map *m)
{
	const struct heat_axes *a = &p->chart->axes;
	uint32_t count = a->columns / GRID_CELLS + a->rows / GRID_CELLS + 2, n = 0;
	struct area *lines = xcalloc(count, sizeof(*lines));

	for (uint32_t i = 0; i <= a->columns; i += GRID_CELLS) {
		int32_t x = m->x + (int32_t)scale_u64(i, (uint64_t)m->w, a->columns);

		lines[n++] = (struct area){ x, m->y, CPX / 2, m->h };
	}
	for (uint32_t i = 0; i <= a->rows; i += GRID_CELLS) {
		uint32_t line = p->style->inverted ? i : a->rows - i;

		lines[n++] = (struct area){ m->x, line_y(p, m, line), m->w, CPX / 2 };
	}
	c->shape(c, lines, n, canvas_tint(c, 0.2));
	free(lines);
}

/* ---- maps ----------------------------------------------------------------- */

/* Append " · 1,234 samples". */
static void heat_draw_add_total(const struct heat_plan *p, const struct heat_map *m, struct str *out)
{
	if (p->chart->axes.y == HEAT_Y_UTILIZATION)
		return;
	str_puts(out, " \xc2\xb7 ");
	if (p->chart->axes.weigh == HEAT_EVENTS)
		heat_count_add(out, m->grid.total, p->style->names_unit);
	else {
		str_puts(out, p->chart->axes.weigh == HEAT_LONGEST ? "at most " : "");
		heat_value_add(out, p, m->grid.total);
	}
}

/* Draw as much of the map's name as there is room for, then its total and its flag. */
static void draw_title(const struct heat_plan *p, struct canvas *c, const struct heat_map *m)
{
	int32_t y = baseline(m->y - TITLE_H, TITLE_H, c->font.size_cpx);
	int64_t edge = p->w - m->x - HEAT_PAD, step = p->across > 1 ? p->step - EDGE : edge;
	int64_t room = step < edge ? step : edge, used;
	struct str total = { 0 }, shown = { 0 };

	heat_draw_add_total(p, m, &total);
	if (font_width(&c->font, m->title, strlen(m->title)) + font_width(&c->font, str_text(&total), total.len) > room)
		str_clear(&total); /* the name has priority */
	font_fit(&shown, &c->font, m->title, strlen(m->title), room - font_width(&c->font, str_text(&total), total.len),
		 1);
	str_add(&shown, str_text(&total), total.len);
	c->text(c, TEXT_DETAILS, m->x, y, str_text(&shown), shown.len);
	used = font_width(&c->font, str_text(&shown), shown.len) + 2 * EDGE;
	str_clear(&shown);
	if (m->flag)
		font_fit(&shown, &c->font, m->flag, strlen(m->flag), room - used, 4);
	if (shown.len)
		c->text(c, TEXT_NOTE, m->x + (int32_t)used, y, shown.buf, shown.len);
	str_free(&total);
	str_free(&shown);
}

static void draw_map(const struct heat_plan *p, struct canvas *c, const struct heat_map *m)
{
	if (c->open_part)
		c->open_part(c, "map", (size_t)(m - p->chart->maps));
	if (m->title)
		draw_title(p, c, m);
	draw_cells(p, c, m);
	draw_unseen(p, c, m);
	if (p->style->grid)
		heat_draw_grid(p, c, m);
	heat_draw_lines(p, c, m);
	heat_draw_axes(p, c, m);
	if (c->open_part)
		c->close_group(c);
}

void heat_draw(const void *plan, struct canvas *c)
{
	const struct heat_plan *p = plan;

	heading_draw(&p->heading, c, HEAT_PAD, EDGE);
	legend_draw(&p->legend, c, HEAT_PAD, p->legend_y, p->w - 2 * HEAT_PAD);
	if (p->chart->lanes) { /* drawn before the axis, whose lines go through them */
		lanes_strip_draw(&p->lanes, c);
		c->close_group(c);
	}
	for (size_t i = 0; i < p->chart->map_count; i++)
		draw_map(p, c, &p->chart->maps[i]);
	c->open_group(c, "cells");
	heading_draw_lines(&p->cells, c, HEAT_PAD, p->cells_y);
	c->close_group(c);
	c->open_group(c, "details");
	heading_draw_lines(&p->details, c, HEAT_PAD, p->details_y);
	c->close_group(c);
}
