#include "render/heat/grid.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/heat/grid_parts.h"

/* ---- which hosts and stacks are chosen ------------------------------------------------------------ */

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

/* ---- counting --------------------------------------------------------------- */

uint64_t span_ns(const struct heat *h, size_t event)
{
	uint64_t value = h->spans ? heat_value(h, event) : 0;

	for (unsigned i = 0; i < h->decimals && value; i++)
		value /= 10;
	return value;
}

/* Events come in order of time, so most are in the same period as the previous event, and often in the same row; then
 * no division is needed. */
struct cursor {
	uint64_t start, end; /* bounds on the axis of the cell (HEAT_Y_OFFSET) or of the column */
	size_t cell;         /* the column's first cell */
	bool inside;         /* the column is in the window */
};

static void cursor_move(struct cursor *c, const struct heat_axes *a, uint64_t on_axis)
{
	uint64_t period = on_axis / a->period_ns, column = axes_column(a, on_axis);
	uint32_t row = 0;

	if (a->y == HEAT_Y_OFFSET) {
		row = axes_offset_row(a, on_axis);
		c->start = period * a->period_ns + heat_row_border(a, row);
		c->end = period * a->period_ns + heat_row_border(a, row + 1);
	} else if (column == UINT64_MAX) {
		c->start = 0;
		c->end = axes_start(a);
	} else {
		c->start = (a->first + column * a->per_column) * a->period_ns;
		c->end = c->start + a->per_column * a->period_ns;
	}
	if (c->end < c->start)
		c->end = UINT64_MAX;
	c->inside = column < a->columns;
	c->cell = c->inside ? (size_t)column * a->rows + row : 0;
}

/* Finds a value's row in a table of borders, since computing logarithms is too slow for millions of values. */
struct rows_by_value {
	const struct heat_axes *axes;
	uint64_t *borders; /* [rows], logarithmic */
};

