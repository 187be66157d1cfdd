/* grid_parts: what the files grid_*.c share. */
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

/* The column of a time on the axis; if the result is columns or more, the time is outside the window. */
static inline uint64_t axes_column(const struct heat_axes *a, uint64_t on_axis)
{
	uint64_t period = on_axis / a->period_ns;

	return period < a->first ? UINT64_MAX : (period - a->first) / a->per_column;
}

/* Clip start_ns..end_ns on the axis to the window; returns false if nothing is left. */
bool axes_clip(const struct heat_axes *a, uint64_t *start_ns, uint64_t *end_ns);

/* The beginning of the window on the axis. */
uint64_t axes_start(const struct heat_axes *a);
uint64_t axes_end(const struct heat_axes *a);

/* The row of a value within low .. high. */
uint32_t axes_value_row(const struct heat_axes *a, uint64_t value);
uint32_t axes_offset_row(const struct heat_axes *a, uint64_t on_axis);

/* The axes a, but with only one row, which covers the whole period. */
struct heat_axes axes_of_columns(const struct heat_axes *a);

/* Are both recordings of one host? */
bool is_of_host(const struct heat *h, uint32_t recording, uint32_t other);

/* [stack] 1: chosen.  The caller frees it. */
uint8_t *choice_stacks(const struct heat *h, const struct heat_choice *choice);

/* The length of an event: for spans in ns, rounded down; else 0. */
uint64_t span_ns(const struct heat *h, size_t event);

/* ---- grid_paint.c ---- */

/* Spans of time that are painted over cells.  For a run of whole columns, only the ends are noted, for paint_finish()
 * to sum up, so that a long span is as fast as a short one. */
struct paint {
	const struct heat_axes *axes;
	uint64_t *cells; /* [column * rows + row], the caller's */
	int64_t *whole;  /* [column * rows + row], HEAT_Y_OFFSET: [column]: how many more spans cover this whole column
			  * than cover the whole previous column */
	bool by_offset;  /* a span covers offsets of periods; else it is in one row */
};

void paint_begin(struct paint *p, const struct heat_axes *a, uint64_t *cells);

/* Add weight * the part of start_ns..end_ns (since the epoch) in each cell.  row is ignored if by_offset. */
void paint_add(struct paint *p, uint64_t start_ns, uint64_t end_ns, uint32_t row, uint64_t weight);

void paint_finish(struct paint *p);

/* ---- grid_seen.c ---- */

/* The observed CPUs: those of the chosen hosts, host by host. */
struct seen_times {
	struct seen_host {
		uint32_t *recordings; /* of this host, sorted by start */
		size_t recording_count, cap;
		uint32_t *cpus; /* ascending; none: unknown, so that the host counts as one CPU */
		size_t cpu_count;
		size_t first;   /* the place of its first CPU among all */
		bool absent;    /* the host does not have the requested CPU */
		double rate_hz; /* the fastest of its recordings */
	} * hosts;
	size_t host_count, cpus;       /* of all hosts */
	uint32_t *host_of;             /* [recording] HEAT_NONE: host not chosen */
	const struct heat_axes *cells; /* a recording whose begin or end is unknown covers the whole cell of these axes
				        * there; NULL: it covers only the time from its first to its last event */
};

/* [stack] the number of its CPU; HEAT_NONE: it has none.  Returns NULL if no stack has one.  The caller frees
 * it. */
uint32_t *heat_stack_cpus(const struct heat *h);

/* The number of CPUs to assume: one if it is unknown. */
static inline size_t seen_cpus_of(const struct seen_host *host)
{
	return host->absent ? 0 : host->cpu_count ? host->cpu_count : 1;
}

void seen_find(struct seen_times *s, const struct heat *h, const struct heat_choice *choice);
void seen_times_free(struct seen_times *s);

/* The place of a CPU among all CPUs; HEAT_NONE if it was not observed. */
uint32_t seen_cpu(const struct seen_times *s, uint32_t recording, uint32_t cpu);

/* Paint (see paint_add()) the times when CPU c of the host (by its place, from 0) was not observed. */
void seen_paint_gaps(const struct seen_times *s, const struct heat *h, uint32_t host, size_t c, struct paint *p,
		     uint32_t row, uint64_t weight);

/* Do all gaps of the host affect all of its CPUs? */
bool seen_alike(const struct seen_times *s, const struct heat *h, uint32_t host);

/* ---- grid_use.c ---- */

enum { USE_WHOLE = 10000 }; /* one CPU, all of the time */

/* Called for each column and CPU whose use is known: part of whole was busy. */
typedef void use_fn(void *to, uint32_t column, __uint128_t part, __uint128_t whole);
void use_each(const struct heat *h, const struct heat_axes *a, const struct heat_choice *choice, use_fn *fn, void *to);

#endif
