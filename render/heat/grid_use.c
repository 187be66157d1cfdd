#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/wallclock.h"
#include "render/heat/grid_parts.h"

#define RUNNING "running" /* core/format/folded.h, FOLDED_STATE_TABLE */

/* The objects that are measured: each CPU; or each host, if stacks do not name their CPUs. */
struct use {
	const struct heat *heat;
	struct seen_times seen;
	uint32_t *cpu_of;      /* [stack]; NULL: hosts */
	struct heat_axes axes; /* columns, with a row for each CPU or host */
	uint64_t *busy;        /* [column * rows + row] samples, or ns of spans */
	uint64_t *unseen;      /* [column * rows + row] unobserved CPU-ns */
};

static uint32_t row_of_stack(const struct use *u, uint32_t stack)
{
	uint32_t recording = u->heat->stacks[stack].recording;

	if (!u->cpu_of)
		return u->seen.host_of[recording];
	if (u->cpu_of[stack] == HEAT_NONE)
		return HEAT_NONE;
	return seen_cpu(&u->seen, recording, u->cpu_of[stack]);
}

/* [stack] Does its time count as busy?  If spans show states of threads, only the state counts in which the thread has
 * the CPU. */
static bool *busy_stacks(const struct heat *h)
{
	const struct heat_dimension *state = h->spans ? heat_dimension_find(h, "state") : NULL;
	bool *busy = xcalloc(h->stack_count + 1, sizeof(*busy));

	for (size_t i = 0; i < h->stack_count; i++)
		busy[i] = !state || (state->key_of[i] != HEAT_NONE &&
				     !strcmp(intern_text(&h->names, state->keys[state->key_of[i]].name), RUNNING));
	return busy;
}

/* [stack] its row; HEAT_NONE: it does not count. */
static uint32_t *rows_of_stacks(const struct use *u, const struct heat_choice *choice)
{
	const struct heat *h = u->heat;
	uint32_t *rows = xcalloc(h->stack_count + 1, sizeof(*rows));
	uint8_t *take = choice_stacks(h, choice);
	bool *busy = busy_stacks(h);

	for (uint32_t i = 0; i < h->stack_count; i++)
		rows[i] = take[i] && busy[i] ? row_of_stack(u, i) : HEAT_NONE;
	free(take);
	free(busy);
	return rows;
}

static void add_busy(struct use *u, const struct heat_choice *choice)
{
	const struct heat *h = u->heat;
	const struct heat_axes *a = &u->axes;
	uint32_t *rows = rows_of_stacks(u, choice);
	struct paint p;

	paint_begin(&p, a, u->busy);
	for (size_t i = 0; i < h->event_count; i++) {
		uint32_t row = rows[h->stack[i]];
		uint64_t column = axes_column(a, axis_ns(a, h->time_ns[i]));

		if (row == HEAT_NONE)
			continue;
		if (h->spans)
			paint_add(&p, h->time_ns[i], h->time_ns[i] + span_ns(h, i), row, 1);
		else if (column < a->columns)
			u->busy[column * a->rows + row]++;
	}
	paint_finish(&p);
	free(rows);
}

static void add_unseen(struct use *u)
{
	struct paint p;

	paint_begin(&p, &u->axes, u->unseen);
	for (uint32_t i = 0; i < u->seen.host_count; i++) {
		const struct seen_host *host = &u->seen.hosts[i];

		for (size_t c = 0; c < seen_cpus_of(host); c++)
			seen_paint_gaps(&u->seen, u->heat, i, c, &p, u->cpu_of ? (uint32_t)(host->first + c) : i, 1);
	}
	paint_finish(&p);
}

/* Call fn for each column of one host or CPU. */
static void grid_use_each_column(const struct use *u, uint32_t row, double rate_hz, size_t cpus, use_fn *fn, void *to)
{
	const struct heat_axes *a = &u->axes;
	uint64_t width = a->per_column * a->period_ns * cpus;
	uint64_t rate_mhz = (uint64_t)llround(rate_hz * 1000);
	__uint128_t sample = u->heat->spans ? 1 : (__uint128_t)NS_PER_SEC * 1000;

	for (uint32_t column = 0; column < a->columns; column++) {
		size_t cell = (size_t)column * a->rows + row;
		uint64_t seen = u->unseen[cell] < width ? width - u->unseen[cell] : 0;
		__uint128_t whole = u->heat->spans ? seen : (__uint128_t)rate_mhz * seen;

		if (whole >= sample)
			fn(to, column, u->busy[cell] * sample, whole);
	}
}

void use_each(const struct heat *h, const struct heat_axes *a, const struct heat_choice *choice, use_fn *fn, void *to)
{
	struct use u = { .heat = h, .axes = axes_of_columns(a), .cpu_of = heat_stack_cpus(h) };
	size_t count;

	seen_find(&u.seen, h, choice);
	u.axes.y = HEAT_Y_VALUE;
	u.axes.rows = (uint32_t)(u.cpu_of ? u.seen.cpus : u.seen.host_count);
	count = (size_t)u.axes.rows * u.axes.columns;
	u.busy = xcalloc(count + 1, sizeof(*u.busy));
	u.unseen = xcalloc(count + 1, sizeof(*u.unseen));
	add_busy(&u, choice);
	add_unseen(&u);
	for (uint32_t i = 0; i < u.seen.host_count; i++) {
		const struct seen_host *host = &u.seen.hosts[i];
		size_t cpus = seen_cpus_of(host);

		for (size_t c = 0; u.cpu_of && c < cpus; c++)
			grid_use_each_column(&u, (uint32_t)(host->first + c), host->rate_hz, 1, fn, to);
		if (!u.cpu_of)
			grid_use_each_column(&u, i, host->rate_hz, cpus, fn, to);
	}
	seen_times_free(&u.seen);
	free(u.cpu_of);
	free(u.busy);
	free(u.unseen);
}
