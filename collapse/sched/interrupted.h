/* interrupted: which wakings in a trace of the scheduler's events were done by an interrupt
 * (core/symbols/names/interrupts.h), judging by the names in their call chains.  Our own recordings
 * mark them. */
#ifndef COLLAPSE_SCHED_INTERRUPTED_H
#define COLLAPSE_SCHED_INTERRUPTED_H

#include <stdint.h>

#include "collapse/perfdata/sample.h"
#include "core/symbols/space/places.h"

/* {0} is empty.  Note all wakings first, then resolve the names, then query. */
struct interrupted {
	struct places places; /* kernel addresses in their chains */
};

void interrupted_note(struct interrupted *i, const struct recorded_sample *waking);

void interrupted_resolve(struct interrupted *i, const struct modules *modules, places_source *source, void *argument);

/* How many entries of the chain belong to an interrupt, marks included; 0: not woken by one. */
uint64_t interrupted_entries(struct interrupted *i, const struct recorded_sample *waking);

void interrupted_free(struct interrupted *i);

#endif
