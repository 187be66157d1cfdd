/* fold_stacks: turns stacks of places into lines of names. */
#ifndef COLLAPSE_FOLD_FOLD_STACKS_H
#define COLLAPSE_FOLD_FOLD_STACKS_H

#include "collapse/fold/fold.h"
#include "collapse/frames/names.h"
#include "collapse/roots/roots.h"
#include "collapse/frames/stacks.h"

/* f->waits must be set if kinds of wait are needed.  Merge stacks that have the same names, and sort the lines.
 * root_keys holds the key from roots_key() for each root number.  stacks->columns must outlive f. */
void fold_stacks(struct fold *f, const struct stacks *stacks, struct names *names, const struct roots *roots,
		 const struct intern *root_keys);

#endif
