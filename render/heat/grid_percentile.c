#include <math.h>
#include <stdlib.h>

#include "core/memory.h"
#include "render/heat/grid_parts.h"

/* Values, each with its column. */
struct values {
	struct in_column {
		uint32_t column;
		uint64_t value;
	} *items;
	size_t count, cap;
};

static void add_value(struct values *v, uint32_t column, uint64_t value)
{
	v->items = xgrow(v->items, &v->cap, v->count + 1, sizeof(*v->items));
	v->items[v->count++] = (struct in_column){ column, value };
}

static void add_share(void *to, uint32_t column, __uint128_t part, __uint128_t whole)
{
	__uint128_t share = part * USE_WHOLE / whole;

	add_value(to, column, share < USE_WHOLE ? (uint64_t)share : USE_WHOLE);
}

static void add_events(struct values *v, const struct heat *h, const struct heat_axes *a,
		       const struct heat_choice *choice)
{
	struct heat_axes columns = axes_of_columns(a);
	uint8_t *take = choice_stacks(h, choice);
	struct heat_cell cell;

	for (size_t i = 0; i < h->event_count; i++) {
		if (take[h->stack[i]] && heat_cell_of(&columns, h->time_ns[i], 0, &cell))
			add_value(v, cell.column, heat_value(h, i));
	}
	free(take);
}

static int by_column(const void *a, const void *b)
{
	const struct in_column *x = a, *y = b;

	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

/* The place of the nearest rank among count values, from 0. */
static size_t nearest_rank(size_t count, double percent)
{
	double rank = ceil(percent * (double)count / 100 - 1e-9);

	if (!(rank >= 1))
		return 0;
	return rank < (double)count ? (size_t)rank - 1 : count - 1;
}

uint64_t *heat_percentile(const struct heat *h, const struct heat_axes *a,
			  const struct heat_choice *choice, double percent)
{
	uint64_t *line = xcalloc(a->columns, sizeof(*line));
	struct values v = {0};

	for (uint32_t column = 0; column < a->columns; column++)
		line[column] = UINT64_MAX;
	if (a->y == HEAT_Y_UTILIZATION)
		use_each(h, a, choice, add_share, &v);
	else
		add_events(&v, h, a, choice);
	if (v.count)
		qsort(v.items, v.count, sizeof(*v.items), by_column);
	for (size_t i = 0, next; i < v.count; i = next) {
		for (next = i; next < v.count && v.items[next].column == v.items[i].column;)
			next++;
		line[v.items[i].column] = v.items[i + nearest_rank(next - i, percent)].value;
	}
	free(v.items);
	return line;
}
