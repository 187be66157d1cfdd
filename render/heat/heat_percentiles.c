/* Draws percentiles over a heat map's cells. */
#include "render/heat/heat_draw.h"

#include <math.h>
#include <stdlib.h>

#include "core/memory.h"

enum { LINE_W = CPX * 5 / 4, HALO = CPX * 3 / 2, MARK_H = 2 * CPX, MARK_LEAST = 2 * CPX, LABEL_GAP = 4 * CPX };

/* The place of a value in a column; returns false if it is in no row. */
static bool point_of(const struct heat_plan *p, const struct heat_map *m, uint32_t column, uint64_t value,
		     struct point *point)
{
	const struct heat_axes *a = &p->chart->axes;
	double at = value == UINT64_MAX ? -1 : heat_height_of(a, value);

	if (!(at >= 0 && at <= 1 + 1e-9))
		return false;
	at = p->style->inverted ? at : 1 - at;
	point->x = (heat_column_x(p, m, column) + heat_column_x(p, m, column + 1)) / 2;
	point->y = m->y + (int32_t)lround(at * m->h);
	return true;
}

/* At whole pixels from the top, since lines would be blurred to grey elsewhere. */
static struct area heat_percentiles_mark_at(struct point at, int32_t w, int32_t h)
{
	int32_t top = (at.y - h / 2 + CPX / 2) / CPX * CPX;

	return (struct area){ at.x - w / 2, top, w, h };
}

/* Draw marks with a halo in the background's colour, so that they are visible on any cell. */
static void draw_marks(struct canvas *c, const struct point *points, size_t count, int32_t w)
{
	int32_t h = w > MARK_LEAST ? MARK_H : MARK_H / 2;
	struct area *areas = xmalloc((count + 1) * sizeof(*areas));

	for (size_t i = 0; i < count; i++)
		areas[i] = heat_percentiles_mark_at(points[i], w + 2 * CPX, h + 2 * CPX);
	c->shape(c, areas, count, canvas_tint(c, 0));
	for (size_t i = 0; i < count; i++)
		areas[i] = heat_percentiles_mark_at(points[i], w, h);
	c->shape(c, areas, count, canvas_tint(c, 1));
	free(areas);
}

static void draw_run(struct canvas *c, const struct point *points, size_t count, int32_t column_w)
{
	if (count == 1) {
		draw_marks(c, points, 1, column_w);
		return;
	}
	c->line(c, points, count, LINE_W + HALO, canvas_tint(c, 0));
	c->line(c, points, count, LINE_W, canvas_tint(c, 1));
}

/* The places of labels, which must not overlap. */
struct labels {
	int32_t y[8];
	size_t count;
};

/* Draw "p99" to the right of the line's end. */
static void heat_percentiles_draw_label(const struct heat_plan *p, struct canvas *c, const struct heat_map *m,
					size_t line, int32_t end_y, struct labels *labels)
{
	int32_t size = c->font.size_cpx;
	struct str label = { 0 };

	for (size_t i = 0; i < labels->count; i++) {
		if (end_y > labels->y[i] - size && end_y < labels->y[i] + size) {
			end_y = labels->y[i] - size;
			i = (size_t)-1; /* start again; this terminates, since the label only moves up */
		}
	}
	labels->y[labels->count++] = end_y;
	str_addf(&label, "p%.6g", p->style->percentiles[line]);
	c->text(c, TEXT_NOTE, m->x + m->w + LABEL_GAP, baseline(end_y - size / 2, size, size), label.buf, label.len);
	str_free(&label);
}

/* The first percentile is a line, interrupted where a column has no value in a row.  The others are marks in each
 * column, since vertical lines would hide the cells; the more percentiles, the shorter the marks. */
static void heat_percentiles_draw_line(const struct heat_plan *p, struct canvas *c, const struct heat_map *m,
				       size_t line, struct labels *labels)
{
	const uint64_t *values = m->lines[line];
	uint32_t columns = p->chart->axes.columns;
	struct point *points = xmalloc(((size_t)columns + 1) * sizeof(*points));
	int32_t column_w = m->w / (int32_t)columns, mark_w = column_w * (line == 1 ? 7 : 3) / 10;
	size_t count = 0, last = 0;

	for (uint32_t i = 0; i <= columns; i++) {
		if (i < columns && point_of(p, m, i, values[i], &points[count])) {
			last = ++count;
		} else if (count && !line) {
			draw_run(c, points, count, column_w);
			count = 0;
		}
	}
	if (count)
		draw_marks(c, points, count, mark_w > MARK_LEAST ? mark_w : MARK_LEAST);
	if (last)
		heat_percentiles_draw_label(p, c, m, line, points[last - 1].y, labels);
	free(points);
}

void heat_draw_lines(const struct heat_plan *p, struct canvas *c, const struct heat_map *m)
{
	struct labels labels = { 0 };

	for (size_t i = 0; i < p->style->percentile_count; i++) {
		if (m->lines[i])
			heat_percentiles_draw_line(p, c, m, i, &labels);
	}
}
