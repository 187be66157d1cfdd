/* time_axis: an axis of times of day above rows that share it, and lines through these rows. */
#ifndef RENDER_DRAWING_TIME_AXIS_H
#define RENDER_DRAWING_TIME_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"
#include "render/drawing/canvas.h"

struct time_axis { /* lengths in cpx */
	uint64_t start_ns, end_ns;
	bool relative;  /* times do not come from a wall clock, but count from the start */
	int32_t x, w;   /* of the rows' bars */
	int32_t date_x; /* where the date stands, left of them */
	int32_t y;
	uint64_t step_ns, first_ns; /* made by time_axis_make() */
	int digits;
};

/* Find the closest ticks between which their labels fit. */
void time_axis_make(struct time_axis *a, const struct font *font);

/* Where a moment of the window is. */
int32_t time_axis_x(const struct time_axis *a, uint64_t ns);

/* Draw the axis, as a group with this id. */
void time_axis_draw(const struct time_axis *a, struct canvas *c, const char *id);

/* Draw lines through the rows, from y on, h high. */
void time_axis_draw_grid(const struct time_axis *a, struct canvas *c, int32_t y, int32_t h);

/* ---- Times of day, and an axis of them ---- */

/* Append the UTC time of day with this many (0 to 9) decimals: "10:15:02.014"; -1: without
 * seconds. */
void clock_add(struct str *out, uint64_t epoch_ns, int digits);

/* Append "2026-11-21". */
void date_add(struct str *out, uint64_t epoch_ns);

/* The distance of the ticks of an axis of window_ns with at most count of them (1 or more).  Ticks are at whole
 * multiples of it since the epoch. */
uint64_t tick_step(uint64_t window_ns, unsigned count);

/* The decimals that clock_add() needs for ticks at this distance. */
int tick_digits(uint64_t step_ns);

#endif
