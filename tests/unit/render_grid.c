/* Grids of heat maps: examples by hand; and for any events, the cells add up to what was put in. */
#include "tests/unit/check.h"
#include "tests/unit/heat_made.h"

static const struct heat_choice everything;

static struct heat_axes offset_axes(uint64_t period_ns, uint32_t rows, uint64_t from_ns, uint64_t to_ns)
{
	struct heat_axes a = { .y = HEAT_Y_OFFSET, .period_ns = period_ns, .per_column = 1, .rows = rows };

	heat_axes_window(&a, from_ns, to_ns);
	return a;
}

static struct heat_axes value_axes(uint32_t rows, uint64_t low, uint64_t high, uint64_t step)
{
	struct heat_axes a = { .y = HEAT_Y_VALUE,
			       .period_ns = SEC,
			       .per_column = 1,
			       .rows = rows,
			       .low = low,
			       .high = high,
			       .step = step };

	heat_axes_window(&a, NOON, NOON + SEC);
	return a;
}

static uint64_t cell(const struct heat_grid *g, uint32_t column, uint32_t row)
{
	return g->cells[(size_t)column * g->axes.rows + row];
}

/* One event of 1 at each of times. */
static struct heat events_at(const uint64_t *times, size_t count)
{
	struct made_event events[64];
	struct heat h = made_heat(1);

	for (size_t i = 0; i < count; i++)
		events[i] = (struct made_event){ times[i], 1, 0 };
	made_events(&h, events, count);
	return h;
}

/* ... one with each of values, 1 ms apart. */
static struct heat events_of(const uint64_t *values, size_t count)
{
	struct made_event events[64];
	struct heat h = made_heat(1);

	for (size_t i = 0; i < count; i++)
		events[i] = (struct made_event){ NOON + i * MS, values[i], 0 };
	made_events(&h, events, count);
	return h;
}

/* ---- offsets ---------------------------------------------------------------- */

/* The last 0.1 ms of a second and the first moment of the next one. */
static void test_neighbours(void)
{
	const uint64_t times[] = { NOON + SEC, NOON + 999900000, NOON + 1200 * MS }; /* in no order */
	struct heat_axes a = offset_axes(SEC, 50, NOON, NOON + 2 * SEC);
	struct heat h = events_at(times, 3);
	struct heat_grid g;

	heat_grid_make(&g, &h, &a, &everything);
	CHECK(a.columns == 2);
	CHECK(cell(&g, 0, 49) == 1);
	CHECK(cell(&g, 1, 0) == 1);
	CHECK(cell(&g, 1, 10) == 1);
	CHECK(g.total == 3 && g.largest == 1);
	CHECK(heat_column_ns(&a, 1) == NOON + SEC);
	CHECK(heat_row_border(&a, 0) == 0 && heat_row_border(&a, 49) == 980 * MS && heat_row_border(&a, 50) == SEC);
	heat_grid_free(&g);
	made_free(&h);
}

/* Borders that are not whole ns: each event lies between those of its row. */
static void test_borders(void)
{
	struct heat_axes a = offset_axes(SEC, 7, NOON, NOON + SEC);
	uint32_t wrong = 0;

	for (uint32_t row = 0; row < 7; row++) {
		uint64_t border = heat_row_border(&a, row);
		struct heat_cell at, before;

		heat_cell_of(&a, NOON + border, 0, &at);
		wrong += at.row != row;
		if (row && heat_cell_of(&a, NOON + border - 1, 0, &before))
			wrong += before.row != row - 1;
	}
	CHECK(wrong == 0);
	CHECK(heat_row_border(&a, 1) == 142857143);
}

