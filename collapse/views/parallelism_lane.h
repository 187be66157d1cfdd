/* parallelism_lane: a quantity over time that is computed, not recorded: the parallelism, if the recording has switches
 * of threads (collapse/sched/running.h). */
#ifndef COLLAPSE_VIEWS_PARALLELISM_LANE_H
#define COLLAPSE_VIEWS_PARALLELISM_LANE_H

#include "collapse/views/reading.h"

/* For --lanes: if d can have a parallelism but has no event for lanes, add this event.  Call this after
 * derived_add_events(). */
void parallelism_lane_add_event(struct perfdata *d);

/* Add the parallelism's values to r->gather.  Returns 0, or -1 after a message. */
int parallelism_lane_read(struct reading *r);

#endif
