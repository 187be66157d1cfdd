/* offcpu: how long threads are blocked, and where.
 *
 * Most blocks are short, and a stack costs more than everything else; so stacks are taken only once the block is known
 * to be long enough:
 *
 *     sched_switch, prev      the time and the state
 *     sched_waking            the time; the waker's stack
 *     sched_switch, next      the kernel stack, which has not moved
 *     sched_exit_tp, next     the user stack (Linux 6.16), or before that:
 *     sys_exit                the user stack, to which the system call returns
 *
 * Only the user stack of the current thread can be taken, not that of a thread being
 * switched in.  If it is to be walked later, it is copied with the registers. */
#include "bpf/chain.bpf.h"
#include "bpf/offcpu/offcpu_look.bpf.h"
#include "bpf/offcpu/offcpu_rules.bpf.h"
#include "bpf/offcpu/offcpu_slots.bpf.h"
#include "bpf/offcpu/offcpu_untaken.bpf.h"
#include "bpf/offcpu/offcpu_user_stack.bpf.h"
#include "bpf/states.bpf.h"

char LICENSE[] SEC("license") = "GPL";

const volatile __u32 wakers;  /* take the stacks of wakers */
const volatile __u32 at_exit; /* offcpu_exit() is attached; otherwise offcpu_return() */

/* Whether the user stack of the record in SCRATCH_SWITCH is still missing. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} unfinished SEC(".maps");

/* Used without offcpu_exit(): a thread that was blocked in an exception, rather than in a system call, does not come to
 * offcpu_return(). */
static __always_inline void leave_by_exception(void *context, struct offcpu_slot *slot, struct task_struct *prev)
{
	struct offcpu_record *r = bpf_offcpu_record_scratch(SCRATCH_SWITCH);

	if (!r || add_registers(prev, r))
		return;
	r->kind = OFFCPU_USER;
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->since_ns = slot->since_ns;
	r->kernel_count = 0;
	r->copied = 0;
	bpf_offcpu_user_stack_add_user_stack(context, r);
	bpf_offcpu_record_emit(r);
}

/* The thread has come back from its last block unseen: some kernels hide the switches of some processes.  How long that
 * block took is known from its wake-up, or from how long the thread has run since; its stack is gone. */
static __always_inline void came_back_unseen(struct offcpu_slot *slot, struct task_struct *prev, __u64 now)
{
	__u64 since = slot->since_ns, ran = prev->se.sum_exec_runtime - prev->se.prev_sum_exec_runtime;
	__u64 until = slot->woken_ns > since ? slot->woken_ns : now - ran;
	struct offcpu_record *r;

	slot->since_ns = 0;
	if (until <= since || until > control.end_ns || !span_cpu_wanted(bpf_get_smp_processor_id()))
		return;
	if (!long_enough(until - since)) {
		slot->left_out++;
		return;
	}
	r = bpf_offcpu_record_scratch(SCRATCH_SWITCH);
	if (!r)
		return;
	fill_block(r, slot, since, until);
	r->kernel_count = -1; /* lost */
	r->user_count = 0;
	bpf_offcpu_record_emit(r);
}

static __always_inline void look_back(struct offcpu_slot *slot, struct task_struct *prev, __u64 now)
{
	if (slot && slot->since_ns)
		came_back_unseen(slot, prev, now);
}

static __always_inline void bpf_offcpu_leave(void *context, struct task_struct *prev, __u32 bits, __u64 now)
{
	__u32 state, present = task_state(prev);
	struct offcpu_slot *slot;

	if (bits & TASK_DEAD_MASK) {
		slot = bpf_offcpu_slots_find(prev->pid);
		look_back(slot, prev, now);
		untaken_tell(slot);
		slot_drop(prev->pid);
		return;
	}
	state = blocked_state(prev, bits);
	/* A thread that was interrupted by a signal on its way to sleep is runnable. */
	if (!(state_mask & 1 << state) || !present)
		return;
	slot = bpf_offcpu_slots_get(prev);
	if (!slot)
		return;
	look_back(slot, prev, now);
	slot->state = state;
	slot->choice = OFFCPU_UNDECIDED;
	if (!(present & TASK_WAKING)) /* an earlier wake-up found the thread running */
		slot->woken_ns = 0;
	slot->since_ns = now;
	if (!at_exit && !(prev->flags & PF_KTHREAD))
		leave_by_exception(context, slot, prev);
}