/* The period can have any length: periods of 600 ms, counted from the epoch. */
static void test_periods(void)
{
	const uint64_t times[] = { NOON, NOON + 599 * MS, NOON + 600 * MS };
	struct heat_axes a = offset_axes(600 * MS, 6, NOON, NOON + 1200 * MS);
	struct heat h = events_at(times, 3);
	struct heat_grid g;

	CHECK(NOON % (600 * MS) == 0);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(a.columns == 2);
	CHECK(cell(&g, 0, 0) == 1 && cell(&g, 0, 5) == 1 && cell(&g, 1, 0) == 1);
	heat_grid_free(&g);

	a = (struct heat_axes){ .period_ns = 600 * MS, .per_column = 2, .rows = 6 };
	heat_axes_window(&a, NOON, NOON + 1200 * MS);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(a.columns == 1);
	CHECK(cell(&g, 0, 0) == 2 && cell(&g, 0, 5) == 1 && g.largest == 2);
	heat_grid_free(&g);
	made_free(&h);
}

/* A day in India begins at 18:30 UTC. */
static void test_zones(void)
{
	struct heat_axes a = { .period_ns = 86400 * SEC, .per_column = 1, .rows = 24, .zone_ns = 19800 * (int64_t)SEC };
	struct heat_cell c;

	heat_axes_window(&a, NOON, NOON + 86400 * SEC);
	CHECK(a.columns == 2);
	CHECK(heat_column_ns(&a, 1) == NOON + 23400 * SEC);
	CHECK(heat_cell_of(&a, NOON + 23400 * SEC - 1, 0, &c) && c.column == 0 && c.row == 23);
	CHECK(heat_cell_of(&a, NOON + 23400 * SEC, 0, &c) && c.column == 1 && c.row == 0);
	a.zone_ns = -5 * 3600 * (int64_t)SEC;
	heat_axes_window(&a, NOON, NOON + SEC);
	CHECK(heat_column_ns(&a, 0) == NOON - 7 * 3600 * SEC);
	CHECK(heat_cell_of(&a, NOON, 0, &c) && c.column == 0 && c.row == 7);
}

/* flamescope fails if the end is on a full second, and with only one event. */
static void test_few(void)
{
	const uint64_t times[] = { NOON, NOON + 2 * SEC };
	struct heat_axes a = offset_axes(SEC, 50, NOON, NOON + 2 * SEC + 1);
	struct heat h = events_at(times, 2);
	struct heat_grid g;

	heat_grid_make(&g, &h, &a, &everything);
	CHECK(a.columns == 3 && g.total == 2 && cell(&g, 2, 0) == 1);
	heat_grid_free(&g);
	made_free(&h);

	h = events_at(times, 1);
	a = offset_axes(SEC, 50, NOON, NOON + 1);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(a.columns == 1 && g.total == 1 && cell(&g, 0, 0) == 1);
	heat_grid_free(&g);
	made_free(&h);

	h = events_at(times, 0);
	a = offset_axes(SEC, 50, NOON, NOON);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(a.columns == 1 && g.total == 0 && g.largest == 0);
	heat_grid_free(&g);
	made_free(&h);
}

/* ---- values ----------------------------------------------------------------- */

/* trace2heatmap.pl loses what is in its last row. */
static void test_last_row(void)
{
	const uint64_t values[] = { 0, 39, 40, 2039, 2040, 2049 };
	struct heat_axes a = value_axes(52, 0, 2049, 40);
	struct heat h = events_of(values, 6);
	struct heat_grid g;

	heat_grid_make(&g, &h, &a, &everything);
	CHECK(cell(&g, 0, 0) == 2 && cell(&g, 0, 1) == 1 && cell(&g, 0, 50) == 1 && cell(&g, 0, 51) == 2);
	CHECK(g.total == 6 && !g.below && !g.above);
	heat_grid_free(&g);

	a = value_axes(51, 0, 2049, 40); /* too few: the last one gets the rest */
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(cell(&g, 0, 50) == 3 && g.total == 6);
	CHECK(heat_row_border(&a, 50) == 2000 && heat_row_border(&a, 51) == 2049);
	heat_grid_free(&g);

	a = value_axes(10, 40, 2039, 200);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(g.below == 2 && g.above == 2 && g.total == 2);
	CHECK(cell(&g, 0, 9) == 1); /* the largest one */
	heat_grid_free(&g);
	made_free(&h);
}

