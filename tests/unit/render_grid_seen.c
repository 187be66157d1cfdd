/* Heat maps: gaps in the observation, how busy CPUs were, percentiles, and samples that make patterns. */
#include "tests/unit/check.h"
#include "tests/unit/heat_made.h"

static const struct heat_choice everything;

static struct heat_axes offset_axes(uint32_t rows, uint64_t from_ns, uint64_t to_ns)
{
	struct heat_axes a = { .y = HEAT_Y_OFFSET, .period_ns = SEC, .per_column = 1, .rows = rows };

	heat_axes_window(&a, from_ns, to_ns);
	return a;
}

static struct heat_gap gap(uint64_t start_ns, uint64_t end_ns, int32_t cpu)
{
	return (struct heat_gap){ .start_ns = start_ns, .end_ns = end_ns, .cpu = cpu };
}

/* ---- what was not seen ------------------------------------------------------ */

static void test_unseen(void)
{
	struct heat_axes a = offset_axes(10, NOON, NOON + 3 * SEC);
	struct heat h = made_heat(1);
	uint16_t *unseen;

	/* From 0.25 s to 2.5 s, two CPUs. */
	made_recording(&h, 0, NOON + 250 * MS, NOON + 2500 * MS, 99, 2);
	h.gaps[0] = gap(NOON + 1000 * MS, NOON + 1150 * MS, 1);
	h.gaps[1] = gap(NOON + 1100 * MS, NOON + 1150 * MS, 1); /* a part of the one before */
	h.gaps[2] = gap(NOON + 1500 * MS, NOON + 1700 * MS, -1);
	h.gaps[3] = gap(NOON + 1999999999, NOON + 2000000001, 0);
	h.gap_count = 4;
	unseen = heat_unseen(&h, &a, &everything);
	CHECK(unseen[0] == 1000 && unseen[1] == 1000 && unseen[2] == 500 && unseen[3] == 0 && unseen[9] == 0);
	CHECK(unseen[10] == 500 && unseen[11] == 250 && unseen[12] == 0);
	CHECK(unseen[14] == 0 && unseen[15] == 1000 && unseen[16] == 1000 && unseen[17] == 0);
	CHECK(unseen[19] == 1 && unseen[20] == 1); /* of 1 ns, but not of nothing */
	CHECK(unseen[24] == 0 && unseen[25] == 1000 && unseen[29] == 1000);
	free(unseen);

	unseen = heat_unseen(&h, &a, &(struct heat_choice){ .one_cpu = true, .cpu = 1 });
	CHECK(unseen[10] == 1000 && unseen[11] == 500 && unseen[15] == 1000 && unseen[19] == 0);
	free(unseen);

	a.y = HEAT_Y_VALUE;
	a.rows = 2;
	a.low = 0, a.high = 9, a.step = 5;
	unseen = heat_unseen(&h, &a, &everything);
	CHECK(unseen[0] == 250 && unseen[1] == 250);
	CHECK(unseen[2] == 275 && unseen[3] == 275); /* .15 of one, .2 of both */
	CHECK(unseen[4] == 500);
	free(unseen);
	made_free(&h);
}

/* How long the observation lasted before the first event and after the last one is not known: not shorter than their
 * cells; with several periods a column, not shorter than their columns. */
static void test_unseen_open(void)
{
	struct heat_axes a = offset_axes(10, NOON, NOON + 4 * SEC);
	struct heat h = made_heat(1);
	uint16_t *unseen;

	made_recording(&h, 0, NOON + 250 * MS, NOON + 3450 * MS, 0, 1);
	unseen = heat_unseen(&h, &a, &everything);
	CHECK(unseen[1] == 1000 && unseen[2] == 500 && unseen[3] == 0);
	CHECK(unseen[33] == 0 && unseen[34] == 500 && unseen[35] == 1000);
	free(unseen);
	h.recordings[0].from_open = h.recordings[0].to_open = true;
	unseen = heat_unseen(&h, &a, &everything);
	CHECK(unseen[1] == 1000 && unseen[2] == 0 && unseen[3] == 0);
	CHECK(unseen[33] == 0 && unseen[34] == 0 && unseen[35] == 1000);
	free(unseen);

	a.per_column = 2;
	heat_axes_window(&a, NOON, NOON + 4 * SEC);
	unseen = heat_unseen(&h, &a, &everything);
	CHECK(unseen[0] == 0 && unseen[19] == 0);
	free(unseen);
	heat_axes_window(&a, NOON - SEC, NOON + 5 * SEC); /* it ends in the column's first period */
	unseen = heat_unseen(&h, &a, &everything);
	CHECK(a.columns == 3 && unseen[0] == 0 && unseen[20] == 0 && unseen[29] == 0);
	free(unseen);
	heat_axes_window(&a, NOON + SEC, NOON + 5 * SEC); /* it began before the window */
	unseen = heat_unseen(&h, &a, &everything);
	CHECK(unseen[0] == 0 && unseen[10] == 0);
	free(unseen);
	a.per_column = 1;
	a.y = HEAT_Y_VALUE;
	a.rows = 2;
	heat_axes_window(&a, NOON - SEC, NOON + 4 * SEC);
	unseen = heat_unseen(&h, &a, &everything);
	CHECK(unseen[0] == 1000 && unseen[2] == 0 && unseen[9] == 0);
	free(unseen);
	made_free(&h);
}

