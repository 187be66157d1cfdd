/* bars: turns folded lines into rows of bars: how long each thread was in which state, and which other thread caused
 * this.
 *
 *     # pyrograph: ... root=thread,state,by columns=time,count,longest unit=ns
 *     spin-a-4711/spin-a;preempted;spin-b-4712/spin-b 4980000000 1203 8000000
 *     `----- who ------' `- kind -' `----- by ------' value      count longest
 *
 * The header's root= names the frames, and its columns= the values: the first column is the value; count, longest and
 * migrations are found by name.  Frames that are not roots are ignored.
 *
 * bars_read() makes cells from lines, bars_group() makes rows and kinds from cells, and bars_sort() puts them in
 * order. */
#ifndef RENDER_BARS_H
#define RENDER_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/intern.h"
#include "core/regexp.h"
#include "core/str.h"
#include "render/profile/line.h"
#include "render/profile/source.h"

#define BARS_NOBODY UINT32_MAX /* value of a by that is missing */

struct bars_amount {
	uint64_t value;      /* in units of 10^-decimals */
	uint64_t count;      /* 0 without such a column */
	uint64_t longest;    /* as value */
	uint64_t migrations; /* 0 without such a column */
};

/* The sums of all lines with the same (who, kind, by), which are indexes in names. */
struct bars_cell {
	uint32_t who, kind, by;
	struct bars_amount amount;
};

/* A timed line, kept with bars_wish.spans, which begins at time_ns and lasts for value. */
struct bars_span {
	uint64_t time_ns; /* since the epoch */
	uint32_t who, kind, by;
	uint64_t value;
};

/* Cells of one row, kind and by, merged. */
struct bars_segment {
	uint32_t row, kind; /* in rows, in kinds */
	uint32_t by;        /* a name */
	struct bars_amount amount;
};

struct bars_row {
	uint32_t name;
	uint32_t members;    /* how many names it stands for; more than 1 if it was folded */
	size_t first, count; /* of its segments */
	struct bars_amount amount;
};

struct bars_kind {
	uint32_t name;
	struct bars_amount amount;
	/* The chart sets these: */
	int order;          /* its place from the left */
	const char *group;  /* kinds of one group are next to each other */
	const char *label;  /* its words in the legend, "what: which"; NULL: its name */
	const char *word;   /* in bars and tooltips; NULL: its name */
	const char *about;  /* a longer description for the browser's legend; NULL: none */
	uint32_t rgb, safe; /* safe: for the red-green colour-blind */
	bool wait;          /* something keeps the thread from going on */
	bool graded;        /* the longest single time is of interest: a wait, noise (chart.h) */
};

struct bars {                /* {0} is empty */
	struct intern names; /* raw, as in the lines */
	struct folded_source source;
	struct bars_cell *cells; /* in order of arrival */
	size_t cell_count, cells_cap;
	struct bars_span *spans; /* in order of arrival */
	size_t span_count, spans_cap;
	struct str roots; /* "thread,state,by": the roots that make rows, then all others */
	unsigned decimals;
	bool has_count, has_longest, has_migrations; /* the input has such a column */
	bool timed;                                  /* some lines were */
	bool of_cpus;                                /* names such as cpu3 are shown as "CPU 3" */
	uint64_t lines, bad_lines, filtered_lines;
	uint32_t *row_of; /* [name of a who] the name of its row */
	size_t row_of_cap;
	uint32_t *slots; /* finds cells while lines are read: cell + 1 */
	size_t slot_count;

	/* bars_group() sets these: */
	struct bars_row *rows; /* by arrival, until bars_sort() */
	size_t row_count;
	struct bars_kind *kinds; /* by arrival */
	size_t kind_count;
	struct bars_segment *segments; /* sorted by row, by place of the kind, and by value, largest first */
	size_t segment_count;
	struct bars_amount amount; /* of all rows */
};