static void test_small_range(void)
{
	const uint64_t values[] = { 3, 4, 5, 5 };
	struct heat_axes a = value_axes(3, 3, 5, 1);
	struct heat h = events_of(values, 4);
	struct heat_grid g;

	heat_grid_make(&g, &h, &a, &everything);
	CHECK(cell(&g, 0, 0) == 1 && cell(&g, 0, 1) == 1 && cell(&g, 0, 2) == 2 && g.total == 4);
	heat_grid_free(&g);
	a = value_axes(1, 5, 5, 1);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(g.total == 2 && g.below == 2);
	heat_grid_free(&g);
	made_free(&h);
}

static void test_logarithmic(void)
{
	const uint64_t values[] = { 0, 1, 9, 10, 99, 100, 999, 1000, 1001 };
	struct heat_axes a = value_axes(3, 1, 1000, 1);
	struct heat h = events_of(values, 9);
	struct heat_grid g;

	a.logarithmic = true;
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(heat_row_border(&a, 1) == 10 && heat_row_border(&a, 2) == 100 && heat_row_border(&a, 3) == 1000);
	CHECK(cell(&g, 0, 0) == 2 && cell(&g, 0, 1) == 2 && cell(&g, 0, 2) == 3);
	CHECK(g.below == 1 && g.above == 1);
	heat_grid_free(&g);

	a.weigh = HEAT_VALUES;
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(cell(&g, 0, 0) == 10 && cell(&g, 0, 1) == 109 && cell(&g, 0, 2) == 2099);
	CHECK(g.below == 0 && g.above == 1001 && g.largest == 2099);
	heat_grid_free(&g);

	a.weigh = HEAT_LONGEST;
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(cell(&g, 0, 0) == 9 && cell(&g, 0, 1) == 99 && cell(&g, 0, 2) == 1000);
	CHECK(g.below == 0 && g.above == 1001);
	CHECK(g.largest == 1000 && g.total == 1000);
	heat_grid_free(&g);
	made_free(&h);
}

/* ---- spans ------------------------------------------------------------------ */

static void test_painted(void)
{
	struct made_event events[] = {
		{ NOON + 900 * MS, 300 * MS, 0 },           /* over the second */
		{ NOON + 1500 * MS, 2 * SEC + 20 * MS, 1 }, /* over two */
	};
	struct heat_axes a = offset_axes(SEC, 10, NOON, NOON + 4 * SEC);
	struct heat_choice first = { .stacks = (const uint8_t[]){ 1, 0 } };
	struct heat h = made_heat(2);
	struct heat_grid g;

	h.spans = true;
	a.weigh = HEAT_PAINTED;
	made_events(&h, events, 2);
	heat_grid_make(&g, &h, &a, &first);
	CHECK(cell(&g, 0, 9) == 100 * MS && cell(&g, 1, 0) == 100 * MS && cell(&g, 1, 1) == 100 * MS);
	CHECK(g.total == 300 * MS);
	heat_grid_free(&g);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(cell(&g, 1, 5) == 100 * MS && cell(&g, 2, 0) == 100 * MS && cell(&g, 2, 9) == 100 * MS);
	CHECK(cell(&g, 3, 4) == 100 * MS && cell(&g, 3, 5) == 20 * MS && cell(&g, 3, 6) == 0);
	CHECK(g.total == 2320 * MS);
	heat_grid_free(&g);
	made_free(&h);
}

