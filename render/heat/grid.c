#include "render/heat/grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
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
	__uint128_t n = ((__uint128_t)a->first + column) * a->per_column * a->period_ns;

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

	a->first = axis_ns(a, from_ns) / a->period_ns / a->per_column;
	last = axis_ns(a, last_ns) / a->period_ns / a->per_column;
	a->columns = last - a->first < UINT32_MAX ? (uint32_t)(last - a->first + 1) : UINT32_MAX;
}

uint64_t heat_column_ns(const struct heat_axes *a, uint64_t column)
{
	uint64_t ns = column_on_axis(a, column);

	if (a->zone_ns < 0)
		return ns < UINT64_MAX - (uint64_t)-a->zone_ns ? ns - (uint64_t)a->zone_ns : UINT64_MAX;
	return ns > (uint64_t)a->zone_ns ? ns - (uint64_t)a->zone_ns : 0;
}

/* ---- rows ------------------------------------------------------------------- */

/* Logarithmic: low * (high / low)^(row / rows), rounded up, but for what the last digits
 * of a double may be off. */
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
	case HEAT_Y_OFFSET:
		return times_by_up(row, a->period_ns, a->rows);
	case HEAT_Y_UTILIZATION:
		return times_by_up(row, USE_WHOLE, a->rows);
	case HEAT_Y_VALUE:
		break;
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

/* The row of a value that is in low .. high. */
static uint32_t value_row(const struct heat_axes *a, uint64_t value)
{
	uint64_t row;

	if (a->logarithmic)
		return log_row(a, value);
	row = (value - a->low) / a->step;
	return row < a->rows ? (uint32_t)row : a->rows - 1;
}

static uint32_t offset_row(const struct heat_axes *a, uint64_t on_axis)
{
	return (uint32_t)times_by(on_axis % a->period_ns, a->rows, a->period_ns);
}

bool heat_cell_of(const struct heat_axes *a, uint64_t time_ns, uint64_t value, struct heat_cell *cell)
{
	uint64_t on_axis = axis_ns(a, time_ns);
	uint64_t column = on_axis / a->period_ns / a->per_column;

	if (column < a->first || column - a->first >= a->columns || a->y == HEAT_Y_UTILIZATION)
		return false;
	cell->column = (uint32_t)(column - a->first);
	if (a->y == HEAT_Y_OFFSET) {
		cell->row = offset_row(a, on_axis);
		return true;
	}
	if (value < a->low || value > a->high)
		return false;
	cell->row = value_row(a, value);
	return true;
}

/* ---- counting --------------------------------------------------------------- */

bool is_of_host(const struct heat *h, uint32_t recording, uint32_t other)
{
	return recording == other || !strcmp(h->recordings[recording].host, h->recordings[other].host);
}

uint8_t *choice_stacks(const struct heat *h, const struct heat_choice *choice)
{
	uint8_t *take = xcalloc(h->stack_count + 1, 1);

	for (size_t i = 0; i < h->stack_count; i++) {
		const struct heat_stack *s = &h->stacks[i];

		take[i] = s->idle == choice->idle && (!choice->stacks || choice->stacks[i]) &&
			  (!choice->one_recording || is_of_host(h, s->recording, choice->recording));
	}
	return take;
}

uint64_t span_ns(const struct heat *h, size_t event)
{
	uint64_t value = h->spans ? heat_value(h, event) : 0;

	for (unsigned i = 0; i < h->decimals && value; i++)
		value /= 10;
	return value;
}

/* Events come by time: most are in the same period, and often in the same row, as the one
 * before, which saves the divisions. */
struct cursor {
	uint64_t start, end;      /* on the axis: of the cell (OFFSET) or the column */
	uint64_t *cells;          /* its first cell; NULL: outside of the window */
};

static void cursor_move(struct cursor *c, const struct heat_grid *g, uint64_t on_axis)
{
	const struct heat_axes *a = &g->axes;
	uint64_t period = on_axis / a->period_ns, column = period / a->per_column;
	uint32_t row = 0;

	if (a->y == HEAT_Y_OFFSET) {
		row = offset_row(a, on_axis);
		c->start = period * a->period_ns + heat_row_border(a, row);
		c->end = period * a->period_ns + heat_row_border(a, row + 1);
	} else {
		c->start = column * a->per_column * a->period_ns;
		c->end = c->start + a->per_column * a->period_ns;
	}
	if (c->end < c->start)
		c->end = UINT64_MAX;
	c->cells = column >= a->first && column - a->first < a->columns
			   ? g->cells + (column - a->first) * a->rows + row : NULL;
}

