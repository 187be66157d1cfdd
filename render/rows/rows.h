/* rows: what charts of rows over a common time axis share: reading lines, choosing the window of time, and running
 * their verb.
 *
 *     name-1 |  ####      ##    |        a row each; what is in it is the chart's own
 *     name-2 |     #######      |
 *            start_ns      end_ns        the window */
#ifndef RENDER_ROWS_ROWS_H
#define RENDER_ROWS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "render/bars/bars_style.h"
#include "render/profile/line.h"
#include "render/profile/source.h"

/* Windows must be shorter than this, the most ns that a script can count exactly. */
#define ROWS_NS_MAX ((uint64_t)1 << 53)

struct rows_input { /* {0}: nothing was read */
	struct folded_source source;
	uint64_t start_ns, end_ns;                 /* the window */
	uint64_t lines, bad_lines, filtered_lines; /* without comments and empty ones */
	bool relative;                             /* times are not of a wall clock */
};

/* ---- lines ---- */

enum rows_line { ROWS_NOTHING, ROWS_COMMENT, ROWS_SAMPLE };

/* The kind of line[0..len), which is also counted; a sample that does not pass the filter is nothing. */
enum rows_line rows_line(struct rows_input *in, const struct line_filter *filter, const char *line, size_t len);

/* Takes a line for chart.  Returns NULL, or what is wrong with it. */
typedef const char *rows_take(void *chart, const struct line_filter *filter, const char *line, size_t len);

/* Pass each line of path ("-": stdin) to take.  Returns 0, or -1 after a message. */
int rows_read(struct rows_input *in, const char *path, const struct line_filter *filter, rows_take *take, void *chart);

/* ---- the window ---- */

/* Begin with the times under keys from and to in the header; without these, with an empty window, which is UINT64_MAX
 * to 0. Returns whether the header has them. */
bool rows_window_begin(struct rows_input *in, const char *from, const char *to);

/* ... then widen it to include all recorded times. */
static inline void rows_window_widen(struct rows_input *in, uint64_t from_ns, uint64_t to_ns)
{
	in->start_ns = from_ns < in->start_ns ? from_ns : in->start_ns;
	in->end_ns = to_ns > in->end_ns ? to_ns : in->end_ns;
}

/* ... and set relative. */
void rows_window_end(struct rows_input *in);

/* Cut the window to `from` .. `to` (as in --from; NULL: not given).  Returns NULL, or why nothing is left. */
const char *rows_window_part(const struct rows_input *in, const char *from, const char *to, uint64_t *start_ns,
			     uint64_t *end_ns);

/* Leave out items that are hours away from all others; a message reports them, and they are added to the source's
 * losses. An item has size bytes, and begins with its time_ns.  Returns how many are left. */
size_t rows_leave_strays(struct rows_input *in, const char *what, void *items, size_t count, size_t size);

/* ---- a run ---- */

struct rows_chart {
	const char *kind, *title; /* verb, such as "lanes"; heading, unless the user chooses one */
	/* Add the lines of path ("-": stdin).  Returns 0, or -1 after a message. */
	int (*read)(void *chart, const char *path, const struct line_filter *filter);
	/* All lines were read: find the window, and make rows.  o: the same pointer that rows_run() got, so that a
	 * chart whose options begin with these can use its own options, too.  Returns NULL, or why there is nothing to
	 * draw. */
	const char *(*finish)(void *chart, const struct bars_options *o);
	/* Returns 0, or -1 after a message. */
	int (*write)(const void *chart, const struct bars_style *style, const char *path);
	void (*free)(void *chart);
};

/* Read the inputs into chart, draw it, and free it and o.  chart begins with its struct rows_input.  Returns the exit
 * status. */
int rows_run(const struct rows_chart *kind, void *chart, struct bars_options *o, char **inputs, int count);

#endif