/* How the chart interprets the lines. */
struct bars_wish {
	const char *kind, *by; /* roots: "state", "by"; by may be NULL */
	const char *rows;      /* "comm,thread": the roots that rows are; NULL: all others */
	const char *unsaid;    /* "thread,state,by": the roots if the header does not name them */
	const char *collapse;  /* options of collapse that make such lines: "--states " */
	const char *verb;      /* "states": pyrograph render VERB draws them */
	/* Can a kind of this name have a by?  NULL: any can. */
	bool (*has_by)(const char *kind, size_t len);
	/* Is this name allowed for a kind?  NULL: all are. */
	bool (*is_kind)(const char *kind, size_t len);
	bool spans; /* keep timed lines in bars.spans as well */
	struct line_filter lines;
};

/* Add the lines of path ("-" is stdin).  A bad line is reported, skipped and counted.
 * Exits 2 if the header's roots lack a requested one.  Returns 0, or -1 after a message if the file could not be read,
 * or its unit differs from that of earlier lines. */
int bars_read(struct bars *b, const char *path, const struct bars_wish *wish);

/* Which names are merged, so that they share a row, and count as one by. */
struct bars_folding {
	bool pools;                     /* names that differ only in a number at the end: "worker-*" */
	bool commands;                  /* threads of all processes of one command: "cpu3;sh-*" */
	struct regexp *const *patterns; /* names that match, shown as their common beginning
					 * with a '*', or as the pattern's text */
	const char *const *texts;
	size_t pattern_count;
};

/* Make rows, kinds and segments of the cells.  May be called again. */
void bars_group(struct bars *b, const struct bars_folding *folding);

/* Let the chart set order, group, rgb and safe of the kinds, then sort these by order and name.  Kinds of one group
 * must follow each other. */
void bars_dress(struct bars *b, void (*dress)(struct bars_kind *kind, const char *name, size_t len));

/* Sort the rows by before(), then by name (digits in it count as numbers); then sort their
 * segments. */
void bars_sort(struct bars *b, bool (*before)(const void *ctx, const struct bars_row *a, const struct bars_row *b),
	       const void *ctx);

/* Compare names (<0, 0, >0) with digits as numbers: "dw-9" comes before "dw-10". */
int bars_compare_names(const struct bars *b, uint32_t one, uint32_t other);

/* The longest time that a row of one thread can have: from the header's start to its end, or the longest row if
 * that is longer or the header has no times.  In the values' units, which must be ns for the header's times to
 * count. */
uint64_t bars_window(const struct bars *b);

/* Are the values nanoseconds? */
bool bars_in_ns(const struct bars *b);

/* The unit of the values; "samples" if no header names one. */
const char *bars_unit(const struct bars *b);

/* How a name is shown: a main thread as its process, "spin-4711".  Its name is "spin-4711/spin" or, if several threads
 * have the same name, to which collapse then appends tids, "spin-4711/spin-4711"; either may follow other roots:
 * "host;spin-4711/spin".  Returns the length of the part that is shown. */
size_t bars_shown_len(const char *name, size_t len);

/* a += b: adds the sums, and keeps the longer longest. */
void bars_amount_add(struct bars_amount *a, const struct bars_amount *b);

void bars_free(struct bars *b);

/* ---- between the files of the model ----------------------------------------- */

/* The cell of these three names, a new one if there is none. */
struct bars_cell *bars_cell_of(struct bars *b, uint32_t who, uint32_t kind, uint32_t by);

/* Convert all values to the finer unit 10^-decimals.  Returns false if their sum would be too
 * large. */
bool bars_refine(struct bars *b, unsigned decimals);

/* Sort the segments, and assign them to their rows, whose counts must be 0 at first. */
void bars_order_segments(struct bars *b);

/* The folded lines of a bar chart, from the data in the picture (chart_svg.c).
 * Pictures are not trusted: any input gives lines or an error. */

/* Does the picture svg[0..len) hold such data? */
bool bars_are_in(const char *svg, size_t len);

/* Write the picture's header and its lines, sorted.  Rows that were folded into one stay one.  Returns
 * 0, or -1 after a message (path names the picture); outfile_commit() reports write errors. */
int bars_unfold(FILE *out, const char *svg, size_t len, const char *path);

#endif
