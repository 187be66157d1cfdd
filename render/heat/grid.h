/* grid: events counted in cells.
 *
 * HEAT_Y_OFFSET: time on both axes.  With t = ns since the epoch + zone_ns
 *     p = t / period_ns                          the period that contains t
 *     column = (p - first) / per_column          first: the period in which the window begins
 *     row = t % period_ns * rows / period_ns     from the bottom up
 * in whole numbers, rounded down.
 * HEAT_Y_VALUE: columns as above, rows by value: linear, (value - low) / step, where the last
 *     row includes its upper border; or logarithmic, where row r begins at
 *     low * (high / low)^(r / rows), less 1e-12 of that, rounded up.  Values outside
 *     low .. high are counted as below or above.
 * HEAT_Y_UTILIZATION: columns as above, rows by the share of time in which a CPU was busy in
 *     a column; the cell counts CPUs.  For samples, the share is the number of samples that
 *     are not idle, divided by the expected number (rate * observed time); for spans, it is
 *     their share of that time (with a dimension "state", only of spans that are "running").
 *     row = share * rows; 100 % and more is in the last row.  A CPU counts where at least
 *     one of its samples is expected (for spans: where anything was observed).  Without a
 *     dimension "cpu", all CPUs of a host together count as one.  Values are in 1/10000 of a
 *     CPU.
 *
 * Nothing gets lost: sum(cells) + below + above is the sum over all events in the window (except with HEAT_LONGEST,
 * where below and above are maxima). browser/heat/grid.js computes the same. */
#ifndef RENDER_HEAT_GRID_H
#define RENDER_HEAT_GRID_H

#include "render/heat/heat.h"

enum heat_y { HEAT_Y_OFFSET, HEAT_Y_VALUE, HEAT_Y_UTILIZATION };

enum heat_weigh {
	HEAT_EVENTS,  /* a cell counts events where they begin */
	HEAT_VALUES,  /* a cell adds up the values of the events that begin in it */
	HEAT_PAINTED, /* a cell adds up the ns of spans within it; without spans, the same as HEAT_VALUES */
	HEAT_LONGEST, /* a cell has the largest value of the events that begin in it, and so has the whole grid */
};

struct heat_axes {
	enum heat_y y;
	enum heat_weigh weigh;
	uint64_t period_ns, per_column;
	int64_t zone_ns;        /* to be added to UTC */
	uint64_t first;         /* see above; columns begin with whole periods */
	uint32_t columns, rows; /* at least 1 */

	/* HEAT_Y_VALUE: */
	bool logarithmic;   /* rows are equal factors from low (> 0) to high */
	uint64_t low, high; /* in the values' units; high is in the last row */
	uint64_t step;      /* linear: the height of a row, at least 1 */
};

struct heat_cell {
	uint32_t column, row;
};

/* Chooses the events that a grid counts: all that are not idle, or some of these. */
struct heat_choice {           /* {0}: all events that are not idle */
	bool idle;             /* idle stacks instead of the others */
	const uint8_t *stacks; /* [stack] not 0: chosen; NULL: all are */
	uint32_t recording;    /* with one_recording: only the host of this recording counts */
	bool one_recording;
	uint32_t cpu; /* with one_cpu: only this CPU's unobserved times count; `stacks` must select the CPU's stacks */
	bool one_cpu;
};

struct heat_grid { /* {0} is empty */
	struct heat_axes axes;
	uint64_t *cells;       /* [column * rows + row] */
	uint64_t total;        /* sum of cells; HEAT_LONGEST: the largest */
	uint64_t below, above; /* HEAT_Y_VALUE: the sums outside low .. high */
	uint64_t largest;      /* the largest cell */
};

/* Set first and columns so that the window contains from_ns up to, but not including, to_ns: at least one
 * column. */
void heat_axes_window(struct heat_axes *a, uint64_t from_ns, uint64_t to_ns);

/* The cell of an event; false when it is in none. */
bool heat_cell_of(const struct heat_axes *a, uint64_t time_ns, uint64_t value, struct heat_cell *cell);

/* When a column begins: ns since the epoch. */
uint64_t heat_column_ns(const struct heat_axes *a, uint64_t column);

/* The lower border of a row: ns from the period's beginning, rounded up, or a value.  The border of row `rows`
 * is the upper end. */
uint64_t heat_row_border(const struct heat_axes *a, uint32_t row);

void heat_grid_make(struct heat_grid *g, const struct heat *h, const struct heat_axes *a,
		    const struct heat_choice *choice);
void heat_grid_free(struct heat_grid *g);

/* Make several grids in one pass.  grid_of[stack]: the number of the stack's grid; HEAT_NONE: in no grid. */
void heat_grids_make(struct heat_grid *grids, size_t count, const struct heat *h, const struct heat_axes *a,
		     const struct heat_choice *choice, const uint32_t *grid_of);

/* [columns * rows] the part of each cell that was not observed, in 1/1000 of its time and its CPUs (those of all chosen
 * hosts): the time before the recording began, after it ended, and in gaps.  1000: the whole cell; any part above 0 is
 * at least 1.  Recordings of one host count as one: a time is observed if any of them covers it, outside of its gaps.
 * With HEAT_Y_VALUE and HEAT_Y_UTILIZATION, all rows of a column are equal.  The caller frees it. */
uint16_t *heat_unseen(const struct heat *h, const struct heat_axes *a, const struct heat_choice *choice);

/* The number of the CPU that a frame names: 12 for "cpu12"; HEAT_NONE: it does not name a CPU. */
uint32_t heat_cpu_number(const char *name);

/* [columns] the value that percent (0 to 100) of a column's events do not exceed, by nearest rank among the values
 * themselves rather than the rows; UINT64_MAX: no events.  The caller frees it. */
uint64_t *heat_percentile(const struct heat *h, const struct heat_axes *a, const struct heat_choice *choice,
			  double percent);

/* Returns a number of rows for which each row has the same number of a CPU's samples in a period, or nearly so, and at
 * least one: `wanted` if possible; else the nearest number from least to most; else a smaller number; else a number
 * that gives so many samples to a row that one more is within chance.  If samples were not taken at a single rate,
 * returns wanted. */
uint32_t heat_rows_without_beats(const struct heat *h, const struct heat_axes *a, uint32_t wanted, uint32_t least,
				 uint32_t most);

/* Do the sampling rate and the rows interfere, so that the grid shows stripes that come from sampling alone?
 * If so, appends the reason and a remedy to out, and returns true. */
bool heat_beats(const struct heat *h, const struct heat_axes *a, struct str *out);

#endif
