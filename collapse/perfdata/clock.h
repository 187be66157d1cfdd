/* clock: converts the times in a recording to wall-clock time. */
#ifndef COLLAPSE_PERFDATA_CLOCK_H
#define COLLAPSE_PERFDATA_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"

/* At time record_ns of the recording, the wall clock showed wall_ns. */
struct clock_anchor {
	uint64_t record_ns, wall_ns;
};

/* {0}: no wall clock is known; times are not converted. */
struct clock {
	struct clock_anchor *anchors; /* ascending */
	size_t count, cap;
	uint64_t within_ns;  /* the clock's time may be wrong by this much; 0: unknown */
	bool unsynchronized; /* nobody keeps it right */
};

/* Read the anchors of our own recordings and the state of their clock, else perf's CLOCK_DATA section. */
void clock_read(struct clock *c, const struct perfdata *d);

/* Convert to nanoseconds since the epoch; record_ns stays the same if c is empty. */
uint64_t clock_wall(const struct clock *c, uint64_t record_ns);

/* By how much the anchors disagree: the largest difference, in ns, between an anchor and the first
 * one. */
int64_t clock_error(const struct clock *c);

void clock_free(struct clock *c);

#endif