/* If a host has two recordings, what one of them has observed counts as observed; hosts are kept apart. */
static void test_unseen_hosts(void)
{
	struct heat_axes a = offset_axes(1, NOON, NOON + 4 * SEC);
	struct heat_choice second = { .one_recording = true, .recording = 2 };
	struct heat_choice first = { .one_recording = true, .recording = 0 };
	struct heat_choice of_cpu = { .one_cpu = true, .cpu = 2 };
	struct heat h = made_heat(1);
	uint16_t *unseen;

	h.recording_count = 3;
	free(h.recordings[1].host);
	h.recordings[1].host = xstrdup("a");
	made_recording(&h, 0, NOON + 2 * SEC, NOON + 3 * SEC, 99, 1); /* the later one first */
	made_recording(&h, 1, NOON, NOON + SEC, 99, 1);
	made_recording(&h, 2, NOON, NOON + 4 * SEC, 99, 3);
	unseen = heat_unseen(&h, &a, &everything);
	CHECK(unseen[0] == 0 && unseen[1] == 250 && unseen[2] == 0 && unseen[3] == 250);
	free(unseen);
	unseen = heat_unseen(&h, &a, &second);
	CHECK(unseen[0] == 0 && unseen[1] == 0 && unseen[3] == 0);
	free(unseen);
	unseen = heat_unseen(&h, &a, &first); /* each recording of the host can represent it */
	CHECK(unseen[0] == 0 && unseen[1] == 1000 && unseen[2] == 0 && unseen[3] == 1000);
	free(unseen);
	unseen = heat_unseen(&h, &a, &of_cpu); /* which only b has */
	CHECK(unseen[0] == 0 && unseen[1] == 0);
	free(unseen);
	made_free(&h);
}

/* ---- utilization ------------------------------------------------------------ */

static struct heat_axes use_axes(uint32_t rows)
{
	struct heat_axes a = offset_axes(rows, NOON, NOON + 2 * SEC);

	a.y = HEAT_Y_UTILIZATION;
	return a;
}

/* count samples of a stack, evenly over a second. */
static size_t add_samples(struct made_event *to, size_t at, uint64_t from_ns, uint64_t count, uint32_t stack)
{
	for (uint64_t i = 0; i < count; i++)
		to[at++] = (struct made_event){ from_ns + i * SEC / count, 1, stack };
	return at;
}

/* 100 Hz: in the first second, CPU 0 has 100, CPU 1 has 31 and 69 idle ones; in the second one,
 * CPU 0 has 25 in the half that was seen, CPU 1 nothing. */
static void test_use(void)
{
	static const char *const cpus[] = { "cpu0", "cpu1", "cpu1" };
	struct made_event events[300];
	struct heat h = made_heat(3);
	struct heat_axes a = use_axes(10);
	struct heat_grid g;
	uint64_t *line;
	size_t count = 0;

	h.stacks[2].idle = true;
	made_cpus(&h, cpus);
	made_recording(&h, 0, NOON, NOON + 2 * SEC, 100, 2);
	h.gaps[0] = gap(NOON + 1500 * MS, NOON + 2000 * MS, 0);
	h.gap_count = 1;
	count = add_samples(events, count, NOON, 100, 0);
	count = add_samples(events, count, NOON, 31, 1);
	count = add_samples(events, count, NOON, 69, 2);
	count = add_samples(events, count, NOON + SEC, 25, 0);
	made_events(&h, events, count);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(g.cells[9] == 1 && g.cells[3] == 1); /* 100 % is in the last row */
	CHECK(g.cells[10] == 1 && g.cells[15] == 1);
	CHECK(g.total == 4);
	heat_grid_free(&g);
	line = heat_percentile(&h, &a, &everything, 50);
	CHECK(line[0] == 3100 && line[1] == 0);
	free(line);
	line = heat_percentile(&h, &a, &everything, 100);
	CHECK(line[0] == 10000 && line[1] == 5000);
	free(line);
	CHECK(heat_row_border(&a, 5) == 5000 && heat_row_border(&a, 10) == 10000);
	made_free(&h);
}

