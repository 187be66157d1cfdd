/* locks: how long threads wait for locks, in which stack, and who had the lock.
 *
 *     sched_switch, prev          a thread goes to sleep in futex(2): its wait begins
 *     sched_waking                whoever wakes it releases the lock: the owner, and its stack
 *     sched_switch, next          the wait is over; then its user stack:
 *     sched_exit_tp, next         (Linux 6.16), or before that:
 *     sys_exit
 *     contention_begin, _end      the same for a lock of the kernel, which may also spin
 *
 * Only threads that have to wait come here; taking a free lock costs nothing, and neither do other system calls.  Short
 * waits are summed: a stack for each would cost more than the waits. */
#include "bpf/locks/locks.h"
#include "bpf/exec.bpf.h"
#include "bpf/kernel.h"
#include "bpf/locks/locks_futex.bpf.h"
#include "bpf/locks/locks_kernel.bpf.h"
#include "bpf/locks/locks_look.bpf.h"
#include "bpf/locks/locks_wait.bpf.h"
#include "bpf/locks/locks_watch.bpf.h"
#include "bpf/states.bpf.h"
#include "bpf/targets.bpf.h"

char LICENSE[] SEC("license") = "GPL";

const volatile __u32 at_exit; /* locks_exit() is attached; otherwise locks_return() */

/* The time is read once, and only if needed. */
static __always_inline __u64 bpf_locks_time_of(__u64 *now)
{
	if (!*now)
		*now = bpf_ktime_get_ns();
	return *now;
}

/* ---- a thread goes to sleep ---- */

/* The thread has ended. */
static __always_inline void bpf_locks_drop(struct task_struct *task)
{
	struct locks_slot *slot = bpf_locks_slots_find(task->pid);

	if (!slot)
		return;
	for (int i = 0; i < LOCKS_SUMS; i++) {
		struct locks_sum *s = &slot->sums[i];
		struct locks_record *r = s->count ? bpf_locks_record_scratch(SCRATCH_SWITCH) : NULL;
		struct wait none = { .lock = s->lock, .slept = s->slept, .until_ns = bpf_ktime_get_ns() };

		if (!r)
			continue;
		fill(r, slot, &none);
		r->kind = LOCKS_REST;
		r->is_long = i >= LOCKS_LONG_OF_FUTEXES;
		fill_sum(r, s);
		bpf_locks_record_emit(r);
	}
	slot->since_ns = 0;
	slot->tid = 0;
	slot_give_back(task->pid);
}

/* Before Linux 6.16 a wait ends with its system call, which may go to sleep several times. */
static __always_inline bool goes_on_waiting(struct locks_slot *slot)
{
	if (!slot->since_ns || is_kernels(slot->lock))
		return false;
	slot->until_ns = slot->woken_ns = 0;
	return true;
}

static __always_inline void begin_futex(struct task_struct *prev, const struct call *call, __u64 *now)
{
	struct locks_slot *slot = bpf_locks_slots_get(prev);
	struct futex f;

	if (!slot || (!at_exit && goes_on_waiting(slot)))
		return;
	f = futex_of(prev, call);
	begin(slot, f.lock, f.address, bpf_locks_time_of(now));
	slot->owner_pid = f.owner_pid;
	slot->owner_tid = f.owner_tid;
	slot->slept = 1;
	if (f.owner_tid)
		watch_wait();
}

/* A thread that waits for a lock of the kernel leaves the CPU. */
static __always_inline void leave_kernel_wait(struct task_struct *prev, bool is_runnable, __u64 *now)
{
	struct locks_slot *slot = bpf_locks_slots_find(prev->pid);

	if (likely(!slot || !slot->since_ns || !is_kernels(slot->lock)))
		return;
	slot->slept |= !is_runnable;
	slot->woken_ns = is_runnable ? bpf_locks_time_of(now) : 0;
}

static __always_inline void bpf_locks_leave(struct task_struct *prev, bool preempt, __u32 bits, __u64 *now)
{
	bool is_runnable = preempt || !bits || !task_state(prev);
	struct call call;

	if (unlikely(!preempt && bits & TASK_DEAD_MASK)) {
		bpf_locks_drop(prev);
		return;
	}
	if (!is_runnable && bits & TASK_INTERRUPTIBLE) {
		call = call_of(prev);
		if (unlikely(is_futex_wait(call.nr))) {
			begin_futex(prev, &call, now);
			return;
		}
	}
	leave_kernel_wait(prev, is_runnable, now);
}

