/* cgroup: control groups of version 2. */
#ifndef COLLECT_MACHINE_CGROUP_H
#define COLLECT_MACHINE_CGROUP_H

#include "core/str.h"

/* Set path to the directory of a control group; name is the directory, or its path below the mount point.  Returns 0,
 * or -1 after a message. */
int cgroup_find(const char *name, struct str *path);

#endif
