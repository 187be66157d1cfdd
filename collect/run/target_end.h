/* target_end: finds out when the targets have ended, which ends the recording. */
#ifndef COLLECT_RUN_TARGET_END_H
#define COLLECT_RUN_TARGET_END_H

#include "collect/run/collection.h"

/* Watch the processes whose end ends the recording: the targets and, without --until-exit, all processes that they
 * started.  Returns 0, or -1 after a message. */
int target_end_watch(struct collection *c);

/* Does a BPF program follow the targets, so that no event has to be opened on each?  Known once all sources are
 * prepared. */
bool target_end_is_known(const struct collection *c);

#endif