static void test_painted_values(void)
{
	struct made_event events[] = { { NOON + 500 * MS, 3 * SEC, 0 }, { NOON + 600 * MS, MS, 0 } };
	struct heat_axes a = value_axes(4, 0, 4 * SEC, SEC);
	struct heat h = made_heat(1);
	struct heat_grid g;

	h.spans = true;
	heat_axes_window(&a, NOON, NOON + 3 * SEC);
	a.weigh = HEAT_PAINTED;
	made_events(&h, events, 2);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(cell(&g, 0, 3) == 500 * MS && cell(&g, 1, 3) == SEC && cell(&g, 2, 3) == SEC && cell(&g, 0, 0) == MS);
	CHECK(g.total == 2501 * MS);
	heat_grid_free(&g);
	a.high = 2 * SEC;
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(g.total == MS && g.above == 2500 * MS);
	heat_grid_free(&g);
	made_free(&h);
}

/* ---- any events ------------------------------------------------------------- */

static uint64_t seed = 88172645463325252;

static uint64_t next(uint64_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % n;
}

enum { EVENTS = 400 };

static struct heat random_heat(uint64_t window_ns)
{
	struct made_event events[EVENTS];
	struct heat h = made_heat(4);

	h.stacks[3].idle = true;
	h.spans = true;
	for (size_t i = 0; i < EVENTS; i++)
		events[i] = (struct made_event){ NOON + next(window_ns), next(next(5) ? 1000 : 3 * window_ns),
						 (uint32_t)next(4) };
	made_events(&h, events, EVENTS);
	return h;
}

static struct heat_axes random_axes(uint64_t from_ns, uint64_t to_ns)
{
	struct heat_axes a = {
		.y = next(2) ? HEAT_Y_OFFSET : HEAT_Y_VALUE,
		.period_ns = next(300) + 1,
		.per_column = next(3) + 1,
		.rows = (uint32_t)next(60) + 1,
		.zone_ns = ((int64_t)next(3) - 1) * 3600 * (int64_t)SEC,
		.low = next(100),
		.logarithmic = next(2),
		.step = next(40) + 1,
	};

