/* gaps: the stretches of time in which BPF programs found their ring full: the section
 * RECORDING_GAPS (core/format/recording.h).  What the kernel loses it tells itself, in LOST
 * records. */
#ifndef COLLECT_RUN_GAPS_H
#define COLLECT_RUN_GAPS_H

#include <stddef.h>
#include <stdint.h>

#include "collect/run/source.h"
#include "core/str.h"

enum { GAPS_SOURCES_MAX = 8 };

struct gaps {                   /* {0}: nothing was looked at yet */
	struct str text;        /* the section, but for what goes on */
	uint64_t looked_ns;     /* CLOCK_MONOTONIC */
	struct open_gap {
		uint64_t start_ns, end_ns;
		uint64_t lost;  /* in it; 0: there is none */
		uint64_t before; /* lost until then */
	} open[GAPS_SOURCES_MAX];
};

/* Now it is now_ns: what was lost since the last look was lost in between. */
void gaps_look(struct gaps *g, const struct source *const *sources, size_t count, uint64_t now_ns);

/* After the last look: the section is complete. */
void gaps_finish(struct gaps *g, const struct source *const *sources, size_t count);

void gaps_free(struct gaps *g);

#endif
