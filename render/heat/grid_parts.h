/* grid_parts: what the grid_*.c share. */
#ifndef RENDER_HEAT_GRID_PARTS_H
#define RENDER_HEAT_GRID_PARTS_H

#include "render/heat/grid.h"

/* The time on the axis: epoch_ns in the axes' zone. */
static inline uint64_t axis_ns(const struct heat_axes *a, uint64_t epoch_ns)
{
	if (a->zone_ns < 0)
		return epoch_ns > (uint64_t)-a->zone_ns ? epoch_ns + (uint64_t)a->zone_ns : 0;
	return epoch_ns < UINT64_MAX - (uint64_t)a->zone_ns ? epoch_ns + (uint64_t)a->zone_ns : UINT64_MAX;
}

/* The column of a time on the axis; columns or more: outside the window. */
static inline uint64_t axes_column(const struct heat_axes *a, uint64_t on_axis)
{
	uint64_t period = on_axis / a->period_ns;

	return period < a->first ? UINT64_MAX : (period - a->first) / a->per_column;
}

/* The part of start_ns..end_ns on the axis that is in the window; false: there is none. */
bool axes_clip(const struct heat_axes *a, uint64_t *start_ns, uint64_t *end_ns);

/* Where the window begins and where it ends, on the axis. */
uint64_t axes_start(const struct heat_axes *a);
uint64_t axes_end(const struct heat_axes *a);

/* The row of a value that is in low .. high, and that of a time on the axis. */
uint32_t axes_value_row(const struct heat_axes *a, uint64_t value);
uint32_t axes_offset_row(const struct heat_axes *a, uint64_t on_axis);

/* a's columns with one row, which has all of the period. */
struct heat_axes axes_of_columns(const struct heat_axes *a);

/* Are both recordings of one host? */
bool is_of_host(const struct heat *h, uint32_t recording, uint32_t other);

/* [stack] 1: the choice has it.  The caller frees it. */
uint8_t *choice_stacks(const struct heat *h, const struct heat_choice *choice);

/* How long the event is: for spans its ns, rounded down; else 0. */
uint64_t span_ns(const struct heat *h, size_t event);

/* ---- grid_paint.c ---- */

/* Spans of time painted over cells.  Whole columns are noted at their ends only, and summed up
 * by paint_finish(), so that a long span costs no more than a short one. */
struct paint {
	const struct heat_axes *axes;
	uint64_t *cells; /* [column * rows + row], the caller's */
	int64_t *whole;  /* [column * rows + row], OFFSET: [column]: more spans than in the
			    * column before that have all of it */
	bool by_offset;  /* else a span is in one row */
};

void paint_begin(struct paint *p, const struct heat_axes *a, uint64_t *cells);

/* Add weight times the part of start_ns..end_ns (since the epoch) in each cell; row is used without offsets. */
void paint_add(struct paint *p, uint64_t start_ns, uint64_t end_ns, uint32_t row, uint64_t weight);

void paint_finish(struct paint *p);

/* ---- grid_seen.c ---- */

/* What was observed: the CPUs of the chosen hosts, host by host. */
struct seen_times {
	struct seen_host {
		uint32_t *recordings; /* of it, by their beginnings */
		size_t recording_count, cap;
		uint32_t *cpus; /* numbers, ascending; none: not known, it counts as one */
		size_t cpu_count;
		size_t first;   /* of its CPUs, among all */
		bool absent;    /* it does not have the requested CPU */
		double rate_hz; /* the fastest of its recordings */
	} * hosts;
	size_t host_count, cpus;       /* of all hosts */
	uint32_t *host_of;             /* [recording] HEAT_NONE: not chosen */
	const struct heat_axes *cells; /* whose cells are seen as a whole where it is not known when a
					* recording began or ended in them; NULL: none */
};

/* [stack] the number of its CPU; HEAT_NONE: it has none.  NULL: no stack has.  The caller
 * frees it. */
uint32_t *heat_stack_cpus(const struct heat *h);

/* How many CPUs to assume: one if it is not known. */
static inline size_t seen_cpus_of(const struct seen_host *host)
{
	return host->absent ? 0 : host->cpu_count ? host->cpu_count : 1;
}

void seen_find(struct seen_times *s, const struct heat *h, const struct heat_choice *choice);
void seen_times_free(struct seen_times *s);

/* The place of a CPU among all; HEAT_NONE when it is not there. */
uint32_t seen_cpu(const struct seen_times *s, uint32_t recording, uint32_t cpu);

/* Paint when CPU c of the host (by its place, from 0) was not seen: see paint_add(). */
void seen_paint_gaps(const struct seen_times *s, const struct heat *h, uint32_t host, size_t c, struct paint *p,
		     uint32_t row, uint64_t weight);

/* Do all gaps of the host affect all of its CPUs? */
bool seen_alike(const struct seen_times *s, const struct heat *h, uint32_t host);

/* ---- grid_use.c ---- */

enum { USE_WHOLE = 10000 }; /* 100 % of a CPU */

/* Call back for each column and CPU with known use: part of whole was busy. */
typedef void use_fn(void *to, uint32_t column, __uint128_t part, __uint128_t whole);
void use_each(const struct heat *h, const struct heat_axes *a, const struct heat_choice *choice, use_fn *fn, void *to);

#endif
