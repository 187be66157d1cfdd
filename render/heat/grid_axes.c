#include "render/heat/grid.h"

#include <math.h>

#include "render/heat/grid_parts.h"

/* ---- axes ------------------------------------------------------------------- */

/* a * b / c, rounded down; c is not 0. */
static uint64_t times_by(uint64_t a, uint64_t b, uint64_t c)
{
	__uint128_t n = (__uint128_t)a * b / c;

	return n > UINT64_MAX ? UINT64_MAX : (uint64_t)n;
}

/* The same, rounded up. */
static uint64_t times_by_up(uint64_t a, uint64_t b, uint64_t c)
{
	__uint128_t n = ((__uint128_t)a * b + c - 1) / c;

	return n > UINT64_MAX ? UINT64_MAX : (uint64_t)n;
}

static uint64_t column_on_axis(const struct heat_axes *a, uint64_t column)
{
	__uint128_t n = ((__uint128_t)column * a->per_column + a->first) * a->period_ns;

	return n > UINT64_MAX ? UINT64_MAX : (uint64_t)n;
}

uint64_t axes_start(const struct heat_axes *a)
{
	return column_on_axis(a, 0);
}

uint64_t axes_end(const struct heat_axes *a)
{
	return column_on_axis(a, a->columns);
}

bool axes_clip(const struct heat_axes *a, uint64_t *start_ns, uint64_t *end_ns)
{
	uint64_t start = axes_start(a), end = axes_end(a);

	if (*start_ns < start)
		*start_ns = start;
	if (*end_ns > end)
		*end_ns = end;
	return *start_ns < *end_ns;
}

struct heat_axes axes_of_columns(const struct heat_axes *a)
{
	struct heat_axes columns = *a;

	columns.y = HEAT_Y_OFFSET;
	columns.rows = 1;
	return columns;
}

void heat_axes_window(struct heat_axes *a, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t last_ns = to_ns > from_ns ? to_ns - 1 : from_ns, last;

	a->first = axis_ns(a, from_ns) / a->period_ns;
	last = axes_column(a, axis_ns(a, last_ns));
	a->columns = last < UINT32_MAX ? (uint32_t)(last + 1) : UINT32_MAX;
}

uint64_t heat_column_ns(const struct heat_axes *a, uint64_t column)
{
	uint64_t ns = column_on_axis(a, column);

	if (a->zone_ns < 0)
		return ns < UINT64_MAX - (uint64_t)-a->zone_ns ? ns - (uint64_t)a->zone_ns : UINT64_MAX;
	return ns > (uint64_t)a->zone_ns ? ns - (uint64_t)a->zone_ns : 0;
}

/* ---- rows ------------------------------------------------------------------- */

/* Logarithmic: low * (high / low)^(row / rows), less a little for the rounding errors of doubles, rounded up. */
static uint64_t log_border(const struct heat_axes *a, uint32_t row)
{
	double low = (double)a->low, value;

	if (!row)
		return a->low;
	value = low * pow((double)a->high / low, (double)row / a->rows);
	value = ceil(value - value * 1e-12);
	return value < (double)a->high ? (uint64_t)value : a->high;
}

uint64_t heat_row_border(const struct heat_axes *a, uint32_t row)
{
	__uint128_t border;

	switch (a->y) {
	case HEAT_Y_OFFSET: return times_by_up(row, a->period_ns, a->rows);
	case HEAT_Y_UTILIZATION: return times_by_up(row, USE_WHOLE, a->rows);
	case HEAT_Y_VALUE: break;
	}
	if (row >= a->rows)
		return a->high;
	if (a->logarithmic)
		return log_border(a, row);
	border = (__uint128_t)a->step * row + a->low;
	return border < UINT64_MAX ? (uint64_t)border : UINT64_MAX;
}

static uint32_t log_row(const struct heat_axes *a, uint64_t value)
{
	double wide = log((double)a->high / (double)a->low);
	double guess = wide > 0 ? log((double)value / (double)a->low) / wide * a->rows : 0;
	uint32_t row = guess < 0 ? 0 : guess >= a->rows ? a->rows - 1 : (uint32_t)guess;

	while (row && log_border(a, row) > value)
		row--;
	while (row + 1 < a->rows && log_border(a, row + 1) <= value)
		row++;
	return row;
}

uint32_t axes_value_row(const struct heat_axes *a, uint64_t value)
{
	uint64_t row;

	if (a->logarithmic)
		return log_row(a, value);
	row = (value - a->low) / a->step;
	return row < a->rows ? (uint32_t)row : a->rows - 1;
}

uint32_t axes_offset_row(const struct heat_axes *a, uint64_t on_axis)
{
	return (uint32_t)times_by(on_axis % a->period_ns, a->rows, a->period_ns);
}

bool heat_cell_of(const struct heat_axes *a, uint64_t time_ns, uint64_t value, struct heat_cell *cell)
{
	uint64_t on_axis = axis_ns(a, time_ns);
	uint64_t column = axes_column(a, on_axis);

	if (column >= a->columns || a->y == HEAT_Y_UTILIZATION)
		return false;
	cell->column = (uint32_t)column;
	if (a->y == HEAT_Y_OFFSET) {
		cell->row = axes_offset_row(a, on_axis);
		return true;
	}
	if (value < a->low || value > a->high)
		return false;
	cell->row = axes_value_row(a, value);
	return true;
}
