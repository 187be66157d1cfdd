/* sources: those that fill one recording, together.  Each function calls the member of its name (struct source)
 * of all that have it, in order. */
#ifndef COLLECT_RUN_SOURCES_H
#define COLLECT_RUN_SOURCES_H

#include <stdint.h>

#include "collect/run/collection.h"

/* Also whether all of them know --cgroup, if it was given. */
void sources_check(struct collection *c);

/* These return 0; -1, after a message, as soon as one fails. */
int sources_prepare(struct collection *c);
int sources_retarget(struct collection *c);
int sources_start(struct collection *c);
int sources_begin(struct collection *c);
int sources_drain(struct collection *c);
int sources_tick(struct collection *c);

/* Returns when they end (CLOCK_MONOTONIC): they end together, however long it takes to stop each. */
uint64_t sources_end(struct collection *c);

/* All of them, also when one fails: -1 then. */
int sources_stop(struct collection *c, uint64_t end_ns);

/* The exit status of the first that has one to give. */
int sources_verdict(struct collection *c);

void sources_free(const struct collection *c);

#endif
