/* gaps: periods in which BPF programs found their ring full: the section RECORDING_GAPS
 * (core/format/recording.h).  The kernel reports its own losses, in LOST records. */
#ifndef COLLECT_RUN_GAPS_H
#define COLLECT_RUN_GAPS_H

#include <stddef.h>
#include <stdint.h>

#include "collect/run/source.h"
#include "core/str.h"

enum { GAPS_SOURCES_MAX = 16 };

struct gaps {               /* {0}: not yet started */
	struct str text;    /* text of the section, without open gaps */
	uint64_t looked_ns; /* CLOCK_MONOTONIC: the last call */
	struct open_gap {
		uint64_t start_ns, end_ns;
		uint64_t lost;   /* spans lost in this gap; 0: no gap is open */
		uint64_t before; /* spans lost before this gap */
	} open[GAPS_SOURCES_MAX];
};

/* Compare the losses at now_ns with those of the last call: new ones happened in between. */
void gaps_look(struct gaps *g, const struct source *const *sources, size_t count, uint64_t now_ns);

/* Complete the section, after the last look. */
void gaps_finish(struct gaps *g, const struct source *const *sources, size_t count);

/* Another recording begins, and earlier gaps do not belong to it. */
void gaps_clear(struct gaps *g);

/* Forget those that ended before that time. */
void gaps_cut(struct gaps *g, uint64_t before_ns);

void gaps_free(struct gaps *g);

#endif
