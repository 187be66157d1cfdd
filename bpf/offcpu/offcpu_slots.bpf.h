/* offcpu_slots: the state of each target thread (struct offcpu_slot). */
#ifndef BPF_OFFCPU_OFFCPU_SLOTS_BPF_H
#define BPF_OFFCPU_OFFCPU_SLOTS_BPF_H

#include "bpf/offcpu/offcpu.h"
#include "bpf/slots.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct offcpu_slot);
} slots SEC(".maps");

static __always_inline struct offcpu_slot *bpf_offcpu_slots_find(__u32 tid)
{
	__u32 i = slot_known(tid);

	return i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);
}

/* The slot of a thread, new if necessary; NULL if the thread is not a target. */
static __always_inline struct offcpu_slot *bpf_offcpu_slots_get(struct task_struct *task)
{
	bool fresh = false;
	__u32 i = slot_take(task, &fresh);
	struct offcpu_slot *slot = i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);

	/* If we missed the end of a thread, its id may belong to another thread by now. */
	if (slot && fresh)
		__builtin_memset(&slot->untaken, 0, sizeof(slot->untaken));
	if (slot && (fresh || slot->pid != (__u32)task->tgid)) {
		slot->since_ns = slot->woken_ns = slot->asked_ns = 0;
		slot->wants_user = 0;
		slot->pid = task->tgid;
		slot->tid = task->pid;
	}
	return slot;
}

static __always_inline void slot_drop(__u32 tid)
{
	struct offcpu_slot *slot = bpf_offcpu_slots_find(tid);

	if (slot) {
		slot->since_ns = 0;
		slot->tid = 0;
		slot_give_back(tid);
	}
}

#endif
