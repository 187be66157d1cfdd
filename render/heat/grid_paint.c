#include <stdlib.h>

#include "core/memory.h"
#include "render/heat/grid_parts.h"

void paint_begin(struct paint *p, const struct heat_axes *a, uint64_t *cells)
{
	size_t width = a->y == HEAT_Y_OFFSET ? 1 : a->rows;

	*p = (struct paint){ .axes = a, .cells = cells, .by_offset = a->y == HEAT_Y_OFFSET };
	p->whole = xcalloc(((size_t)a->columns + 1) * width, sizeof(*p->whole));
}

/* Add the offsets from..to of one period. */
static void paint_rows(struct paint *p, uint64_t *column, uint64_t from, uint64_t to, uint64_t weight)
{
	const struct heat_axes *a = p->axes;
	uint32_t row;

	if (from >= to)
		return;
	row = (uint32_t)((__uint128_t)from * a->rows / a->period_ns);
	for (; from < to; row++) {
		uint64_t border = heat_row_border(a, row + 1);

		if (border > to)
			border = to;
		column[row] += (border - from) * weight;
		from = border;
	}
}

/* Add start..end, which are in one column. */
static void paint_in_column(struct paint *p, uint64_t *column, uint64_t start, uint64_t end, uint64_t weight)
{
	const struct heat_axes *a = p->axes;
	uint64_t first = start / a->period_ns, last = end / a->period_ns;

	if (first == last) {
		paint_rows(p, column, start % a->period_ns, end % a->period_ns, weight);
		return;
	}
	paint_rows(p, column, start % a->period_ns, a->period_ns, weight);
	if (last - first > 1)
		paint_rows(p, column, 0, a->period_ns, weight * (last - first - 1));
	paint_rows(p, column, 0, end % a->period_ns, weight);
}

static void paint_part(struct paint *p, uint64_t column, uint64_t start, uint64_t end, uint32_t row, uint64_t weight)
{
	uint64_t *cells = p->cells + column * p->axes->rows;

	if (p->by_offset)
		paint_in_column(p, cells, start, end, weight);
	else
		cells[row] += (end - start) * weight;
}

void paint_add(struct paint *p, uint64_t start_ns, uint64_t end_ns, uint32_t row, uint64_t weight)
{
	const struct heat_axes *a = p->axes;
	uint64_t start = axis_ns(a, start_ns), end = axis_ns(a, end_ns);
	uint64_t width = a->per_column * a->period_ns, begin = axes_start(a), first, last;
	size_t step = p->by_offset ? 1 : a->rows;

	if (!axes_clip(a, &start, &end))
		return;
	first = (start - begin) / width;
	last = (end - 1 - begin) / width;
	if (first == last) {
		paint_part(p, first, start, end, row, weight);
		return;
	}
	paint_part(p, first, start, begin + (first + 1) * width, row, weight);
	paint_part(p, last, begin + last * width, end, row, weight);
	if (p->by_offset)
		row = 0;
	p->whole[(first + 1) * step + row] += (int64_t)weight;
	p->whole[last * step + row] -= (int64_t)weight;
}

/* Add the spans that cover whole columns, column by column. */
static void grid_paint_add_whole(struct paint *p, uint32_t column, const int64_t *now)
{
	const struct heat_axes *a = p->axes;
	uint64_t *cells = p->cells + (size_t)column * a->rows;
	uint64_t width = a->per_column * a->period_ns;

	if (p->by_offset && *now)
		paint_rows(p, cells, 0, a->period_ns, (uint64_t)*now * a->per_column);
	for (uint32_t row = 0; !p->by_offset && row < a->rows; row++)
		cells[row] += (uint64_t)now[row] * width;
}

void paint_finish(struct paint *p)
{
	size_t step = p->by_offset ? 1 : p->axes->rows;
	int64_t *now = xcalloc(step, sizeof(*now));

	for (uint32_t column = 0; column < p->axes->columns; column++) {
		for (size_t i = 0; i < step; i++)
			now[i] += p->whole[column * step + i];
		grid_paint_add_whole(p, column, now);
	}
	free(now);
	free(p->whole);
	p->whole = NULL;
}
