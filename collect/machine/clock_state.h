/* clock_state: how far the wall clock may be from the right time: the section RECORDING_CLOCK_STATE
 * (core/format/recording.h). */
#ifndef COLLECT_MACHINE_CLOCK_STATE_H
#define COLLECT_MACHINE_CLOCK_STATE_H

#include "core/str.h"

/* Append the line of the kernel, by adjtimex(2).  Appends nothing if the kernel does not tell. */
void clock_state_kernel(struct str *out);

/* Append the line of chronyd, if it runs here and chronyc is installed; waits for its answer, for a second at most. */
void clock_state_chrony(struct str *out);

#endif
