/* heat_code: all events of a heat map as text that a script decodes in milliseconds, and
 * the way back to folded lines.
 *
 * The picture contains the profile of all events, as a flame graph does (encode.h: names,
 * colours, tree), and:
 *
 * stacks   for each stack, by number (the most frequent one first): the frame of the tree
 *          that it ends in, times 2, plus 1 if it is idle; then, with several recordings, the
 *          number of its recording.
 * events   in order of time, those of one tick together, by ascending stack:
 *              head: the ticks since the previous group (for the first one: since 0), times
 *              2^group, plus the number of events of the tick less 1 if that is less
 *              than 2^group - 1; else plus 2^group - 1, and then follows the number of
 *              events less 2^group;
 *              for each event its stack, and its value if values differ.
 *          There may be newlines between groups.
 *
 * A row has a whole number of ticks: a cell's border is always a tick's, so that cells are
 * exact; times are rounded down to ticks.  Tick n begins at origin + n * num / den ns.
 * Numbers are those of digits.h.  browser/heat/data.js decodes it. */
#ifndef RENDER_HEAT_CODE_H
#define RENDER_HEAT_CODE_H

#include <stdio.h>

#include "core/str.h"
#include "render/heat/grid.h"

/* The data of the lanes below a map, in its SVG (render/lanes/lanes_strip.h). */
#define HEAT_LANES "heat-lanes"

struct heat_ticks {
	uint64_t origin_ns; /* time of tick 0 since the epoch: the start of the first column's first period */
	uint64_t num, den;  /* a tick is num/den ns; period_ns is a multiple of num, and a
				 * row has whole ticks: period_ns / num * den / rows */
	unsigned group;     /* 0 to 3: see above */
};

/* Choose the finest ticks with which the events take at most this many bytes, else a whole row of
 * the axes (for values and use: 1/50 of a period): 1 ns, 1 us, 10 us, 100 us, 1, 2, 5, 10 ms, ...,
 * or a little less if these do not divide a row.  bytes 0: 600,000 and 2 for each event, so that a
 * minute keeps its ns, an hour of two CPUs at 99 Hz has 1 ms in 1.8 MB, and a day 10 ms in 34 MB.
 * wanted_ns: maximum length of a tick, whatever the size; 0: as bytes allow.  Returns false if the events take more
 * bytes nevertheless. */
bool heat_ticks_choose(struct heat_ticks *t, const struct heat *h, const struct heat_axes *a, uint64_t bytes,
		       uint64_t wanted_ns);

/* Append the events.  Those before the origin are taken to be in tick 0. */
void heat_encode_events(const struct heat *h, const struct heat_ticks *t, struct str *out);

/* frame_of: [profile stack] the tree's frame (tree_wish.frame_of). */
void heat_encode_stacks(const struct heat *h, const uint32_t *frame_of, struct str *out);

/* Does svg[0..len) hold a heat map? */
bool heat_is_in(const char *svg, size_t len);

/* Write the lines from which the heat map svg[0..len) was made: headers, gaps, and events at the times that the picture
 * has (a tick's first ns).  Any bytes are accepted.  Returns 0, or -1 after a message (path names the picture); errors
 * of writing to the file are left to outfile_commit(). */
int heat_unfold(FILE *out, const char *svg, size_t len, const char *path);

#endif
