/* states: the names of what threads do with their time (core/format/recording.h,
 * core/format/folded.h). */
#ifndef COLLAPSE_FOLD_STATES_H
#define COLLAPSE_FOLD_STATES_H

#include <stdint.h>

/* "preempted"; state is a RECORDING_STATE. */
const char *state_name(int state);

/* Parse "running,blocked-io", also with the groups "runnable" (waits for a CPU) and
 * "off-cpu" (waits for something else), to a bit for each state.  If a name is unknown, exits 2 and
 * suggests the one that was probably meant; option names the option in the message. */
uint32_t states_parse(const char *list, const char *option);

#endif