static uint32_t find_row(const struct rows_by_value *r, uint64_t value)
{
	uint32_t low = 0, high = r->axes->rows;

	if (!r->borders)
		return axes_value_row(r->axes, value);
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (r->borders[middle] <= value)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static struct rows_by_value grid_make_rows(const struct heat_axes *a)
{
	struct rows_by_value r = { .axes = a };

	if (a->y != HEAT_Y_VALUE || !a->logarithmic)
		return r;
	r.borders = xcalloc(a->rows, sizeof(*r.borders));
	for (uint32_t i = 0; i < a->rows; i++)
		r.borders[i] = heat_row_border(a, i);
	return r;
}

static void grid_add_to(uint64_t *to, enum heat_weigh weigh, uint64_t value)
{
	if (weigh == HEAT_EVENTS)
		++*to;
	else if (weigh != HEAT_LONGEST)
		*to += value;
	else if (value > *to)
		*to = value;
}

static void add_to_row(struct heat_grid *g, const struct rows_by_value *rows, uint64_t *column, uint64_t value)
{
	if (value < g->axes.low)
		grid_add_to(&g->below, g->axes.weigh, value);
	else if (value > g->axes.high)
		grid_add_to(&g->above, g->axes.weigh, value);
	else
		grid_add_to(&column[find_row(rows, value)], g->axes.weigh, value);
}

static void count_events(struct heat_grid *grids, const struct heat *h, const struct heat_axes *a,
			 const uint32_t *grid_of)
{
	struct rows_by_value rows = grid_make_rows(a);
	struct cursor c = { 0 };

	for (size_t i = 0; i < h->event_count; i++) {
		uint32_t grid = grid_of[h->stack[i]];
		uint64_t on_axis, value;

		if (grid == HEAT_NONE)
			continue;
		on_axis = axis_ns(a, h->time_ns[i]);
		if (on_axis >= c.end || on_axis < c.start)
			cursor_move(&c, a, on_axis);
		if (!c.inside)
			continue;
		value = heat_value(h, i);
		if (a->y == HEAT_Y_OFFSET)
			grid_add_to(&grids[grid].cells[c.cell], a->weigh, value);
		else
			add_to_row(&grids[grid], &rows, grids[grid].cells + c.cell, value);
	}
	free(rows.borders);
}

/* How many ns of a span are in the window; the rest is added to the sums below and above. */
static uint64_t ns_in_window(const struct heat_axes *a, uint64_t start_ns, uint64_t end_ns)
{
	uint64_t start = axis_ns(a, start_ns), end = axis_ns(a, end_ns);

	return axes_clip(a, &start, &end) ? end - start : 0;
}

static void paint_event(struct heat_grid *g, struct paint *p, const struct rows_by_value *rows, const struct heat *h,
			size_t event)
{
	const struct heat_axes *a = &g->axes;
	uint64_t start = h->time_ns[event], ns = span_ns(h, event), value = heat_value(h, event);
	uint64_t end = start < UINT64_MAX - ns ? start + ns : UINT64_MAX;

	if (a->y == HEAT_Y_OFFSET)
		paint_add(p, start, end, 0, 1);
	else if (value < a->low)
		g->below += ns_in_window(a, start, end);
	else if (value > a->high)
		g->above += ns_in_window(a, start, end);
	else
		paint_add(p, start, end, find_row(rows, value), 1);
}

static void paint_events(struct heat_grid *grids, size_t count, const struct heat *h, const struct heat_axes *a,
			 const uint32_t *grid_of)
{
	struct paint *paints = xcalloc(count + 1, sizeof(*paints));
	struct rows_by_value rows = grid_make_rows(a);

	for (size_t i = 0; i < count; i++)
		paint_begin(&paints[i], &grids[i].axes, grids[i].cells);
	for (size_t i = 0; i < h->event_count; i++) {
		uint32_t grid = grid_of[h->stack[i]];

		if (grid != HEAT_NONE)
			paint_event(&grids[grid], &paints[grid], &rows, h, i);
	}
	for (size_t i = 0; i < count; i++)
		paint_finish(&paints[i]);
	free(rows.borders);
	free(paints);
}

/* ---- utilization ------------------------------------------------------------ */

static void count_cpu(void *to, uint32_t column, __uint128_t part, __uint128_t whole)
{
	struct heat_grid *g = to;
	__uint128_t row = part * g->axes.rows / whole;

	g->cells[(size_t)column * g->axes.rows + (row < g->axes.rows ? (size_t)row : g->axes.rows - 1)]++;
}

static void count_cpus(struct heat_grid *grids, size_t count, const struct heat *h, const struct heat_choice *choice,
		       const uint32_t *grid_of)
{
	uint8_t *stacks = xcalloc(h->stack_count + 1, 1);
	struct heat_choice own = *choice;

	own.stacks = stacks;
	for (size_t g = 0; g < count; g++) {
		for (size_t i = 0; i < h->stack_count; i++)
			stacks[i] = grid_of[i] == g;
		use_each(h, &grids[g].axes, &own, count_cpu, &grids[g]);
	}
	free(stacks);
}

/* ---- all of it -------------------------------------------------------------- */

static void grid_sum_up(struct heat_grid *g)
{
	size_t count = (size_t)g->axes.columns * g->axes.rows;

	for (size_t i = 0; i < count; i++) {
		g->total += g->cells[i];
		if (g->cells[i] > g->largest)
			g->largest = g->cells[i];
	}
	if (g->axes.weigh == HEAT_LONGEST && g->axes.y != HEAT_Y_UTILIZATION)
		g->total = g->largest;
}

/* [stack] the number of its grid; HEAT_NONE: not chosen.  grid_of may be NULL. */
static uint32_t *chosen_grids(const struct heat *h, const struct heat_choice *choice, const uint32_t *grid_of)
{
	uint32_t *chosen = xcalloc(h->stack_count + 1, sizeof(*chosen));
	uint8_t *take = choice_stacks(h, choice);

	for (size_t i = 0; i < h->stack_count; i++)
		chosen[i] = !take[i] ? HEAT_NONE : grid_of ? grid_of[i] : 0;
	free(take);
	return chosen;
}

void heat_grids_make(struct heat_grid *grids, size_t count, const struct heat *h, const struct heat_axes *a,
		     const struct heat_choice *choice, const uint32_t *grid_of)
{
	uint32_t *chosen = chosen_grids(h, choice, grid_of);

	for (size_t i = 0; i < count; i++) {
		grids[i] = (struct heat_grid){ .axes = *a };
		grids[i].cells = xcalloc((size_t)a->columns * a->rows, sizeof(*grids[i].cells));
	}
	if (a->y == HEAT_Y_UTILIZATION)
		count_cpus(grids, count, h, choice, chosen);
	else if (a->weigh == HEAT_PAINTED && h->spans)
		paint_events(grids, count, h, a, chosen);
	else
		count_events(grids, h, a, chosen);
	for (size_t i = 0; i < count; i++)
		grid_sum_up(&grids[i]);
	free(chosen);
}

void heat_grid_make(struct heat_grid *g, const struct heat *h, const struct heat_axes *a,
		    const struct heat_choice *choice)
{
	heat_grids_make(g, 1, h, a, choice, NULL);
}

void heat_grid_free(struct heat_grid *g)
{
	free(g->cells);
	*g = (struct heat_grid){ 0 };
}
