/* states_kinds: the states of the scheduler as kinds of bars (core/format/folded.h). */
#ifndef RENDER_STATES_STATES_KINDS_H
#define RENDER_STATES_STATES_KINDS_H

#include <stdbool.h>
#include <stddef.h>

#include "render/bars/bars.h"

/* The group of the states in which a thread waits for a CPU. */
#define STATES_RUNNABLE "runnable"

/* The group of what disturbs a CPU (collapse --noise). */
#define STATES_NOISE "noise"

bool states_is_state(const char *name, size_t len);
bool states_is_runnable(const char *name, size_t len);

/* Can rows be sorted by it: by a state, a group, "time", "longest" or "name"? */
bool states_is_key(const char *name);

/* The callback for bars_dress(). */
void states_dress(struct bars_kind *kind, const char *name, size_t len);

#endif
