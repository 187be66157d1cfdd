/* alloc_jvms: finds the JVMs to watch among the targets of a collection. */
#ifndef COLLECT_ALLOC_ALLOC_JVMS_H
#define COLLECT_ALLOC_ALLOC_JVMS_H

#include "collect/alloc/alloc_probe.h"
#include "collect/run/collection.h"

/* Find the JVMs, and what to probe, replacing those found before.  With --wait, targets that are not yet JVMs get a
 * few seconds to become one, and when all have ended, waiting goes on.  Returns 0, or -1 after a message. */
int alloc_jvms_find(struct collection *c, struct alloc_probes *p, bool every);

#endif
