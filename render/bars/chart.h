/* chart: bars as a picture.
 *
 *     Scheduler States                                                      heading
 *     spin-a-4711 waited 49.8% of 10 s for a CPU, 99% of it for spin-b-4712.
 *     db1 · sched · 2026-11-21 10:15:02.000 – 10:15:12.000 UTC · 2 threads
 *     ## preempted  ## running  ## sleeping                                 legend
 *                   0 s        2 s        4 s    ...     waited, mostly for axis
 *     all 2 threads |=========|--------------------|                        totals
 *     spin-a-4711   |=spin-b==|-----------|········| 4.98 s spin-b-4712     rows
 *     spin-b-4712   |=spin-a==|-----------|········| 4.97 s spin-a-4711
 *     37 more       |=========|---------|··········|
 *     Who had the CPU ...                                                   tables
 *
 * A bar is a row's segments, one after the other, on a scale that all rows share: the time of one thread that existed
 * all the time.  A row of several threads (folded, the rest, all) that is longer is drawn as long as the scale.  Groups
 * of kinds are drawn in the order of the kinds.  In a group with usurpers, the segments of one usurper are next to each
 * other, the largest usurper first.  Only the first BARS_TOLD usurpers are shown one by one; the others share one part
 * for each kind, at the end.
 *
 * The file contains the data for a script: see chart_svg.c. */
#ifndef RENDER_BARS_CHART_H
#define RENDER_BARS_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/asset.h"
#include "core/str.h"
#include "render/bars/bars.h"
#include "render/bars/bars_style.h"
#include "render/bars/table.h"
#include "render/drawing/canvas.h"
#include "render/drawing/heading.h"
#include "render/drawing/legend.h"
#include "render/drawing/page.h"

/* One picture to be made, after bars_sort() and bars_dress() have been called. */
struct bars_chart {
	const struct bars *bars;
	const struct bars_style *style;
	const char *kind; /* picture.h: "states" */
	const char *title;
	const char *headline; /* the main finding as a sentence; NULL: none */
	/* Remarks that readers must know; text may be NULL. */
	struct bars_remark {
		const char *text;
		enum text_role role;
	} remarks[2];
	uint64_t full;            /* the value of a full bar, at which longer bars are cut; 0: the window */
	const char *full_words;   /* that value in words, "the most of a source of noise" */
	const char *full_group;   /* the group of kinds whose maximum it is; the sum of all rows has only these kinds */
	const char *many;         /* the word for rows, in the plural: "threads" */
	const char *note_heading; /* heading of the column right of the bars; NULL: no such column */
	const struct str *notes;  /* [bars.row_count], the texts in it */
	const struct bars_table *tables;
	size_t table_count;
	/* Append the meaning of a by to a tooltip, such as "spin-b had the CPU"; may be NULL. */
	void (*tell_by)(struct str *out, const struct bars *b, uint32_t by);
};

/* The layout, made from a struct bars_chart, which must outlive it. */
struct bars_plan {
	const struct bars_chart *chart;
	struct heading heading, details;
	struct legend legend;
	uint64_t scale;    /* the value of a full bar, in the measure that is drawn */
	size_t shown;      /* rows that are drawn one by one: the first ones */
	bool stretched;    /* a row is longer than the scale */
	int32_t piece_min; /* in cpx; narrower parts are drawn together with their neighbours */
	int32_t w, h;      /* all in cpx */
	int32_t row_height;
	int32_t legend_y, axis_y, totals_y, rows_y, tables_y, details_y;
	int32_t name_w, bar_x, bar_w, note_x, note_w;
};

/* Write the picture to the file path ("-" or NULL is stdout), which appears once it is
 * complete.  Returns 0, or -1 after a message. */
int bars_chart_write(const struct bars_chart *chart, const char *path);

/* ---- between the files of the chart ----------------------------------------- */

enum { BARS_PAD = 10 * CPX }; /* margins on the left and right */

enum { BARS_TOLD = 4 }; /* how many threads have parts of their own in a group */

/* A part of a bar: one segment, or several that are too narrow, or whose threads are not shown one by one. */
struct bars_piece {
	int32_t x, w; /* x from where the bar begins */
	struct bars_amount amount;
	const struct bars_segment *segment; /* the largest */
	size_t first, count;                /* its segments, in parts */
	bool more;                          /* segments of one kind, of threads that are not shown one by one */
};

struct bars_pieces {
	struct bars_piece *items; /* from the left to the right */
	size_t count;
	const struct bars_segment **parts;
};

/* The pieces of segments[0..count) as one bar of at most room cpx; freed by the caller with
 * bars_pieces_free(). */
struct bars_pieces bars_pieces(const struct bars_plan *plan, const struct bars_segment *segments, size_t count,
			       int32_t room);
void bars_pieces_free(struct bars_pieces *pieces);

/* The sum of the rows [first, end) of b: a segment for each kind, without a by; freed by the caller. */
struct bars_segment *bars_sum_rows(const struct bars *b, size_t first, size_t end, size_t *count);

void bars_plan_make(struct bars_plan *plan, const struct bars_chart *chart);
void bars_plan_free(struct bars_plan *plan);
void bars_draw(const void *plan, struct canvas *c);

/* The plan must outlive it. */
struct drawing bars_chart_drawing(const struct bars_plan *plan);

/* A kind's name in words. */
const char *bars_word(const struct bars *b, uint32_t kind);

/* Append "preempted: 4.98 s, 49.8% of this row" and more about part p.  parts: its segments; whole: the sum of the
 * row. */
void bars_tip_add(struct str *tip, const struct bars_plan *plan, const struct bars_piece *p,
		  const struct bars_segment *const *parts, uint64_t whole);

/* The colour in which a kind is drawn. */
uint32_t bars_rgb(const struct bars_style *style, const struct bars_kind *kind);

/* The colour of a part of this kind: the kind's, or that of its longest time (grey if that is not graded). */
uint32_t bars_part_rgb(const struct bars_chart *chart, uint32_t kind, const struct bars_amount *amount);

/* Make the legend, either of the kinds that occur, or of the steps from the least to the greatest that occurs. */
void bars_make_legend(struct legend *l, const struct bars_chart *chart);

/* The scripts and styles in pictures of bar charts. */
extern const struct page bars_page;
extern const char *const bars_scripts[]; /* those of bars alone */

/* Colours of parts of bars by the longest time in them.  There is a step for each power of ten, the same in all
 * pictures, so that red parts in two pictures took equally long. */

/* Under 1 us, ... 1 s or longer; of other units: under 10, ... 10^7 or more. */
enum { BARS_STEPS = 8 };

/* The step for a longest time in b. */
size_t bars_step(const struct bars *b, uint64_t longest);

/* The least value of a step, in the units of b's values (10^-decimals). */
uint64_t bars_step_from(const struct bars *b, size_t step);

/* A step's colour; safe: for the red-green colour-blind. */
uint32_t bars_step_rgb(size_t step, bool safe);

/* Append the meaning of a step: "under 1 us", "10 us to 100 us". */
void bars_step_add(struct str *out, const struct bars *b, size_t step);

/* Do the lines have longest times, so that steps can be used? */
bool bars_have_steps(const struct bars *b);

#endif
