/* history_samples: all samples of a recording of which a history is made (collapse/cause/history.h). */
#ifndef COLLAPSE_HISTORY_SAMPLES_H
#define COLLAPSE_HISTORY_SAMPLES_H

#include "collapse/collapse.h"
#include "collapse/sched/derived.h"

/* Pass them to sink: those of events, and those derived from the scheduler's tracepoints, which themselves are none.
 * Returns 0, or -1 after a message. */
int history_samples_read(struct collapse *c, derived_sink *sink, void *argument);

#endif
