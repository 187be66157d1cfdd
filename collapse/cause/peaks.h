/* peaks: which quantities over time (lanes) were at their extreme in some stretch of time. */
#ifndef COLLAPSE_CAUSE_PEAKS_H
#define COLLAPSE_CAUSE_PEAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/roots/lane_names.h"
#include "collapse/perfdata/sample.h"

struct lane_sample {
	uint32_t lane;           /* number in RECORDING_LANES */
	uint64_t time_ns, value; /* wall clock; in thousandths of the unit */
};

struct lane_samples { /* {0} is valid and empty */
	struct lane_sample *items;
	size_t count, cap;
};

void lane_samples_add(struct lane_samples *all, const struct recorded_sample *s, uint64_t time_ns);

/* Sort the values by lane and time. */
void lane_samples_sort(struct lane_samples *all);

struct peak {
	uint32_t lane;
	uint64_t value;       /* the lane's extreme in that time, in thousandths of the unit, as are ... */
	uint64_t least, most; /* ... those of the whole recording */
	bool low;             /* the smallest value is the remarkable one, as for free memory; otherwise the largest
			       * is */
};

enum { PEAKS_MAX = 8 };

/* Find lanes whose extreme between from_ns and to_ns is within a tenth of their range of the recording's extreme, and
 * which are far from that for most of the time.  Returns how many. */
size_t peaks_find(const struct lane_samples *all, const struct lane_names *names, uint64_t from_ns, uint64_t to_ns,
		  struct peak peaks[PEAKS_MAX]);

void lane_samples_free(struct lane_samples *all);

#endif
