/* free_memory: how much memory is left on the machine and within the limits of our control group. */
#ifndef COLLECT_MACHINE_FREE_MEMORY_H
#define COLLECT_MACHINE_FREE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* The smallest memory.max (memory.limit_in_bytes in version 1) of our control group and its ancestors, in bytes;
 * UINT64_MAX: unknown. groups: /proc/self/cgroup; mounts: where the hierarchies are mounted, /sys/fs/cgroup. */
uint64_t cgroup_memory_limit(const char *groups, const char *mounts);

/* MemAvailable or, if that is less, what the limits of our group leave; old file pages of a group count as free.  In
 * bytes; UINT64_MAX: unknown.  meminfo: /proc/meminfo. */
uint64_t free_memory(const char *meminfo, const char *groups, const char *mounts);

#endif
