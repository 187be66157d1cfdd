/* children: processes that waited for others, which they had started and which computed, wherever on the machine they are:
 * critical_path.h follows only the tree that ran most. */
#ifndef COLLAPSE_CAUSE_CHILDREN_H
#define COLLAPSE_CAUSE_CHILDREN_H

#include "collapse/cause/finding_maker.h"

/* Add those that waited for most of the time, unless a finding of the tree tells of the same processes. */
void children_add(struct finding_maker *m);

#endif
