/* anchors: pairs of wall-clock and CLOCK_MONOTONIC times. */
#ifndef COLLECT_MACHINE_ANCHORS_H
#define COLLECT_MACHINE_ANCHORS_H

#include <stdint.h>

#include "core/str.h"

struct anchor {
	uint64_t monotonic_ns, realtime_ns;
};

struct anchors { /* {0}: none yet */
	struct anchor first, last;
	uint64_t steps;  /* how often the wall clock was set during the recording */
	struct str text; /* text of the section RECORDING_CLOCKS */
};

uint64_t monotonic_ns(void);

/* How much later the wall clock is, good to microseconds. */
int64_t wall_ahead_ns(void);

/* Add an anchor. */
void anchors_take(struct anchors *a);

/* The same for a moment that has just passed. */
void anchors_take_at(struct anchors *a, uint64_t at_ns);

/* Forget anchors and steps before from_ns; the first anchor that remains becomes the first. */
void anchors_cut(struct anchors *a, uint64_t from_ns);

void anchors_free(struct anchors *a);

#endif
