/* children: processes that waited for others, which they had started and which computed, wherever on the machine they are:
 * critical_path.h follows only the tree that ran most. */
#ifndef COLLAPSE_CAUSE_CHILDREN_H
#define COLLAPSE_CAUSE_CHILDREN_H

#include "collapse/cause/finding_maker.h"

/* Add a finding for each process that waited for its children most of the time, except for those of a FINDING_TREE. */
void children_add(struct finding_maker *m);

#endif
