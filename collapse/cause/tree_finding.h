/* tree_finding: what a command waited for that consists of several processes: a tree of them, such as a build, whose critical
 * path is known; or a pipeline, "a | b | c", where those before the bottleneck wait until there is room in their pipes, and those
 * behind it wait for input. */
#ifndef COLLAPSE_CAUSE_TREE_FINDING_H
#define COLLAPSE_CAUSE_TREE_FINDING_H

#include "collapse/cause/critical_path.h"
#include "collapse/cause/finding_maker.h"

/* The weight of a build that had half of the CPU time. */
#define TREE_FINDING_MOST 0.45

/* Add a finding (FINDING_TREE, FINDING_CHILD) if such a tree used much of the CPU time, and if processes of one name
 * make up much of its path. */
void tree_finding_add(struct finding_maker *m);

/* Add a finding (FINDING_PIPE) if a pipeline made up much of the recording, and one process in it held up another one. */
void pipelines_add(struct finding_maker *m);

/* Add a finding (FINDING_FORKS) if a program mostly starts processes that do little, one after another.  path may be empty. */
void storms_add(struct finding_maker *m, const struct critical_path *path);

/* Drop the findings that say less about the same waits than FINDING_PIPE or FINDING_FORKS does. */
void pipelines_settle(struct findings *all, const struct history *h);

#endif
