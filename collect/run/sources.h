/* sources: the sources that fill one recording.  Each function calls the member of struct source with its name,
 * in order, where present. */
#ifndef COLLECT_RUN_SOURCES_H
#define COLLECT_RUN_SOURCES_H

#include <stdint.h>

#include "collect/run/collection.h"

/* Also checks that all sources have --cgroup, if it was given. */
void sources_check(struct collection *c);

/* These return 0; -1, after a message, as soon as one source fails. */
int sources_prepare(struct collection *c);
int sources_retarget(struct collection *c);
int sources_start(struct collection *c);
int sources_look(struct collection *c);
int sources_add_cpu(struct collection *c, int cpu);
int sources_drain(struct collection *c);
int sources_tick(struct collection *c);
int sources_complete(struct collection *c);

/* Sets c->begin_ns, and waits until then. */
void sources_begin(struct collection *c);

/* Returns the end time (CLOCK_MONOTONIC), which is the same for all, however long a source takes to stop. */
uint64_t sources_end(struct collection *c);

/* What all of them lost so far. */
struct source_losses sources_losses(const struct collection *c);

/* Add what was lost between these. */
void sources_add_losses(const struct source_losses *since, const struct source_losses *until,
			uint64_t losses[LOSS_COUNT]);

/* c->recording.files and the sources forget the files before the present generation. */
void sources_forget_files(struct collection *c);

void sources_describe(struct collection *c, struct recording *r);

/* Stops all sources, even when one fails; then returns -1. */
int sources_stop(struct collection *c, uint64_t end_ns);

/* The exit status of the first source whose status is not 0. */
int sources_verdict(struct collection *c);

/* If there are several sources: which of them lost what. */
void sources_lost(const struct collection *c, struct losses_by_source *by);

void sources_free(const struct collection *c);

#endif