	a.low += a.logarithmic;
	a.high = a.low + next(2000) + 1;
	heat_axes_window(&a, from_ns, to_ns);
	return a;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The value of each event, which is cut to the window when it is painted. */
static uint64_t sum_of(const struct heat *h, const struct heat_axes *a, bool idle)
{
	uint64_t from = heat_column_ns(a, 0), to = heat_column_ns(a, a->columns), sum = 0;

	for (size_t i = 0; i < h->event_count; i++) {
		uint64_t time = h->time_ns[i], value = h->value[i];

		if (h->stacks[h->stack[i]].idle != idle)
			continue;
		if (a->weigh == HEAT_PAINTED)
			sum += smaller(time + value, to) -
			       smaller(time < from ? from : time, smaller(time + value, to));
		else if (time >= from && time < to)
			sum += a->weigh == HEAT_VALUES ? value : 1;
	}
	return sum;
}

/* Compared cell by cell with the function that handles one event. */
static bool is_as_cell_of(const struct heat *h, const struct heat_grid *g)
{
	size_t count = (size_t)g->axes.columns * g->axes.rows;
	uint64_t *cells = xcalloc(count, sizeof(*cells));
	struct heat_cell c;
	bool same;

	for (size_t i = 0; i < h->event_count; i++) {
		if (!h->stacks[h->stack[i]].idle && heat_cell_of(&g->axes, h->time_ns[i], h->value[i], &c))
			cells[(size_t)c.column * g->axes.rows + c.row]++;
	}
	same = !memcmp(cells, g->cells, count * sizeof(*cells));
	free(cells);
	return same;
}

static void test_any(void)
{
	unsigned wrong_sums = 0, wrong_cells = 0, wrong_idle = 0;

	for (int round = 0; round < 600; round++) {
		uint64_t window = next(20000) + 1, skip = next(window);
		struct heat h = random_heat(window);
		struct heat_axes a = random_axes(NOON + skip, NOON + skip + next(window) + 1);
		struct heat_choice idle = { .idle = true };
		struct heat_grid g;

		for (int weigh = HEAT_EVENTS; weigh <= HEAT_PAINTED; weigh++) {
			a.weigh = (enum heat_weigh)weigh;
			heat_grid_make(&g, &h, &a, &everything);
			wrong_sums += g.total + g.below + g.above != sum_of(&h, &a, false);
			wrong_cells += weigh == HEAT_EVENTS && !is_as_cell_of(&h, &g);
			heat_grid_free(&g);
			heat_grid_make(&g, &h, &a, &idle);
			wrong_idle += g.total + g.below + g.above != sum_of(&h, &a, true);
			heat_grid_free(&g);
		}
		made_free(&h);
	}
	CHECK(wrong_sums == 0);
	CHECK(wrong_cells == 0);
	CHECK(wrong_idle == 0);
}

/* Both axes are time: the longest event of a cell is one of the cell's, and none is longer. */
static void test_longest(void)
{
	struct made_event events[] = {
		{ NOON + 100 * MS, 7 * MS, 0 },  { NOON + 120 * MS, 3 * MS, 1 }, { NOON + 130 * MS, 5 * MS, 0 },
		{ NOON + 900 * MS, 20 * MS, 1 }, { NOON + SEC, 0, 0 },
	};
	struct heat_axes a = offset_axes(SEC, 10, NOON, NOON + 2 * SEC);
	struct heat h = made_heat(2);
	struct heat_grid g;

	made_events(&h, events, 5);
	a.weigh = HEAT_LONGEST;
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(cell(&g, 0, 1) == 7 * MS && cell(&g, 0, 9) == 20 * MS);
	CHECK(cell(&g, 1, 0) == 0 && cell(&g, 0, 5) == 0);
	CHECK(g.largest == 20 * MS && g.total == 20 * MS);
	heat_grid_free(&g);
	made_free(&h);
}

/* Grids of several keys have the same cells as grids of each key alone. */
static void test_several(void)
{
	const uint32_t grid_of[] = { 1, HEAT_NONE, 0, 1 };
	unsigned wrong = 0;

	for (int round = 0; round < 60; round++) {
		struct heat h = random_heat(2000);
		struct heat_axes a = random_axes(NOON, NOON + 2000);
		struct heat_grid both[2], one;

		a.weigh = (enum heat_weigh)next(HEAT_LONGEST + 1);
		heat_grids_make(both, 2, &h, &a, &everything, grid_of);
		for (uint32_t g = 0; g < 2; g++) {
			struct heat_choice choice = { .stacks = (const uint8_t[]){ g == 1, 0, g == 0, g == 1 } };

			heat_grid_make(&one, &h, &a, &choice);
			wrong += one.total != both[g].total || one.below != both[g].below ||
				 one.above != both[g].above ||
				 memcmp(one.cells, both[g].cells, (size_t)a.columns * a.rows * sizeof(*one.cells));
			heat_grid_free(&one);
			heat_grid_free(&both[g]);
		}
		made_free(&h);
	}
	CHECK(wrong == 0);
}

/* A value is not below the border of its row, and is below that of the next row. */
static void test_rows_and_borders(void)
{
	unsigned wrong = 0;

	for (int round = 0; round < 20000; round++) {
		struct heat_axes a = value_axes((uint32_t)next(80) + 1, next(1000) + 1, 0, next(90) + 1);
		uint64_t value;
		struct heat_cell c;

		a.logarithmic = next(3);
		a.high = a.low + next(next(2) ? 5000 : 1ull << 50) + 1;
		value = a.low + next(a.high - a.low + 1);
		if (!heat_cell_of(&a, NOON, value, &c)) {
			wrong++;
			continue;
		}
		wrong += value < heat_row_border(&a, c.row);
		wrong += c.row + 1 < a.rows && value >= heat_row_border(&a, c.row + 1);
	}
	CHECK(wrong == 0);
}

int main(void)
{
	test_neighbours();
	test_borders();
	test_periods();
	test_zones();
	test_few();
	test_last_row();
	test_small_range();
	test_logarithmic();
	test_painted();
	test_painted_values();
	test_any();
	test_longest();
	test_several();
	test_rows_and_borders();
	return check_done();
}
