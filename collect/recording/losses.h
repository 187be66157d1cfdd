/* losses: everything that a recording could not hold, counted in one table. */
#ifndef COLLECT_RECORDING_LOSSES_H
#define COLLECT_RECORDING_LOSSES_H

#include <stdint.h>

#include "core/format/recording.h"
#include "core/str.h"

#define LOSS_KEY(key, about) LOSS_##key,
enum recording_loss { RECORDING_LOSS_TABLE(LOSS_KEY) LOSS_COUNT };
#undef LOSS_KEY

/* A source found that much missing.  Several look at the same threads, the same spans of
 * time: it is the most that one of them found. */
void losses_raise(uint64_t losses[LOSS_COUNT], enum recording_loss key, uint64_t count);

/* Append the section RECORDING_LOSSES: every key, also when 0. */
void losses_format(const uint64_t losses[LOSS_COUNT], struct str *out);

/* Tell the user what was lost, a line each, or that nothing was. */
void losses_report(const uint64_t losses[LOSS_COUNT]);

#endif
