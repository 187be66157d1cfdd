/* grid: events counted in cells.
 *
 * HEAT_Y_OFFSET: time on both axes.  With t = ns since the epoch + zone_ns
 *     p = t / period_ns                    the period that it is in
 *     column = (p - first) / per_column    (first: the period of the window's beginning)
 *     row = t % period_ns * rows / period_ns     from the bottom on
 * all in whole numbers, rounded down: column and row are of the same moment.
 * HEAT_Y_VALUE: columns are the same; row by value: linear
 *     (value - low) / step, or logarithmic; the last row has its upper border in it.
 *     Row r of a logarithmic axis begins at low * (high / low)^(r / rows), less 1e-12 of that,
 *     rounded up.  What is outside low .. high is below or above.
 * HEAT_Y_UTILIZATION: for each column and CPU the share of its expected samples (rate *
 *     time that was seen) that was not idle, or, for spans, that share of the time; row = share
 *     * rows, 100 % and more in the last one.  The cell counts CPUs.  A CPU counts where at
 *     least one of its samples is expected (for spans: where anything was seen); without a
 *     dimension "cpu", a host with all of its CPUs counts as one.  For spans with a dimension
 *     "state", the time of those that are "running" is busy.  Values are in 1/10000 of a CPU.
 *
 * Cells add up: sum(cells) + below + above == what was put in, of events in the window.
 * browser/heat/grid.js does the same. */
#ifndef RENDER_HEAT_GRID_H
#define RENDER_HEAT_GRID_H

#include "render/heat/heat.h"

enum heat_y { HEAT_Y_OFFSET, HEAT_Y_VALUE, HEAT_Y_UTILIZATION };

enum heat_weigh {
	HEAT_EVENTS,  /* a cell counts events where they begin */
	HEAT_VALUES,  /* ... adds up their values */
	HEAT_PAINTED, /* for spans: the ns that are in the cell; else as values */
};

struct heat_axes {
	enum heat_y y;
	enum heat_weigh weigh;
	uint64_t period_ns, per_column;
	int64_t zone_ns;        /* to be added to UTC */
	uint64_t first;         /* see above; in periods, as all columns begin with whole ones */
	uint32_t columns, rows; /* at least 1 */

	/* HEAT_Y_VALUE: */
	bool logarithmic;   /* rows are equal factors from low (> 0) to high */
	uint64_t low, high; /* in the values' units; high is in the last row */
	uint64_t step;      /* linear: of a row, at least 1 */
};

struct heat_cell {
	uint32_t column, row;
};

/* What a grid is made of: all that is not idle, or some of it. */
struct heat_choice {           /* {0}: everything but idle */
	bool idle;             /* idle stacks instead of the others */
	const uint8_t *stacks; /* [stack] not 0: this one; NULL: all */
	uint32_t recording;    /* with one_recording: only of this one's host */
	bool one_recording;
	uint32_t cpu; /* with one_cpu: only what this CPU did not see is unseen; stacks
				 * must select its stacks */
	bool one_cpu;
};

struct heat_grid { /* {0} is empty */
	struct heat_axes axes;
	uint64_t *cells;       /* [column * rows + row] */
	uint64_t total;        /* of cells */
	uint64_t below, above; /* HEAT_Y_VALUE: what lies outside low .. high, weighed alike */
	uint64_t largest;      /* cell */
};

/* The number of columns needed for from_ns to to_ns (which is excluded), at least one. */
void heat_axes_window(struct heat_axes *a, uint64_t from_ns, uint64_t to_ns);

/* The cell of an event; false when it is in none. */
bool heat_cell_of(const struct heat_axes *a, uint64_t time_ns, uint64_t value, struct heat_cell *cell);

/* When a column begins, and an offset row within it: ns since the epoch (zone taken off). */
uint64_t heat_column_ns(const struct heat_axes *a, uint64_t column);

/* The lower border of a row: ns from the period's beginning, rounded up, or a value; that of
 * row `rows` is the upper end. */
uint64_t heat_row_border(const struct heat_axes *a, uint32_t row);

void heat_grid_make(struct heat_grid *g, const struct heat *h, const struct heat_axes *a,
		    const struct heat_choice *choice);
void heat_grid_free(struct heat_grid *g);

/* Several grids in one pass: grid_of[stack] is the number of the stack's grid; HEAT_NONE: none. */
void heat_grids_make(struct heat_grid *grids, size_t count, const struct heat *h, const struct heat_axes *a,
		     const struct heat_choice *choice, const uint32_t *grid_of);

/* [columns * rows] how much of each cell was not seen, in 1/1000 of its time and its CPUs
 * (of all hosts that are chosen): before the recording began, after it ended, in gaps.
 * Recordings of one host count as one: what any of them saw was seen, except its gaps.  1000:
 * nothing was seen.  Values other than 0 are at least 1.  With HEAT_Y_VALUE and
 * HEAT_Y_UTILIZATION, all rows of a column are equal.  The caller frees it. */
uint16_t *heat_unseen(const struct heat *h, const struct heat_axes *a, const struct heat_choice *choice);

/* The CPU that a frame names: "cpu12" is 12; HEAT_NONE: no CPU. */
uint32_t heat_cpu_number(const char *name);

/* [columns] the value that percent (0 to 100) of a column's events do not exceed: the
 * nearest rank, of the values themselves, not of the rows; UINT64_MAX: it has none.  The caller
 * frees it. */
uint64_t *heat_percentile(const struct heat *h, const struct heat_axes *a, const struct heat_choice *choice,
			  double percent);

/* A number of rows such that each has equally many, or nearly so, and at least one, of a CPU's samples
 * in a period: wanted if possible; else the nearest to it from least to most; else fewer; wanted itself
 * if there is no such number, or samples were not taken at one rate. */
uint32_t heat_rows_without_beats(const struct heat *h, const struct heat_axes *a, uint32_t wanted, uint32_t least,
				 uint32_t most);

/* Do the sampling rate and the rows beat against each other, so that the grid shows stripes that come from
 * sampling alone?  If so, appends why, and what to do, to out, and returns true. */
bool heat_beats(const struct heat *h, const struct heat_axes *a, struct str *out);

#endif
