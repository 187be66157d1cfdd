/* locks_slots: the state of each target thread (struct locks_slot). */
#ifndef BPF_LOCKS_LOCKS_SLOTS_BPF_H
#define BPF_LOCKS_LOCKS_SLOTS_BPF_H

#include "bpf/locks/locks.h"
#include "bpf/slots.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct locks_slot);
} slots SEC(".maps");

static __always_inline struct locks_slot *bpf_locks_slots_find(__u32 tid)
{
	__u32 i = slot_known(tid);

	return i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);
}

static __always_inline void slot_clear(struct locks_slot *slot, struct task_struct *task)
{
	slot->now.since_ns = slot->aside.since_ns = 0;
	for (int i = 0; i < LOCKS_SUMS; i++)
		slot->sums[i].count = 0;
	slot->task = (__u64)task;
	slot->pid = task->tgid;
	slot->tid = task->pid;
}

/* The slot of a thread, new if necessary; NULL if the thread is not a target. */
static __always_inline struct locks_slot *bpf_locks_slots_get(struct task_struct *task)
{
	bool fresh = false;
	__u32 i = slot_take(task, &fresh);
	struct locks_slot *slot = i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);

	/* If we missed the end of a thread, its id may belong to another thread by now. */
	if (slot && (fresh || slot->task != (__u64)task))
		slot_clear(slot, task);
	return slot;
}

#endif
