/* opening: finds whom a collection looks at, waits for them where it is to, and opens its events. */
#ifndef COLLECT_RUN_OPENING_H
#define COLLECT_RUN_OPENING_H

#include "collect/run/collection.h"

/* Find the targets that were asked for; with --wait, wait for one.  Returns 0, or -1 after a message. */
int opening_find(struct collection *c);

/* What was found has ended, with --wait: forget it, say so once, and wait for another.  Returns 0, or -1 after a message. */
int opening_wait_again(struct collection *c);

/* Wait a moment, and find what there is by then.  Returns 0, or -1 after a message: a signal or
 * the time ended the waiting. */
int opening_look_again(struct collection *c);

/* Open the events for the targets, or the command.  Targets that have ended since they were found are left out; if
 * all have, the waiting of --wait goes on.  Returns 0, or -1 after a message. */
int opening_sampler(struct collection *c);

/* Open events on CPUs that came, or came back, since the last call.  Call before rings are drained. */
void opening_follow_cpus(struct collection *c);

#endif
