/* parallelism_lane: the quantities over time of a recording that are not in its samples: the parallelism, where it has the
 * switches of threads (collapse/sched/running.h). */
#ifndef COLLAPSE_PARALLELISM_LANE_H
#define COLLAPSE_PARALLELISM_LANE_H

#include "collapse/collapse.h"

/* If --lanes is asked for and d can have a parallelism, but no event for lanes, add one.  Call it after
 * derived_add_events(). */
void parallelism_lane_add_event(struct perfdata *d, const struct options *o);

/* Add the values to c->gather.  Returns 0, or -1 after a message. */
int parallelism_lane_read(struct collapse *c);

#endif
