/* slots: gives each target thread a number below max_slots for as long as it lives; the
 * program keeps its data in its own table, indexed by that number. */
#ifndef BPF_SLOTS_BPF_H
#define BPF_SLOTS_BPF_H

#include "bpf/exec.bpf.h"
#include "bpf/span_control.bpf.h"
#include "bpf/targets.bpf.h"

const volatile __u32 max_slots = 1;

__u32 next_slot; /* numbers from here on were never used */

struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 1); /* max_slots */
	__type(value, __u32);
} free_slots SEC(".maps");

#define NO_SLOT 0xffffffffu

/* In struct target_thread, slot is 0, or: */
#define NO_ROOM 0xffffffffu /* else the number + 1 */

/* The number of a thread, or NO_SLOT. */
static __always_inline __u32 slot_known(__u32 tid)
{
	struct target_thread *thread = target_thread(tid);

	return thread && thread->slot != NO_ROOM ? thread->slot - 1 : NO_SLOT;
}

static __noinline __u32 slot_find_free(void)
{
	__u32 i;

	if (!bpf_map_pop_elem(&free_slots, &i))
		return i;
	if (next_slot >= max_slots)
		return NO_SLOT;
	i = __sync_fetch_and_add(&next_slot, 1);
	return i < max_slots ? i : NO_SLOT;
}

/* The number of a thread; a target without one gets a new one, and *fresh is set.  NO_SLOT: not a target, or no number
 * is free. */
static __always_inline __u32 slot_take(struct task_struct *task, bool *fresh)
{
	struct target_thread *thread = target_thread(task->pid);
	__u32 i;

	if (!thread)
		return NO_SLOT;
	if (thread->slot && thread->slot != NO_ROOM)
		return thread->slot - 1;
	if (!is_target(task, thread))
		return NO_SLOT;
	i = slot_find_free();
	*fresh = i != NO_SLOT;
	if (*fresh) {
		thread->slot = i + 1;
		return i;
	}
	__sync_fetch_and_add(&control.untracked_switches, 1);
	if (thread->slot != NO_ROOM)
		__sync_fetch_and_add(&control.untracked_threads, 1);
	thread->slot = NO_ROOM;
	return NO_SLOT;
}

/* The thread has ended: free its number. */
static __always_inline void slot_give_back(__u32 tid)
{
	struct target_thread *thread = target_thread(tid);
	__u32 i;

	if (!thread || !thread->slot)
		return;
	i = thread->slot - 1;
	thread->slot = 0;
	if (i < max_slots)
		bpf_map_push_elem(&free_slots, &i, 0);
}

#endif