static __always_inline void bpf_locks_come_back(struct task_struct *next, __u64 *time)
{
	struct locks_slot *slot = bpf_locks_slots_find(next->pid);
	struct locks_cpu *cpu;
	struct locks_record *r;
	struct wait w;
	__u64 now;

	if (likely(!slot || !slot->since_ns || slot->until_ns))
		return;
	now = bpf_locks_time_of(time);
	if (slot->woken_ns && now > slot->woken_ns)
		slot->runnable_ns += now - slot->woken_ns;
	slot->woken_ns = 0;
	if (is_kernels(slot->lock))
		return;
	if (!at_exit) {
		slot->until_ns = now;
		return;
	}
	cpu = bpf_locks_record_this_cpu();
	if (!cpu)
		return;
	if (add_short(slot, now, cpu))
		return;
	w = take_wait(slot, now);
	r = bpf_locks_wait_report(slot, &w, SCRATCH_SWITCH);
	cpu->unfinished = r != NULL;
}

static __always_inline void bpf_locks_switched(bool preempt, struct task_struct *prev, struct task_struct *next,
					       __u32 bits)
{
	__u64 now = 0;

	if (prev->pid)
		bpf_locks_leave(prev, preempt, bits, &now);
	if (next->pid)
		bpf_locks_come_back(next, &now);
}

/* Only one of these is loaded. */
SEC("tp_btf/sched_switch")
int BPF_PROG(locks_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
	bpf_locks_switched(preempt, prev, next, prev_state);
	return 0;
}

/* Before Linux 5.18. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(locks_switch_old, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	bpf_locks_switched(preempt, prev, next, task_state(prev));
	return 0;
}

static __always_inline void bpf_locks_finish(void *context, struct locks_record *r)
{
	__u64 begun = bpf_ktime_get_ns();

	bpf_locks_record_add_user_stack(context, r);
	bpf_locks_record_emit(r);
	stack_budget_pay(begun, r->copied);
}

/* The thread that was switched to now runs, on its own stack.  Since Linux 6.16. */
SEC("?tp_btf/sched_exit_tp")
int BPF_PROG(locks_exit)
{
	struct locks_cpu *cpu = bpf_locks_record_this_cpu();
	struct locks_record *r;

	if (likely(!cpu || !cpu->unfinished))
		return 0;
	cpu->unfinished = 0;
	r = bpf_map_lookup_elem(&scratches, &(__u32){ SCRATCH_SWITCH });
	if (r)
		bpf_locks_finish(ctx, r);
	return 0;
}

SEC("?tp_btf/sys_exit")
int BPF_PROG(locks_return)
{
	struct locks_slot *slot = bpf_locks_slots_find((__u32)bpf_get_current_pid_tgid());
	struct locks_record *r;
	struct wait w;

	if (!slot || !slot->until_ns)
		return 0;
	w = take_wait(slot, slot->until_ns);
	r = bpf_locks_wait_report(slot, &w, SCRATCH_RETURN);
	if (r)
		bpf_locks_finish(ctx, r);
	return 0;
}

/* ---- who lets go ---- */

static __always_inline bool lets_go(__u32 lock)
{
	struct call call;

	if (is_kernels(lock))
		return true;
	call = call_of(bpf_get_current_task_btf());
	return is_futex_wake(call.nr);
}

static __always_inline void bpf_locks_add_owner(void *context, struct locks_slot *slot, __u64 now)
{
	struct locks_record *r = bpf_locks_record_scratch(SCRATCH_WAKING);
	__u64 current = bpf_get_current_pid_tgid();

	if (!r)
		return;
	r->kind = LOCKS_OWNER;
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->owner_pid = current >> 32;
	r->owner_tid = (__u32)current;
	r->begun = slot->begun;
	r->until_ns = now;
	bpf_locks_record_add_kernel_stack(context, r);
	bpf_locks_record_add_user_stack(context, r);
	bpf_locks_record_emit(r);
	stack_budget_pay(now, r->copied);
}

SEC("tp_btf/sched_waking")
int BPF_PROG(locks_waking, struct task_struct *task)
{
	struct locks_slot *slot = bpf_locks_slots_find(task->pid);
	struct locks_cpu *cpu;
	bool is_short, taken;
	__u64 now, ns;

	if (likely(!slot || !slot->since_ns || slot->until_ns || !slot->slept))
		return 0;
	now = bpf_ktime_get_ns();
	if (!slot->woken_ns)
		slot->woken_ns = now;
	ns = now - slot->since_ns;
	is_short = ns < rules.min_ns;
	cpu = bpf_locks_record_this_cpu();
	/* For most short waits, the owner is not recorded. */
	if (!cpu || (is_short && !stack_is_due(&cpu->paid_ns, now)) || !lets_go(slot->lock))
		return 0;
	if (is_short)
		taken = stack_budget_allows_sum(&cpu->paid_ns, now, LOCKS_STACK_NS, LOCKS_STACKS_AT_ONCE);
	else
		taken = stack_budget_allows(ns, now);
	if (!is_short || taken)
		slot->stack = taken ? LOCKS_TAKE : LOCKS_TALLY;
	if (taken)
		bpf_locks_add_owner(ctx, slot, now);
	return 0;
}

