/* opening: finds the targets of a collection, waits for them if asked to, and opens its events. */
#ifndef COLLECT_RUN_OPENING_H
#define COLLECT_RUN_OPENING_H

#include "collect/run/collection.h"

/* Find the targets; with --wait, wait for one.  Returns 0, or -1 after a message. */
int opening_find(struct collection *c);

/* With --wait, when the targets have ended: forget them, say so once, and wait for others.  Returns 0, or -1
 * after a message. */
int opening_wait_again(struct collection *c);

/* Wait a moment, then look for targets again.  Returns 0, or -1 after a message: a signal or the timeout ended
 * the wait. */
int opening_look_again(struct collection *c);

/* Open the events for the targets, or the command.  Targets that have ended meanwhile are skipped; if all have,
 * --wait goes on waiting.  Returns 0, or -1 after a message. */
int opening_sampler(struct collection *c);

/* Open events on CPUs that came online since the last call.  Call before draining rings. */
void opening_follow_cpus(struct collection *c);

/* The present targets, as threads may have been started since prepare(); NULL: all processes.  again: {0}, which the
 * caller frees afterwards. */
const struct targets *opening_targets(const struct collection *c, struct targets *again);

/* Start a BPF program by start(), which gets opening_targets() and the COMMAND's pid.  Returns the result of
 * start(). */
int opening_start_program(struct collection *c, int (*start)(const struct targets *targets, int command));

#endif
