/* states: the names of thread states (core/format/recording.h, core/format/folded.h). */
#ifndef COLLAPSE_ROOTS_STATES_H
#define COLLAPSE_ROOTS_STATES_H

#include <stdint.h>

/* A state's name, such as "preempted"; state is an enum recording_state. */
const char *state_name(int state);

/* Parse a list such as "running,blocked-io" into a bit for each state.  It may contain the groups
 * "runnable" (waits for a CPU), "off-cpu" (waits for something else) and "noise" (disturbs a CPU).  If a name is unknown, exits
 * 2 and suggests the one that was probably meant; option names the option in the message. */
uint32_t states_parse(const char *list, const char *option);

#endif
