/* tree_finding: what a tree of processes, such as a build, waited for.  This is the part of findings_make() that looks
 * at the tree's critical path. */
#ifndef COLLAPSE_CAUSE_TREE_FINDING_H
#define COLLAPSE_CAUSE_TREE_FINDING_H

#include "collapse/cause/finding_maker.h"

/* The weight of a build that had half of the CPU time. */
#define TREE_FINDING_MOST 0.45

/* Add a finding (FINDING_TREE, FINDING_CHILD) if such a tree used much of the CPU time, and if processes of one name
 * make up much of its path. */
void tree_finding_add(struct finding_maker *m);

#endif
