/* derived: derives the events `sched` and `offcpu` (core/format/recording.h) for files that have the
 * scheduler's tracepoints instead: those of `perf sched record`, or of `perf record -a -e
 * sched:sched_switch,sched:sched_waking [-g]`.
 *
 * Each derived sample is a single span.  They come from sched:sched_switch, sched_waking,
 * sched_wakeup, sched_wakeup_new and sched_migrate_task; see collapse/sched/switches.h for the limits of what these
 * show.  The stack of a blocked thread is the call chain of its switch.  The stack of its waker is the call chain of
 * sched_waking.  If an interrupt woke the thread, only the part up to the interrupt's entry is used, as in our own
 * recordings; this needs names of the kernel's functions.
 *
 * For our own recordings with only `sched`, the event `offcpu` is derived, too: the time that threads
 * spent in blocked states, without stacks. */
#ifndef COLLAPSE_SCHED_DERIVED_H
#define COLLAPSE_SCHED_DERIVED_H

#include <stdbool.h>

#include "collapse/fold/user_stacks.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/sideband.h"
#include "core/symbols/space/places.h"

/* Add to d the events that can be derived, unless d has events of the same names.  The file has no records of the added
 * events. */
void derived_add_events(struct perfdata *d);

typedef void derived_sink(void *argument, struct recorded_sample *sample);

struct derived_request {
	struct recorded_event *event;   /* a derived one */
	struct recorded_event *blocked; /* with sched: also pass on samples of this event, the derived offcpu; or
					 * NULL */
	bool may_sum;          /* waits for a CPU may be summed over the recording: their times are not needed */
	bool whole_waits;      /* it does not matter which thread had the CPU during a wait; only with may_sum */
	places_source *source; /* for the kernel's names */
	void *source_argument;
	struct user_stacks *user_stacks;
	derived_sink *sink; /* receives all samples, in no particular order; their chains are valid until it returns */
	void *sink_argument;
};

/* Returns 0, or -1 after a message. */
int derived_read(const struct perfdata *d, struct sideband *sideband, const struct derived_request *request);

#endif
