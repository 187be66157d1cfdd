/* targets: decides in a BPF program which threads are targets.  Include it in one
 * source file; in user space, bpf_targets_prepare() and bpf_targets_fill() do the
 * rest (collect/bpf/bpf.h). */
#ifndef BPF_TARGETS_BPF_H
#define BPF_TARGETS_BPF_H

#include "bpf/kernel.h"
#include "bpf/targets.h"

const volatile struct target_rules target_rules = { 0 };

/* Threads by their ids.  An array has the fastest lookup. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* kernel.pid_max */
	__type(key, __u32);
	__type(value, struct target_thread);
} target_threads SEC(".maps");

/* For targets by control group: remembers the groups in which a thread was found not to be a target, as bits 6 to 37 of
 * the address of its css_set, which changes when the thread is moved. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* kernel.pid_max, if there is a control group */
	__type(key, __u32);
	__type(value, __u32);
} target_groups SEC(".maps");

enum { CGROUP_DEPTH = 32, HIERARCHIES_MAX = 32 };

/* The thread's group in a hierarchy of version 1. */
static __noinline struct cgroup *target_group_of(struct task_struct *task)
{
	struct css_set *set = BPF_CORE_READ(task, cgroups);
	struct cgrp_cset_link *link = NULL;
	struct list_head *at = BPF_CORE_READ(set, cgrp_links.next);

	for (int i = 0; i < HIERARCHIES_MAX && at && at != &set->cgrp_links; i++) {
		struct cgroup *cgroup;

		link = (void *)at - bpf_core_field_offset(link->cgrp_link);
		cgroup = BPF_CORE_READ(link, cgrp);
		if ((__u32)BPF_CORE_READ(cgroup, root, hierarchy_id) == target_rules.hierarchy)
			return cgroup;
		at = BPF_CORE_READ(at, next);
	}
	return NULL;
}

static __noinline bool target_in_cgroup(struct task_struct *task)
{
	struct cgroup *cgroup = target_rules.hierarchy ? target_group_of(task) : BPF_CORE_READ(task, cgroups, dfl_cgrp);

	for (int i = 0; i < CGROUP_DEPTH && cgroup; i++) {
		if (BPF_CORE_READ(cgroup, kn, id) == target_rules.cgroup)
			return true;
		cgroup = BPF_CORE_READ(cgroup, self.parent, cgroup);
	}
	return false;
}

/* The entry of a thread; NULL if the thread id is out of range. */
static __always_inline struct target_thread *target_thread(__u32 tid)
{
	return bpf_map_lookup_elem(&target_threads, &tid);
}

/* A thread becomes a target when it is moved into the group, as service managers do with each service. */
static __noinline bool target_by_cgroup(struct task_struct *task, struct target_thread *thread)
{
	__u32 tid = (__u32)BPF_CORE_READ(task, pid), groups = (__u64)BPF_CORE_READ(task, cgroups) / 64;
	__u32 *seen = bpf_map_lookup_elem(&target_groups, &tid);

	if (!seen || thread->decision == TARGET_AT_EXEC || (thread->decision == TARGET_NO && *seen == groups))
		return false;
	thread->decision = target_in_cgroup(task) ? TARGET_YES : TARGET_NO;
	*seen = groups;
	return thread->decision == TARGET_YES;
}

/* A target remains one when it is moved out of the control group. */
static __always_inline bool is_target(struct task_struct *task, struct target_thread *thread)
{
	if (target_rules.everybody)
		return thread->decision != TARGET_AT_EXEC;
	if (thread->decision == TARGET_YES || !target_rules.cgroup)
		return thread->decision == TARGET_YES;
	return target_by_cgroup(task, thread);
}

/* Call this unless all threads are targets.  As the child is new, this forgets what is known about an earlier thread
 * with its id. */
SEC("tp_btf/sched_process_fork")
int BPF_PROG(target_fork, struct task_struct *parent, struct task_struct *child)
{
	struct target_thread *mine = target_thread((__u32)parent->pid);
	struct target_thread *its = target_thread((__u32)child->pid);

	if (!mine || !its)
		return 0;
	if (target_rules.inherit && mine->decision == TARGET_YES)
		its->decision = TARGET_YES;
	else
		its->decision = target_rules.cgroup ? TARGET_UNKNOWN : TARGET_NO;
	return 0;
}

#endif
