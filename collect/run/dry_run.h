/* dry_run: "collect ... --dry-run": records nothing, but counts for some seconds what the collectors would see, without
 * stacks and BPF, and estimates the cost and the size of a recording. */
#ifndef COLLECT_RUN_DRY_RUN_H
#define COLLECT_RUN_DRY_RUN_H

#include "collect/run/collection.h"

/* Call this when options are checked and targets known.  Returns the exit status. */
int dry_run(struct collection *c);

#endif
