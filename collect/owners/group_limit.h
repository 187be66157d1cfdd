/* group_limit: the CPU time that a control group allows: cpu.max of version 2, cpu.cfs_quota_us of version 1
 * (Documentation/admin-guide/cgroup-v2.rst, Documentation/scheduler/sched-bwc.rst). */
#ifndef COLLECT_OWNERS_GROUP_LIMIT_H
#define COLLECT_OWNERS_GROUP_LIMIT_H

#include <stdint.h>

#include "core/str.h"

/* Append the line "limit NUMBER QUOTA_US PERIOD_US VERSION" of RECORDING_OWNERS, with the tightest limit of the group and the
 * groups above it; nothing if there is no limit.  groups: /proc/PID/cgroup; mounts: where the hierarchies are,
 * /sys/fs/cgroup. */
void group_limit_add(const char *groups, const char *mounts, uint32_t number, struct str *out);

#endif
