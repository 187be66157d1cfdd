/* recording: a run of pyrograph collapse that reads a recording. */
#ifndef COLLAPSE_RECORDING_H
#define COLLAPSE_RECORDING_H

#include "collapse/collapse.h"

/* Read the recording, and write what the options ask for.  Returns 0, or -1 after a message. */
int recording_run(struct collapse *c);

#endif