/* A CPU without any observation does not count, nor one that the recording does not have. */
static void test_use_unseen(void)
{
	static const char *const cpus[] = { "cpu0" };
	struct made_event events[99];
	struct heat h = made_heat(1);
	struct heat_axes a = use_axes(10);
	struct heat_grid g;

	made_cpus(&h, cpus);
	made_recording(&h, 0, NOON, NOON + SEC, 99, 1);
	made_events(&h, events, add_samples(events, 0, NOON, 99, 0));
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(g.total == 1 && g.cells[9] == 1);
	heat_grid_free(&g);
	made_free(&h);
}

/* Spans: the share of time; without CPUs, that of the whole host. */
static void test_use_spans(void)
{
	static const char *const cpus[] = { "cpu0", "cpu1" };
	struct made_event events[] = { { NOON, 250 * MS, 0 }, { NOON + 500 * MS, 800 * MS, 0 }, { NOON, 2 * SEC, 1 } };
	struct heat h = made_heat(2);
	struct heat_axes a = use_axes(4);
	struct heat_grid g;

	h.spans = true;
	made_cpus(&h, cpus);
	made_recording(&h, 0, NOON, NOON + 2 * SEC, 0, 2);
	made_events(&h, events, 3);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(g.cells[3] == 2);                            /* .75 and 1 */
	CHECK(g.cells[4 + 1] == 1 && g.cells[4 + 3] == 1); /* .3 and 1 */
	heat_grid_free(&g);
	free(h.dimensions[0].name);
	h.dimensions[0].name = xstrdup("other");
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(g.total == 2 && g.cells[3] == 1 && g.cells[4 + 2] == 1); /* .875, .65 */
	heat_grid_free(&g);
	made_free(&h);
}

/* Spans that tell states: only those that have the CPU count. */
static void test_use_states(void)
{
	static const char *const cpus[] = { "cpu0", "cpu0" }, *const states[] = { "running", "woken" };
	struct made_event events[] = { { NOON, 700 * MS, 0 }, { NOON + 700 * MS, 300 * MS, 1 } };
	struct heat h = made_heat(2);
	struct heat_axes a = use_axes(10);
	struct heat_grid g;

	h.spans = true;
	made_cpus(&h, cpus);
	made_dimension(&h, "state", states);
	made_recording(&h, 0, NOON, NOON + SEC, 0, 1);
	made_events(&h, events, 2);
	heat_grid_make(&g, &h, &a, &everything);
	CHECK(g.total == 1 && g.cells[7] == 1);
	heat_grid_free(&g);
	made_free(&h);
}

/* ---- percentiles ------------------------------------------------------------ */

