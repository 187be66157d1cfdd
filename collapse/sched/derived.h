/* derived: the events `sched` and `offcpu` (core/format/recording.h) of files that have the
 * scheduler's tracepoints instead: those of `perf sched record`, or of
 * `perf record -a -e sched:sched_switch,sched:sched_waking [-g]`.
 *
 * Their samples are worked out from those of sched:sched_switch, sched_waking,
 * sched_wakeup, sched_wakeup_new and sched_migrate_task, each a single span; see
 * collapse/sched/switches.h for what they cannot tell.  The stack of a blocked thread is the
 * call chain of its switch, that of its waker the call chain of sched_waking, up to where
 * an interrupt came in (as in our own recordings), if the kernel's functions have names.
 *
 * And the event `offcpu` of recordings of ours that have `sched` only: its times in the
 * states of a blocked thread.  They have no stacks. */
#ifndef COLLAPSE_SCHED_DERIVED_H
#define COLLAPSE_SCHED_DERIVED_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/fold/user_stacks.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/sideband.h"
#include "core/symbols/space/places.h"

/* Add the events that can be derived to d, where it has none of that name.  They have
 * no samples of their own. */
void derived_add_events(struct perfdata *d);

typedef void derived_sink(void *argument, struct recorded_sample *sample);

struct derived_request {
	struct recorded_event *event; /* a derived one */
	bool may_sum;                 /* waits for a CPU are summed up over the recording: no times */
	places_source *source;        /* of the kernel's names */
	void *source_argument;
	struct user_stacks *user_stacks;
	derived_sink *sink; /* given all samples of the event, in no order */
	void *sink_argument;
};

/* Returns 0, or -1 after a message. */
int derived_read(const struct perfdata *d, struct sideband *sideband, const struct derived_request *request);

#endif
