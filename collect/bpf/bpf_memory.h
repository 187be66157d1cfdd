/* bpf_memory: how much memory the maps of a BPF program need, and how much this control group allows. */
#ifndef COLLECT_BPF_BPF_MEMORY_H
#define COLLECT_BPF_BPF_MEMORY_H

#include <stdint.h>

struct bpf_object;

/* Bytes of kernel memory that all maps of a loaded object take, as the kernel says. */
uint64_t bpf_memory(struct bpf_object *object);

/* The same, as computed from the sizes of those that it is to be loaded with: within some percent.
 */
uint64_t bpf_memory_wanted(struct bpf_object *object);

/* The least of memory.max (memory.limit_in_bytes in version 1) of our control group and those above
 * it, in bytes; UINT64_MAX: none is known.  groups is /proc/self/cgroup, mounts where the
 * hierarchies are mounted: /sys/fs/cgroup. */
uint64_t cgroup_memory_limit(const char *groups, const char *mounts);

#endif
