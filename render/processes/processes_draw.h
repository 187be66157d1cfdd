/* processes_draw: draws processes as bars over time, in rows that form a tree.
 *
 *     Processes
 *     db1 · process · 2026-11-21 10:15:02.000 - 10:15:12.000 UTC
 *                                 10:15:02      10:15:04      10:15:06
 *     make 4700                   ██████████████████████████████████
 *       sh x 412                   ███ ███ ██ ███ ████ ███ ███ ██
 *         cc1 x 412                 ██  ██   █  ██  ██  ██  ██  █
 *
 * Processes of a row that run at the same time are one above the other.  The SVG has all spans, from which the script
 * draws any part of the time. */
#ifndef RENDER_PROCESSES_PROCESSES_DRAW_H
#define RENDER_PROCESSES_PROCESSES_DRAW_H

#include "render/bars/bars_style.h"
#include "render/bars/table.h"
#include "render/drawing/heading.h"
#include "render/drawing/legend.h"
#include "render/drawing/page.h"
#include "render/drawing/time_axis.h"
#include "render/processes/processes.h"

enum { PROCESSES_PAD = 10 * CPX, PROCESSES_INDENT = 12 * CPX, PROCESSES_PATH_RGB = 0xb0127b };

struct processes_plan {
	const struct processes *p;
	const struct bars_style *style;
	struct heading heading, details;
	struct legend legend;
	struct bars_table table;
	struct time_axis axis;
	int32_t w, h; /* cpx */
	int32_t name_w, note_x, rows_y, rows_h, row_h, lane_h, legend_y, table_y, details_y;
	size_t *shown; /* [shown_count]: rows that are drawn; the script has all rows */
	int32_t *tops; /* [shown_count] */
	size_t shown_count;
};

void processes_plan_make(struct processes_plan *plan, const struct processes *p, const struct bars_style *style);
void processes_plan_free(struct processes_plan *plan);

/* The colour of a name; it follows from its letters. */
uint32_t process_rgb(const char *name, size_t len);

/* Append "make 4700", "cc1 x 412"; and "3.2 s CPU". */
void process_row_name(const struct processes *p, const struct process_row *row, struct str *out);
void process_row_note(const struct processes *p, const struct process_row *row, struct str *out);

int32_t process_row_height(const struct processes_plan *plan, const struct process_row *row);

void processes_draw(const void *plan, struct canvas *c);

/* The plan must outlive it. */
struct drawing processes_drawing(const struct processes_plan *plan);

/* Write the picture to path; NULL is stdout.  Returns 0, or -1 after a message. */
int processes_write(const void *processes, const struct bars_style *style, const char *path);

/* The scripts and the style of processes. */
extern const struct page processes_page;

#endif
