/* window_counts: the counts of window_pairs.h at earlier times, since the flight recorder writes the counts for the
 * time that it keeps. */
#ifndef COLLECT_WINDOWS_WINDOW_COUNTS_H
#define COLLECT_WINDOWS_WINDOW_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#include "core/format/recording.h"

struct window_counts { /* {0} is empty */
	struct counts_then {
		uint64_t ns, counts[RECORDING_WINDOWS_COUNT];
	} * list; /* [count], in order of time */
	size_t count, cap;
};

/* Note the counts at ns, and forget counts that are not needed for from_ns or later. */
void window_counts_note(struct window_counts *w, uint64_t ns, const uint64_t counts[RECORDING_WINDOWS_COUNT],
			uint64_t from_ns);

/* The counts at from_ns, from the last note before that; 0 if they are not known. */
uint64_t window_counts_at(const struct window_counts *w, uint64_t from_ns, enum recording_windows which);

void window_counts_free(struct window_counts *w);

#endif
