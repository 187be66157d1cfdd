/* parallelism_lane: the quantities over time of a recording that are not in its samples: the parallelism, where it has the
 * switches of threads (collapse/sched/running.h). */
#ifndef COLLAPSE_VIEWS_PARALLELISM_LANE_H
#define COLLAPSE_VIEWS_PARALLELISM_LANE_H

#include "collapse/views/reading.h"

/* --lanes is asked for: if d can have a parallelism, but no event for lanes, add one.  Call it after
 * derived_add_events(). */
void parallelism_lane_add_event(struct perfdata *d);

/* Add the values to r->gather.  Returns 0, or -1 after a message. */
int parallelism_lane_read(struct reading *r);

#endif