/* A value's row, in a table: the function is too slow for millions. */
struct rows_by_value {
	const struct heat_axes *axes;
	uint64_t *borders;        /* [rows], logarithmic */
};

static uint32_t find_row(const struct rows_by_value *r, uint64_t value)
{
	uint32_t low = 0, high = r->axes->rows;

	if (!r->borders)
		return value_row(r->axes, value);
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (r->borders[middle] <= value)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static struct rows_by_value make_rows(const struct heat_axes *a)
{
	struct rows_by_value r = { .axes = a };

	if (a->y != HEAT_Y_VALUE || !a->logarithmic)
		return r;
	r.borders = xcalloc(a->rows, sizeof(*r.borders));
	for (uint32_t i = 0; i < a->rows; i++)
		r.borders[i] = heat_row_border(a, i);
	return r;
}

static void add_to_row(struct heat_grid *g, const struct rows_by_value *rows, uint64_t *column,
		       uint64_t value, uint64_t weight)
{
	if (value < g->axes.low)
		g->below += weight;
	else if (value > g->axes.high)
		g->above += weight;
	else
		column[find_row(rows, value)] += weight;
}

static void count_events(struct heat_grid *g, const struct heat *h, const uint8_t *take)
{
	struct rows_by_value rows = make_rows(&g->axes);
	bool values = g->axes.weigh != HEAT_EVENTS;
	struct cursor c = {0};

	for (size_t i = 0; i < h->event_count; i++) {
		uint64_t on_axis, value;

		if (!take[h->stack[i]])
			continue;
		on_axis = axis_ns(&g->axes, h->time_ns[i]);
		if (on_axis >= c.end || on_axis < c.start)
			cursor_move(&c, g, on_axis);
		if (!c.cells)
			continue;
		value = heat_value(h, i);
		if (g->axes.y == HEAT_Y_OFFSET)
			*c.cells += values ? value : 1;
		else
			add_to_row(g, &rows, c.cells, value, values ? value : 1);
	}
	free(rows.borders);
}

/* The ns that a span has in the window, for the sums outside low .. high. */
static uint64_t ns_in_window(const struct heat_axes *a, uint64_t start_ns, uint64_t end_ns)
{
	uint64_t start = axis_ns(a, start_ns), end = axis_ns(a, end_ns);

	return axes_clip(a, &start, &end) ? end - start : 0;
}

static void paint_events(struct heat_grid *g, const struct heat *h, const uint8_t *take)
{
	const struct heat_axes *a = &g->axes;
	struct rows_by_value rows = make_rows(a);
	struct paint p;

	paint_begin(&p, a, g->cells);
	for (size_t i = 0; i < h->event_count; i++) {
		uint64_t start = h->time_ns[i], ns, end, value;

		if (!take[h->stack[i]])
			continue;
		ns = span_ns(h, i);
		end = start < UINT64_MAX - ns ? start + ns : UINT64_MAX;
		value = heat_value(h, i);
		if (a->y == HEAT_Y_OFFSET)
			paint_add(&p, start, end, 0, 1);
		else if (value < a->low)
			g->below += ns_in_window(a, start, end);
		else if (value > a->high)
			g->above += ns_in_window(a, start, end);
		else
			paint_add(&p, start, end, find_row(&rows, value), 1);
	}
	paint_finish(&p);
	free(rows.borders);
}

/* ---- utilization ------------------------------------------------------------ */

static void count_cpu(void *to, uint32_t column, __uint128_t part, __uint128_t whole)
{
	struct heat_grid *g = to;
	__uint128_t row = part * g->axes.rows / whole;

	g->cells[(size_t)column * g->axes.rows + (row < g->axes.rows ? (size_t)row : g->axes.rows - 1)]++;
}

/* ---- all of it -------------------------------------------------------------- */

void heat_grid_make(struct heat_grid *g, const struct heat *h, const struct heat_axes *a,
		    const struct heat_choice *choice)
{
	size_t count = (size_t)a->columns * a->rows;
	uint8_t *take = choice_stacks(h, choice);

	*g = (struct heat_grid){ .axes = *a };
	g->cells = xcalloc(count, sizeof(*g->cells));
	if (a->y == HEAT_Y_UTILIZATION)
		use_each(h, a, choice, count_cpu, g);
	else if (a->weigh == HEAT_PAINTED && h->spans)
		paint_events(g, h, take);
	else
		count_events(g, h, take);
	for (size_t i = 0; i < count; i++) {
		g->total += g->cells[i];
		if (g->cells[i] > g->largest)
			g->largest = g->cells[i];
	}
	free(take);
}

void heat_grid_free(struct heat_grid *g)
{
	free(g->cells);
	*g = (struct heat_grid){0};
}
