/* tree_finding: what a tree of processes, such as a build, waited for.  This is the part of findings_make() that looks
 * at the tree's critical path. */
#ifndef COLLAPSE_CAUSE_TREE_FINDING_H
#define COLLAPSE_CAUSE_TREE_FINDING_H

#include "collapse/cause/finding_maker.h"

/* Add a finding (FINDING_TREE, FINDING_CHILD) if such a tree used most of the CPU time, and if processes of one name
 * make up much of its path. */
void tree_finding_add(struct finding_maker *m);

#endif
