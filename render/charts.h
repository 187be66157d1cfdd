/* charts: the list of charts, one row for each kind of picture.
 *
 * To add one: a folder that defines its struct chart_entry, NAME_entry, and a row here. */
#ifndef RENDER_CHARTS_H
#define RENDER_CHARTS_H

#include "render/drawing/chart_entry.h"

#define CHARTS(X)   \
	X(flame)    \
	X(heat)     \
	X(states)   \
	X(tenancy)  \
	X(timeline) \
	X(lanes)    \
	X(processes)

extern const struct chart_entry *const charts[]; /* ended by NULL */

/* ---- The verbs of "pyrograph render" that do not draw charts ---- */

/* argv[0] is the verb.  Each returns the exit status. */
int folded_run(int argc, char **argv);
int script_run(int argc, char **argv);

#endif
