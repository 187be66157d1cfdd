/* doubts: describes in words what is missing in a chart, according to its header's losses=.
 *
 *     late reads 1, throttled 40, stacks cut 3    of 12,345 samples
 *     -> alarm: nothing; details: "Buffer over half full once; nothing lost", "Throttled 40 times", "3 stacks cut"
 *
 * A loss is an alarm, and red, only if it can change what the chart says: a hundredth of the samples, a twentieth of
 * the stacks, or a loss whose size is unknown.  All other losses are details, and grey. */
#ifndef RENDER_DRAWING_DOUBTS_H
#define RENDER_DRAWING_DOUBTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"
#include "render/profile/source.h"

/* "throttled 3", "broken user stacks 3 of 80", "file cut off". */
struct doubt {
	char *what;
	uint64_t count, of; /* 0: not counted */
};

struct doubts { /* {0} is empty */
	struct doubt *items;
	size_t count, cap;
	uint64_t lost, samples; /* how many samples were dropped, and how many there were in all; samples 0: unknown */
};

/* Add the losses of a header. */
void doubts_add(struct doubts *d, const struct folded_source *source);

/* Does a loss change conclusions? */
bool doubt_is_alarm(const struct doubts *d, const struct doubt *doubt);

/* Is the loss about stacks, rather than about samples? */
bool doubt_is_of_stacks(const struct doubt *doubt);

/* Append it for people: "3 stacks cut". */
void doubt_say(const struct doubts *d, const struct doubt *doubt, struct str *out);

/* The same for the samples that were dropped: "Lost 3 of 12,345 samples (0.02%)"; nothing if there are none. */
bool doubts_lost_is_alarm(const struct doubts *d);
void doubts_say_lost(const struct doubts *d, struct str *out);

/* Are there so many frames without a name that conclusions could change? */
bool doubts_nameless_is_alarm(uint64_t part, uint64_t whole);

/* Append "28 spans were unfinished: they count until the end of the recording."; nothing if all had ended. */
void doubts_say_open(const struct folded_source *source, struct str *out);

void doubts_free(struct doubts *d);

#endif
