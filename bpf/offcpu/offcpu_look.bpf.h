/* offcpu_look: finds ongoing blocks without an event: those that began before the recording, and those that the
 * collector asks for (collect/offcpu/offcpu_held.h). */
#ifndef BPF_OFFCPU_OFFCPU_LOOK_BPF_H
#define BPF_OFFCPU_OFFCPU_LOOK_BPF_H

#include "bpf/offcpu/offcpu_rules.bpf.h"
#include "bpf/offcpu/offcpu_slots.bpf.h"
#include "bpf/offcpu/offcpu_user_stack.bpf.h"
#include "bpf/states.bpf.h"

__u32 look; /* enum offcpu_look */

static __always_inline void bpf_offcpu_look_at_start(struct task_struct *task, __u32 bits)
{
	__u32 state = blocked_state(task, bits);
	struct offcpu_slot *slot;

	slot = state_mask & 1 << state ? bpf_offcpu_slots_get(task) : NULL;
	if (!slot || slot->since_ns || slot->woken_ns)
		return;
	slot->state = state;
	slot->since_ns = bpf_ktime_get_ns();
}

static __always_inline void look_when_asked(struct task_struct *task)
{
	struct offcpu_slot *slot = bpf_offcpu_slots_find(task->pid);
	struct offcpu_record *r;
	__u64 since, woken;

	if (!slot || !slot->since_ns || slot->asked_ns != slot->since_ns || !span_cpu_wanted(task_cpu(task)))
		return;
	since = slot->since_ns;
	woken = slot->woken_ns;
	r = bpf_offcpu_record_scratch(SCRATCH_LOOK);
	if (!r)
		return;
	fill_block(r, slot, since, woken > since ? woken : 0);
	r->kind = OFFCPU_HELD;
	r->cpu = task_cpu(task);
	r->slot = slot_known(task->pid);
	bpf_offcpu_record_add_kernel_stack(task, r);
	if (!(task->flags & PF_KTHREAD)) {
		add_registers(task, r);
		if (is_walked())
			add_registers_copy(task, r); /* the collector reads the stack itself */
	}
	if (slot->since_ns == since)
		bpf_offcpu_record_emit(r);
}

struct bpf_iter__task {
	struct task_struct *task;
} __attribute__((preserve_access_index));

/* The collector runs this program, which visits all threads. */
SEC("iter/task")
int offcpu_look(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	__u32 bits;

	if (!task || !task->pid)
		return 0;
	bits = task_state(task);
	if (task->on_cpu || !bits || bits & (TASK_DEAD_MASK | TASK_NEW))
		return 0;
	if (look == OFFCPU_LOOK_START)
		bpf_offcpu_look_at_start(task, bits);
	else
		look_when_asked(task);
	return 0;
}

#endif
