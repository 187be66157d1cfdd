/* lanes: quantities over time, from timed lines (core/format/folded.h):
 *
 *     # lane: unit=bytes name=lane;udp;0.0.0.0:5000;depth
 *     @1475682078.014325678 lane;udp;0.0.0.0:5000;depth 81920
 *
 * Any timed lines will do: each distinct stack is a lane.  A lane has its value until the next line.  collect repeats a
 * value that does not change, so a longer pause means that the value is unknown, and nothing is drawn. */
#ifndef RENDER_LANES_LANES_H
#define RENDER_LANES_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "core/intern.h"
#include "core/str.h"
#include "render/rows/rows.h"

/* A value is known for this long after its line, if the lane is one of those that repeat it. */
#define LANES_KNOWN_NS 2500000000ull

enum { LANES_NONE = -1 };

struct lanes_point {
	uint64_t time_ns, value;
	uint32_t lane, decimals;
	size_t number; /* in order of arrival */
};

struct lanes_lane {
	const char *name;    /* frames joined by ';', as in the lines */
	char *unit;          /* "" if there is none; owned */
	size_t first, count; /* its points, by time */
	unsigned decimals;   /* decimals of all its values, which are in units of 10^-decimals */
	uint64_t least, most;
	int limit;      /* the lane of its limit, or LANES_NONE */
	int drops;      /* the lane that counts losses for lack of room, or LANES_NONE */
	bool is_limit;  /* it is drawn in the row of another lane */
	bool is_event;  /* its values are counts of events, each at its moment, such as drops */
	bool is_silent; /* values that stay the same are not repeated, as in a file of the user's own */
};

struct lanes { /* {0} is empty */
	struct rows_input in;
	struct intern names;
	struct lanes_lane *lanes; /* [names.count] */
	size_t lane_cap;
	struct lanes_point *points;
	size_t count, cap;
	uint64_t untimed_lines;
};

/* Add the lines of a file ("-": stdin).  Returns 0, or -1 after a message. */
int lanes_read(struct lanes *l, const char *path, const struct line_filter *filter);

/* Add one line, which may be a comment.  Returns NULL, or what is wrong with it. */
const char *lanes_line(struct lanes *l, const struct line_filter *filter, const char *line, size_t len);

/* Call this after everything was read.  It sorts, and finds the window, cut to from and to if given (as in --from).
 * Returns NULL, or why there is nothing to draw. */
const char *lanes_finish(struct lanes *l, const char *from, const char *to);

/* The same with the window start_ns up to, but not including, end_ns; relative: these do not come from a wall clock. */
const char *lanes_finish_between(struct lanes *l, uint64_t start_ns, uint64_t end_ns, bool relative);

/* The name in the form that is shown: "udp 0.0.0.0:5000 depth" for "udp;0.0.0.0:5000;depth". */
void lanes_name_add(struct str *out, const struct lanes_lane *lane);

/* Append a value of the lane with its unit. */
void lanes_value_add(struct str *out, const struct lanes_lane *lane, uint64_t value);

void lanes_free(struct lanes *l);

/* ---- The lines that an SVG of lanes was made from ---- */

/* As in struct chart_entry. */
bool lanes_is_in(const char *svg, size_t len);
int lanes_unfold(FILE *out, const char *svg, size_t len, const char *path);

/* Write the lines of the lanes whose data is called id (lanes_strip.h).  Returns 0, or -1 after a message. */
int lanes_unfold_data(FILE *out, const char *svg, size_t len, const char *path, const char *id);

#endif
