/* snapshot: a part of the recording in memory becomes a recording of its own. */
#ifndef COLLECT_RUN_SNAPSHOT_H
#define COLLECT_RUN_SNAPSHOT_H

#include "collect/run/collection.h"

/* Write what was recorded since `from` to path, which must be free; until: now, for what was lost.  For a child of the
 * process that records: c is spoilt.  Returns 0, or -1 after a message. */
int snapshot_write(struct collection *c, const struct kept_mark *from, const struct kept_mark *until, const char *path);

#endif