static __always_inline void bpf_offcpu_come_back(struct task_struct *next, __u64 now)
{
	struct offcpu_slot *slot = bpf_offcpu_slots_find(next->pid);
	struct offcpu_record *r;
	__u32 zero = 0, *wait;
	__u64 since, woken, until;
	bool held;

	if (!slot || !slot->since_ns)
		return;
	since = slot->since_ns;
	woken = slot->woken_ns;
	slot->since_ns = slot->woken_ns = 0;
	/* The thread may have been woken while it left the CPU.  A wake-up by an interrupt that came while
	 * offcpu_waking() ran is missed: the block then ends when the thread runs. */
	until = woken > since ? woken : woken ? since : now;
	held = until > control.end_ns;
	if (held)
		until = control.end_ns;
	if (until < since || !span_cpu_wanted(bpf_get_smp_processor_id()))
		return;
	if (!long_enough(until - since)) {
		slot->left_out++;
		return;
	}
	if (!held && untaken_is(slot, until - since, now)) {
		untaken_add(slot, until - since);
		return;
	}
	r = bpf_offcpu_record_scratch(SCRATCH_SWITCH);
	wait = bpf_map_lookup_elem(&unfinished, &zero);
	if (!r || !wait)
		return;
	fill_block(r, slot, since, until);
	if (!held)
		untaken_stand_for(r, slot, until - since);
	if (held) {
		r->kind = OFFCPU_HELD;
		r->slot = slot_known(next->pid);
		r->until_ns = 0;
	}
	bpf_offcpu_record_add_kernel_stack(next, r);
	if (next->flags & PF_KTHREAD) {
		bpf_offcpu_record_emit(r);
		stack_budget_pay(now, false);
	} else if (at_exit) {
		*wait = 1;
	} else {
		r->follows = !held;
		slot->wants_user = add_registers(next, r);
		slot->ip = r->ip;
		slot->sp = r->sp;
		bpf_offcpu_record_emit(r);
	}
}

static __always_inline void bpf_offcpu_switched(void *context, bool preempt, struct task_struct *prev,
						struct task_struct *next, __u32 bits)
{
	__u64 now = chain_now(CHAIN_SWITCH);

	if (!preempt && bits && prev->pid)
		bpf_offcpu_leave(context, prev, bits, now);
	else if (prev->pid)
		look_back(bpf_offcpu_slots_find(prev->pid), prev, now);
	if (next->pid)
		bpf_offcpu_come_back(next, now);
}

/* Only one of these programs is loaded. */
SEC("tp_btf/sched_switch")
int BPF_PROG(offcpu_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
	bpf_offcpu_switched(ctx, preempt, prev, next, prev_state);
	return chain_switch_end(ctx);
}

/* For Linux before 5.18. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(offcpu_switch_old, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	bpf_offcpu_switched(ctx, preempt, prev, next, task_state(prev));
	return chain_switch_end(ctx);
}

/* The thread that was switched to now runs, on its own stack.  Since Linux 6.16. */
SEC("?tp_btf/sched_exit_tp")
int BPF_PROG(offcpu_exit)
{
	__u32 zero = 0, *wait = bpf_map_lookup_elem(&unfinished, &zero);
	struct offcpu_record *r;
	__u64 begun;

	if (!wait || !*wait)
		return 0;
	*wait = 0;
	r = bpf_offcpu_record_scratch(SCRATCH_SWITCH);
	if (!r)
		return 0;
	begun = bpf_ktime_get_ns();
	bpf_offcpu_user_stack_add_user_stack(ctx, r);
	bpf_offcpu_record_emit(r);
	stack_budget_pay(begun, r->copied);
	return 0;
}

/* A thread's user stack does not change until its system call returns. */
SEC("?tp_btf/sys_exit")
int BPF_PROG(offcpu_return)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct offcpu_slot *slot = bpf_offcpu_slots_find(task->pid);
	struct offcpu_record *r;
	__u64 begun;

	if (!slot || !slot->wants_user)
		return 0;
	begun = bpf_ktime_get_ns();
	slot->wants_user = 0;
	r = bpf_offcpu_record_scratch(SCRATCH_RETURN);
	if (!r)
		return 0;
	r->kind = OFFCPU_USER;
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->since_ns = 0;
	r->kernel_count = 0;
	r->copied = 0;
	add_registers(task, r);
	if (r->ip == slot->ip && r->sp == slot->sp)
		bpf_offcpu_user_stack_add_user_stack(ctx, r);
	else
		r->user_count = 0; /* the thread executes another program */
	bpf_offcpu_record_emit(r);
	stack_budget_pay(begun, r->copied);
	return 0;
}

static __always_inline void bpf_offcpu_add_waker(void *context, struct offcpu_slot *slot, __u64 now)
{
	struct offcpu_record *r = bpf_offcpu_record_scratch(SCRATCH_WAKING);
	__u64 current = bpf_get_current_pid_tgid();

	if (!r)
		return;
	r->kind = OFFCPU_WAKER;
	r->cpu = bpf_get_smp_processor_id();
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->waker_pid = current >> 32;
	r->waker_tid = (__u32)current;
	r->since_ns = slot->since_ns;
	r->until_ns = now;
	r->kernel_count = bpf_offcpu_record_entries(bpf_get_stack(context, r->stack, OFFCPU_FRAMES * sizeof(__u64), 0));
	r->user_count = 0;
	r->copied = 0;
	if (r->waker_tid)
		add_waker_user_stack(context, r);
	bpf_offcpu_record_emit(r);
	stack_budget_pay(now, r->copied);
}

static __always_inline void bpf_offcpu_woken(void *context, struct task_struct *task)
{
	struct offcpu_slot *slot = bpf_offcpu_slots_find(task->pid);
	__u64 now, since;

	if (!slot)
		return;
	now = chain_now(CHAIN_WAKING);
	slot->woken_ns = now;
	since = slot->since_ns;
	if (wakers && since && now > since && long_enough(now - since) && !untaken_is(slot, now - since, now))
		bpf_offcpu_add_waker(context, slot, now);
}

SEC("tp_btf/sched_waking")
int BPF_PROG(offcpu_waking, struct task_struct *task)
{
	bpf_offcpu_woken(ctx, task);
	return chain_waking_end(ctx);
}