/* ---- locks of the kernel ---- */

/* How many spinning waits there are on this CPU.  A thread that spins keeps its CPU, so entries of other threads belong
 * to waits whose ends were not seen. */
static __always_inline __u32 spins_of(const struct locks_cpu *cpu, struct task_struct *task)
{
	__u32 count = cpu->spinning;

	for (int i = LOCKS_SPINS; i > 0; i--)
		count = count == (__u32)i && cpu->spins[i - 1].task != (__u64)task ? count - 1 : count;
	return count < LOCKS_SPINS ? count : 0;
}

/* Get the thread's slot now rather than at the end of the wait, since the lock may be the one that protects free
 * slots. */
static __always_inline void begin_spin(struct task_struct *task, const void *lock, __u32 kind)
{
	struct locks_cpu *cpu = bpf_locks_record_this_cpu();
	struct locks_spin *s;
	__u32 count;

	if (!cpu || cpu->sending || !bpf_locks_slots_get(task))
		return;
	count = spins_of(cpu, task);
	s = &cpu->spins[count & (LOCKS_SPINS - 1)];
	s->address = (__u64)lock;
	s->task = (__u64)task;
	s->lock = kind;
	s->since_ns = bpf_ktime_get_ns();
	barrier();
	cpu->spinning = count + 1;
}

SEC("?tp_btf/contention_begin")
int BPF_PROG(locks_contention_begin, void *lock, unsigned int flags)
{
	struct task_struct *task = bpf_get_current_task_btf(), *owner;
	struct locks_slot *slot;

	if (!task->pid)
		return 0;
	if (is_spin(flags)) {
		begin_spin(task, lock, lock_of(lock, flags));
		return 0;
	}
	slot = bpf_locks_slots_get(task);
	/* A thread first spins for a mutex and then sleeps, which is a single wait. */
	if (!slot || (slot->since_ns && is_kernels(slot->lock) && slot->address == (__u64)lock))
		return 0;
	begin(slot, lock_of(lock, flags), (__u64)lock, bpf_ktime_get_ns());
	owner = owner_of(lock, slot->lock);
	if (!owner)
		return 0;
	slot->owner_tid = BPF_CORE_READ(owner, pid);
	slot->owner_pid = BPF_CORE_READ(owner, tgid);
	watch_wait();
	return 0;
}

static __always_inline void finish_kernel_wait(void *context, struct locks_slot *slot, struct wait *w)
{
	struct locks_record *r = bpf_locks_wait_report(slot, w, SCRATCH_LOCK);
	__u64 begun = bpf_ktime_get_ns();

	if (!r)
		return;
	bpf_locks_record_add_kernel_stack(context, r);
	bpf_locks_record_add_user_stack(context, r);
	bpf_locks_record_emit(r);
	stack_budget_pay(begun, r->copied);
}

/* End the last wait of the thread that spins for this lock on this CPU, and all waits that interrupted it.  Returns
 * false if there is no such wait.  As soon as its place is marked unused, an interrupt may take the place. */
static __always_inline bool take_spin(struct locks_cpu *cpu, struct task_struct *task, const void *lock, struct wait *w)
{
	for (int i = LOCKS_SPINS - 1; i >= 0; i--) {
		const struct locks_spin *s = &cpu->spins[i];

		if ((__u32)i >= cpu->spinning || s->address != (__u64)lock || s->task != (__u64)task)
			continue;
		w->since_ns = s->since_ns;
		w->address = s->address;
		w->lock = s->lock;
		barrier();
		cpu->spinning = i;
		return true;
	}
	return false;
}

static __always_inline bool end_spin(void *context, struct task_struct *task, const void *lock)
{
	struct locks_cpu *cpu = bpf_locks_record_this_cpu();
	struct locks_slot *slot;
	struct wait w = { 0 };

	if (!cpu || !take_spin(cpu, task, lock, &w))
		return false;
	w.until_ns = bpf_ktime_get_ns();
	slot = bpf_locks_slots_find(task->pid);
	if (slot)
		finish_kernel_wait(context, slot, &w);
	return true;
}

SEC("?tp_btf/contention_end")
int BPF_PROG(locks_contention_end, void *lock)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct locks_slot *slot;
	struct wait w;

	if (!task->pid || end_spin(ctx, task, lock))
		return 0;
	slot = bpf_locks_slots_find(task->pid);
	if (!slot || !slot->since_ns || !is_kernels(slot->lock) || slot->address != (__u64)lock)
		return 0;
	w = take_wait(slot, bpf_ktime_get_ns());
	finish_kernel_wait(ctx, slot, &w);
	return 0;
}
