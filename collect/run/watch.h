/* watch: "pyrograph watch": the options of continuous recording, and what its levels do (budget.h, watch_windows.h). */
#ifndef COLLECT_RUN_WATCH_H
#define COLLECT_RUN_WATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/run/source.h"
#include "collect/run/watch_windows.h"
#include "core/str.h"

struct watch {
	struct watch_plan plan;
	const char *collectors; /* "cpu,sched,offcpu": all that were asked for */
	int64_t hz;             /* as asked for */
	uint64_t min_ns, duration_ns, end_ns;
	const char *call_graph;
	bool no_watchdog;
	struct str off;
};

/* Parse the options; wrong usage exits 2. */
void watch_parse(struct watch *w, int argc, char **argv);

/* Record in windows until the end, with as many of the first sources as the level allows.  When the level changes, this
 * program is executed anew with the same arguments.  Returns the exit status. */
int watch_run(struct watch *w, const struct source *const *sources, size_t count);

#endif
