/* sched_slots: maps threads to their struct sched_thread. */
#ifndef BPF_SCHED_SLOTS_BPF_H
#define BPF_SCHED_SLOTS_BPF_H

#include "bpf/charge.bpf.h"

enum { TAKE_TRIES = 16 };

/* Takes a free slot; returns 0 when there is none. */
static __noinline __u32 bpf_sched_slots_take_slot(void)
{
	for (int i = 0; i < TAKE_TRIES; i++) {
		__u64 head = *(volatile __u64 *)&sched_control.free_head;
		__u64 left = sched_control.free_tail - head;
		__u32 at = (__u32)head & (sched_free_size - 1);
		__u64 *slot;

		if (!left)
			return 0;
		slot = bpf_map_lookup_elem(&sched_free, &at);
		if (!slot)
			return 0;
		at = (__u32)*slot;
		if (__sync_val_compare_and_swap(&sched_control.free_head, head, head + 1) != head)
			continue;
		if (left <= sched_free_size / 4 && !sched_control.asked) {
			sched_control.asked = 1;
			ask_for_flush();
		}
		return at;
	}
	return 0;
}

static __always_inline void bpf_sched_note_priority(struct sched_thread *t, struct task_struct *task)
{
	t->policy = task->policy;
	t->static_prio = (__u32)task->static_prio;
	t->cpus_allowed = (__u32)task->nr_cpus_allowed;
}

/* Add a thread that entered its state at since_ns.  Returns its slot, or 0 if none is free. */
static __noinline __u32 add_thread(struct task_struct *task, struct target_thread *thread, __u32 state, __u64 since_ns)
{
	__u32 slot = bpf_sched_slots_take_slot(), other;
	struct sched_thread *t = bpf_map_lookup_elem(&sched_threads, &slot);

	if (!slot || !t) {
		if (!thread->skipped)
			__sync_fetch_and_add(&sched_control.untracked_threads, 1);
		thread->skipped = 1;
		__sync_fetch_and_add(&sched_control.untracked_switches, 1);
		return 0;
	}
	t->pid = (__u32)task->tgid;
	t->tid = (__u32)task->pid;
	t->state = state;
	t->cpu = task_cpu(task);
	t->last_cpu = state == RECORDING_RUNNING ? t->cpu : (__u32)-1;
	bpf_sched_note_priority(t, task);
	t->since_ns = t->charged_ns = since_ns;
	other = __sync_val_compare_and_swap(&thread->slot, 0, slot);
	if (!other)
		return slot;
	/* The scan of all threads and an event have added the same thread at the same time. */
	t->end_ns = since_ns;
	t->tid = 0;
	return other;
}

/* The slot of a thread; 0 if the thread has none. */
static __always_inline __u32 known_slot(__u32 tid, __u32 cpu_nr)
{
	struct target_thread *thread;

	if (!tid)
		return target_rules.everybody ? sched_idle_slot + cpu_nr : 0;
	thread = target_thread(tid);
	return thread ? thread->slot : 0;
}

/* The slot of a thread; state and since_ns are used if the thread is new. */
static __always_inline __u32 slot_of(struct task_struct *task, __u32 state, __u64 since_ns)
{
	__u32 tid = (__u32)task->pid;
	struct target_thread *thread;

	if (!tid)
		return target_rules.everybody ? sched_idle_slot + bpf_get_smp_processor_id() : 0;
	thread = target_thread(tid);
	if (unlikely(!thread))
		return 0;
	if (likely(thread->slot))
		return thread->slot;
	if (!is_target(task, thread))
		return 0;
	return add_thread(task, thread, state, since_ns);
}

#endif
