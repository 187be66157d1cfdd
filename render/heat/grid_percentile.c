#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "core/memory.h"
#include "render/heat/grid_parts.h"

/* The index of the nearest rank among count sorted values. */
static size_t nearest_rank(size_t count, double percent)
{
	double rank = ceil(percent * (double)count / 100 - 1e-9);

	if (!(rank >= 1))
		return 0;
	return rank < (double)count ? (size_t)rank - 1 : count - 1;
}

/* The value that would be at index place if the values were sorted (Wirth's form of Hoare's "find"). */
static uint64_t select_value(uint64_t *values, size_t count, size_t place)
{
	ptrdiff_t first = 0, last = (ptrdiff_t)count - 1, k = (ptrdiff_t)place;

	while (first < last) {
		ptrdiff_t i = first, j = last;
		uint64_t pivot = values[k];

		while (i <= j) {
			while (values[i] < pivot)
				i++;
			while (values[j] > pivot)
				j--;
			if (i <= j) {
				uint64_t value = values[i];

				values[i++] = values[j];
				values[j--] = value;
			}
		}
		if (j < k)
			first = i;
		if (k < i)
			last = j;
	}
	return values[k];
}

/* The values of one column. */
struct values {
	uint64_t *items;
	size_t count, cap;
};

static void grid_percentile_add_value(struct values *v, uint64_t value)
{
	v->items = xgrow(v->items, &v->cap, v->count + 1, sizeof(*v->items));
	v->items[v->count++] = value;
}

static void end_column(struct values *v, uint64_t *line, double percent)
{
	if (v->count)
		*line = select_value(v->items, v->count, nearest_rank(v->count, percent));
	v->count = 0;
}

/* Events come in order of time, so those of one column are adjacent. */
static void find_of_events(uint64_t *line, const struct heat *h, const struct heat_axes *a,
			   const struct heat_choice *choice, double percent)
{
	uint8_t *take = choice_stacks(h, choice);
	uint64_t next_ns = 0; /* the begin of the next column on the axis */
	struct values v = { 0 };
	uint64_t column = 0, start_ns = axes_start(a);

	for (size_t i = 0; i < h->event_count; i++) {
		uint64_t on_axis = axis_ns(a, h->time_ns[i]);

		if (!take[h->stack[i]] || on_axis < start_ns)
			continue;
		if (on_axis >= next_ns) {
			end_column(&v, &line[column], percent);
			column = axes_column(a, on_axis);
			if (column >= a->columns)
				break;
			next_ns = start_ns + (column + 1) * a->per_column * a->period_ns;
		}
		grid_percentile_add_value(&v, heat_value(h, i));
	}
	if (column < a->columns)
		end_column(&v, &line[column], percent);
	free(v.items);
	free(take);
}

/* ---- utilization ------------------------------------------------------------ */

static void grid_percentile_add_share(void *to, uint32_t column, __uint128_t part, __uint128_t whole)
{
	struct values *columns = to;
	__uint128_t share = part * USE_WHOLE / whole;

	grid_percentile_add_value(&columns[column], share < USE_WHOLE ? (uint64_t)share : USE_WHOLE);
}

static void find_of_cpus(uint64_t *line, const struct heat *h, const struct heat_axes *a,
			 const struct heat_choice *choice, double percent)
{
	struct values *columns = xcalloc(a->columns, sizeof(*columns));

	use_each(h, a, choice, grid_percentile_add_share, columns);
	for (uint32_t column = 0; column < a->columns; column++) {
		end_column(&columns[column], &line[column], percent);
		free(columns[column].items);
	}
	free(columns);
}

uint64_t *heat_percentile(const struct heat *h, const struct heat_axes *a, const struct heat_choice *choice,
			  double percent)
{
	uint64_t *line = xcalloc(a->columns, sizeof(*line));

	for (uint32_t column = 0; column < a->columns; column++)
		line[column] = UINT64_MAX;
	if (a->y == HEAT_Y_UTILIZATION)
		find_of_cpus(line, h, a, choice, percent);
	else
		find_of_events(line, h, a, choice, percent);
	return line;
}
