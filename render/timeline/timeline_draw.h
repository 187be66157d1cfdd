/* timeline_draw: a timeline as a picture.
 *
 *     CPU Tenancy
 *     db1 · sched · 2026-11-21 10:15:02.000 – 10:15:12.000 UTC · 9.98 s
 *     spin-a-4711 changed its CPU most often: 123 times.
 *     node 0, package 0 [0][1] [2][3*]          * isolated
 *                                     10:15:02      10:15:04      10:15:06
 *     spin-a-4711    49.8%  123 moves ######CPU 1########CPU 2######
 *     spin-b-4712    50.1%   98 moves #CPU 0####################
 *
 * The SVG has the data, from which the script draws any part of the window. */
#ifndef RENDER_TIMELINE_DRAW_H
#define RENDER_TIMELINE_DRAW_H

#include <stdio.h>

#include "core/str.h"
#include "render/bars/bars_style.h"
#include "render/drawing/format.h"
#include "render/drawing/heading.h"
#include "render/drawing/page.h"
#include "render/timeline/raster.h"
#include "render/timeline/timeline.h"

enum { TIMELINE_PAD = 10 * CPX };

/* The places of everything in the picture. */
struct timeline_plan {
	const struct timeline *t;
	const struct bars_style *style;
	struct heading heading, details;
	int32_t w, h; /* cpx, as are all lengths below */
	int32_t name_x, name_w;
	int32_t note_x, note_w; /* the words beside a row ("49.8%  123 moves"), right-aligned */
	int32_t bar_x, bar_w;   /* the window */
	int32_t legend_y, axis_y, rows_y, details_y;
	int32_t stalls_h;          /* height of the strip between axis and rows; 0: no stalls */
	const char *kind;          /* of the picture (picture.h) */
	size_t shown;              /* rows that are drawn */
	int32_t *row_y;            /* of each row shown */
	struct str *names, *notes; /* of each row, as shown */
	struct timeline_group {    /* lines between rows: "node 0, package 1" */
		int32_t y;
		const struct topology_cpu *cpu;
	} * groups;
	size_t group_count;
	struct marks marks;
	struct str summary; /* one sentence: what stands out */
	size_t short_marks; /* marks of spans shorter than a pixel */
};

/* kind: of the picture. */
void timeline_plan_make(struct timeline_plan *p, const struct timeline *t, const struct bars_style *style,
			const char *kind);
void timeline_plan_free(struct timeline_plan *p);

void timeline_draw(const void *plan, struct canvas *c);

/* Draw the legend from y downwards, or only measure it if c is NULL.  Returns where it ends. */
int32_t timeline_legend(const struct timeline_plan *p, struct canvas *c, int32_t y);

/* Draw the strip of stalls. */
void timeline_draw_stalls(const struct timeline_plan *p, struct canvas *c);

/* Where a moment of the window is. */
int32_t timeline_x(const struct timeline_plan *p, uint64_t ns);

/* The plan must outlive it. */
struct drawing timeline_drawing(const struct timeline_plan *p);

/* The colour of a kind. */
uint32_t timeline_rgb(const struct timeline_plan *p, uint32_t kind);

/* The colour of time without spans, for canvas_tint(). */
#define TIMELINE_TRACK_PART 0.07

/* Append "CPU 3", with marks for an isolated one ("*") and one in nohz_full ("°"). */
void timeline_cpu_add(struct str *out, const struct timeline *t, uint32_t name, const struct topology_cpu *cpu);

/* Write a picture of this kind to path, NULL is stdout.  Returns 0, or -1 after a message. */
int timeline_write(const struct timeline *t, const struct bars_style *style, const char *kind, const char *path);

/* The scripts and styles in pictures of timelines. */
extern const struct page timeline_page;

/* ---- Sentences about a timeline's rows ---- */

/* Append the name of a row of an arranged timeline, as it is shown. */
void timeline_row_name(const struct timeline *t, const struct timeline_row *row, struct str *out);

/* Append "49.80% · 123 moves" or, if kinds are states, "31.00% waiting · 60.20% running", which are shares of the
 * window. */
void timeline_row_note(const struct timeline *t, const struct timeline_row *row, struct str *out);

/* Append the name of the thread that had the CPU while another waited, or "an idle CPU". */
void timeline_by_add(struct str *out, const struct timeline *t, uint32_t by);

/* Append "3 threads waited 202 ms; cache-refresher ran rebuild_index"; brief: without the function; short: "3 waited
 * 202 ms". */
enum timeline_stall_words { STALL_WHOLE, STALL_BRIEF, STALL_SHORT };
void timeline_stall_add(struct str *out, const struct timeline *t, const struct timeline_stall *stall,
			enum timeline_stall_words how);

/* Append a sentence: what stands out. */
void timeline_sum_up(const struct timeline *t, struct str *out);

#endif
