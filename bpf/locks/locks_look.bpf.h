/* locks_look: finds waits that have caused no event yet: those that began before the recording, and those that go on at its
 * end. */
#ifndef BPF_LOCKS_LOCKS_LOOK_BPF_H
#define BPF_LOCKS_LOCKS_LOOK_BPF_H

#include "bpf/locks/locks_futex.bpf.h"
#include "bpf/locks/locks_wait.bpf.h"
#include "bpf/locks/locks_watch.bpf.h"

__u32 looking;    /* the iterator looks for waits that go on at the end, rather than for those that began before the
	        * recording */
__u32 has_compat; /* a target is, or was, a 32-bit program */

static __always_inline void bpf_locks_look_at_start(struct task_struct *task, const struct call *call)
{
	struct locks_slot *slot = bpf_locks_slots_get(task);

	if (!slot || slot->now.since_ns || slot->begun)
		return;
	begin(slot, task, RECORDING_LOCK_FUTEX, call->a, bpf_ktime_get_ns());
	slot->now.switches--; /* it sleeps already */
}

static __always_inline void look_at_end(struct task_struct *task)
{
	struct locks_slot *slot = bpf_locks_slots_find(task->pid);
	struct locks_record *r = slot && slot->now.since_ns ? bpf_locks_record_scratch(SCRATCH_LOOK) : NULL;
	struct user_place place;
	struct wait w;

	if (!r)
		return;
	w = wait_of(&slot->now, control.end_ns);
	w.runnable_ns = runnable_of(&slot->now, task, w.until_ns);
	if (w.until_ns <= w.since_ns)
		return;
	slot->now.asked = 1;
	fill(r, slot, &w);
	r->kind = LOCKS_HELD;
	r->cpu = task_cpu(task);
	if (task->flags & PF_KTHREAD) {
		bpf_locks_record_emit(r);
		return;
	}
	place = user_place(task);
	r->ip = place.ip;
	r->sp = place.sp;
	r->bp = place.bp;
	r->slot = slot_known(task->pid);
	if (is_walked()) /* the collector reads the stack itself */
		r->copied = copy_registers(task, (void *)((char *)r + offsetof(struct locks_record, stack)));
	bpf_locks_record_emit(r);
}

static __always_inline bool runs_compat(struct task_struct *task)
{
	struct target_thread *thread = task->flags & PF_KTHREAD ? NULL : target_thread(task->pid);

	return thread && is_target(task, thread) && is_compat_program(task);
}

/* The collector runs this program, which visits all threads. */
SEC("iter/task")
int locks_look(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct call call;
	__u32 bits;

	if (!task || !task->pid)
		return 0;
	watch_prepare();
	if (!has_compat && runs_compat(task))
		has_compat = 1;
	bits = task_state(task);
	if (task->on_cpu || !bits || bits & (TASK_DEAD_MASK | TASK_NEW))
		return 0;
	call = call_of(task);
	if (looking)
		look_at_end(task);
	else if (bits & TASK_INTERRUPTIBLE && is_futex_wait(call.nr))
		bpf_locks_look_at_start(task, &call);
	return 0;
}

#endif
