/* dry_run: "collect ... --dry-run": records nothing; counts for some seconds what the collectors would see, without stacks and
 * without BPF, and says what a recording would cost, and how large it would be. */
#ifndef COLLECT_RUN_DRY_RUN_H
#define COLLECT_RUN_DRY_RUN_H

#include "collect/run/collection.h"

/* The options are checked, and the targets known.  Returns the exit status. */
int dry_run(struct collection *c);

#endif
