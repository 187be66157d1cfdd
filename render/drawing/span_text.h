/* span_text: times of day, and an axis of them. */
#ifndef RENDER_SPAN_TEXT_H
#define RENDER_SPAN_TEXT_H

#include <stdint.h>

#include "core/str.h"

/* Append the UTC time of day with this many (0 to 9) decimals: "10:15:02.014"; -1: without
 * seconds. */
void clock_add(struct str *out, uint64_t epoch_ns, int digits);

/* Append "2026-11-21". */
void date_add(struct str *out, uint64_t epoch_ns);

/* The distance of the ticks of an axis of window_ns with at most count of them (1 or more).  They
 * are at whole multiples of it since the epoch. */
uint64_t tick_step(uint64_t window_ns, unsigned count);

/* The decimals that clock_add() needs for ticks at this distance. */
int tick_digits(uint64_t step_ns);

#endif