static void test_percentiles(void)
{
	struct made_event events[1010];
	struct heat_axes a = offset_axes(1, NOON, NOON + 3 * SEC);
	struct heat h = made_heat(1);
	uint64_t *line;

	/* 1 to 1000 in the first column, in random order; one event in the last column. */
	for (uint64_t i = 0; i < 1000; i++)
		events[i] = (struct made_event){ NOON + i * MS, i * 7 % 1000 + 1, 0 };
	events[1000] = (struct made_event){ NOON + 2 * SEC, 42, 0 };
	made_events(&h, events, 1001);
	for (unsigned i = 0; i < 7; i++) {
		static const double percents[] = { 0, 0.05, 0.1, 50, 99, 99.9, 100 };
		static const uint64_t wanted[] = { 1, 1, 1, 500, 990, 999, 1000 };

		line = heat_percentile(&h, &a, &everything, percents[i]);
		CHECK(line[0] == wanted[i]);
		CHECK(line[1] == UINT64_MAX && line[2] == 42);
		free(line);
	}
	made_free(&h);
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Any values, many of them equal: the result is the same as by sorting. */
static void test_any_percentile(void)
{
	struct heat_axes a = offset_axes(1, NOON, NOON + SEC);
	uint32_t seed = 1, wrong = 0;

	for (uint64_t round = 1; round < 400; round++) {
		struct made_event events[400];
		struct heat h = made_heat(1);
		uint64_t values[400], *line;
		double percent = (double)(round * 37 % 1001) / 10;

		for (uint64_t i = 0; i < round; i++) {
			seed = seed * 1664525 + 1013904223;
			values[i] = (seed >> 8) % (round % 9 * 50 + 1);
			events[i] = (struct made_event){ NOON + i, values[i], 0 };
		}
		made_events(&h, events, round);
		qsort(values, round, sizeof(*values), by_value);
		line = heat_percentile(&h, &a, &everything, percent);
		for (uint64_t rank = 1; rank <= round; rank++) { /* the least rank that is enough */
			if (rank * 1000 >= round * (round * 37 % 1001)) {
				wrong += *line != values[rank - 1];
				break;
			}
		}
		free(line);
		made_free(&h);
	}
	CHECK(wrong == 0);
}

/* ---- samples that make patterns --------------------------------------------- */

/* What is said of that many samples a second, CPUs and rows; NULL: nothing is. */
static bool says(double rate_hz, uint32_t cpus, uint32_t rows, const char *wanted)
{
	struct heat_axes a = offset_axes(rows, NOON, NOON + SEC);
	struct heat h = made_heat(1);
	struct str text = { 0 };
	bool good, any;

	made_recording(&h, 0, NOON, NOON + SEC, rate_hz, cpus);
	any = heat_beats(&h, &a, &text);
	good = wanted ? any && strstr(str_text(&text), wanted) : !any && !text.len;
	if (!good)
		printf("# %g Hz, %u rows: %s\n", rate_hz, rows, str_text(&text));
	str_free(&text);
	made_free(&h);
	return good;
}

static void test_beats(void)
{
	CHECK(says(99, 1, 33, NULL)); /* as usual */
	CHECK(says(99, 2, 99, NULL));
	CHECK(says(99, 1, 50, "of a busy CPU a cell has 1 or 2; --rows 3, 9, 11, 33 or 99 have none"));
	CHECK(says(99, 2, 50, "--rows 3, 9, 11, 33 or 99 have none"));
	CHECK(says(99, 8, 50, NULL)); /* one sample of 16 is not seen */
	CHECK(says(997, 1, 50, NULL));
	CHECK(says(49, 1, 49, NULL));
	CHECK(says(0, 1, 50, NULL)); /* no samples */
	CHECK(says(99, 1, 100, "of a busy CPU a cell has 0 or 1; --rows 3, 9, 11, 33 or 99 have none"));
	CHECK(says(99, 1, 75, "--rows 3, 9, 11, 33 or 99 have none"));
	CHECK(says(99, 1, 40, "--rows 3, 9, 11, 33 or 99 have none"));
	CHECK(says(49, 1, 50, "--rows 7 or 49 have none"));
	CHECK(says(99, 64, 75, NULL)); /* many CPUs level it out */
	CHECK(says(100, 2, 50, "what happens each 10 ms is seen always or never; record with -F 99"));
	CHECK(says(1000, 2, 50, "-F 999"));
	CHECK(says(250, 2, 50, "-F 249"));
	CHECK(says(4000, 2, 50, "-F 3999"));
	CHECK(says(100, 1, 75, "--rows 5, 10, 20, 25, 50 or 100 have none"));
}

/* Short periods: there are no more rows than a CPU has samples. */
static void test_rows_of_periods(void)
{
	static const struct {
		double rate_hz;
		uint64_t ms;
		uint32_t cpus, wanted;
	} cases[] = {
		{ 99, 250, 2, 8 },   { 99, 250, 1, 5 }, { 99, 250, 64, 24 }, { 99, 100, 2, 5 },    { 99, 10, 2, 1 },
		{ 100, 120, 1, 12 }, { 99, 5, 2, 1 },   { 997, 100, 1, 50 }, { 99, 60000, 1, 54 }, { 49, 700, 2, 34 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct heat_axes a = { .period_ns = cases[i].ms * SEC / 1000, .per_column = 1, .rows = 1 };
		struct heat h = made_heat(1);
		uint32_t rows;

		made_recording(&h, 0, NOON, NOON + SEC, cases[i].rate_hz, cases[i].cpus);
		rows = heat_rows_without_beats(&h, &a, 50, 20, 100);
		CHECK(rows == cases[i].wanted);
		if (rows != cases[i].wanted)
			printf("# %g Hz, %u CPUs, %u ms: %u\n", cases[i].rate_hz, cases[i].cpus, (unsigned)cases[i].ms,
			       rows);
		made_free(&h);
	}
}

static void test_rows(void)
{
	static const struct {
		double rate_hz;
		uint32_t wanted;
	} cases[] = {
		{ 99, 33 },  { 49, 49 }, { 100, 50 }, { 1000, 50 }, { 999, 37 },
		{ 997, 50 }, { 0, 50 },  { 97, 97 },  { 99.5, 50 }, { 2, 2 },
	};
	struct heat_axes a = offset_axes(1, NOON, NOON + SEC);

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct heat h = made_heat(1);

		made_recording(&h, 0, NOON, NOON + SEC, cases[i].rate_hz, 2);
		CHECK(heat_rows_without_beats(&h, &a, 50, 20, 100) == cases[i].wanted);
		made_free(&h);
	}
}

int main(void)
{
	test_unseen();
	test_unseen_open();
	test_unseen_hosts();
	test_use();
	test_use_unseen();
	test_use_spans();
	test_use_states();
	test_percentiles();
	test_any_percentile();
	test_beats();
	test_rows();
	test_rows_of_periods();
	return check_done();
}
