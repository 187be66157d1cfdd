/* losses: everything missing from a recording, counted in one table. */
#ifndef COLLECT_RECORDING_LOSSES_H
#define COLLECT_RECORDING_LOSSES_H

#include <stdint.h>

#include "core/format/recording.h"
#include "core/str.h"

#define LOSS_KEY(key, about) LOSS_##key,
enum recording_loss { RECORDING_LOSS_TABLE(LOSS_KEY) LOSS_COUNT };
#undef LOSS_KEY

/* Count an amount as missing from a source.  Since all sources watch the same threads and spans of time, the maximum of
 * their counts is kept. */
void losses_raise(uint64_t losses[LOSS_COUNT], enum recording_loss key, uint64_t count);

/* Append the section RECORDING_LOSSES: every key, even if 0. */
void losses_format(const uint64_t losses[LOSS_COUNT], struct str *out);

/* The collectors that lost spans or missed events: "faults 3, io 2"; empty if there is only one collector, or nothing
 * was lost. */
struct losses_by_source { /* {0} is empty */
	struct str spans, events;
};

/* Report to the user what was lost, one line each, or that nothing was.  by: the collectors that lost it; NULL: there
 * is only one. */
void losses_report(const uint64_t losses[LOSS_COUNT], const struct losses_by_source *by);

void losses_by_source_free(struct losses_by_source *by);

#endif
