/* locks: how long threads wait for locks, in which stack, and who had the lock.
 *
 *     sys_enter_futex             a thread may have to wait: its wait begins
 *     sched_waking                whoever wakes it releases the lock: the owner, and its stack
 *     sys_exit_futex              the wait is over, if the thread has slept; its user stack
 *     contention_begin, _end      the same for a lock of the kernel, which may also spin
 *
 * The first and the third are tracepoints of a single system call: other calls, and switches, pay nothing for them.  They
 * do not see the calls of 32-bit programs; as soon as there is such a program, those of all calls are used for it, as they
 * are where the tracepoints cannot be used.
 *
 * Taking a free lock costs nothing.  Short waits are summed: a stack for each would cost more than the waits. */
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

__u32 only_compat; /* the programs that see all system calls leave those of 64-bit programs to those of single calls */

/* ---- a system call for a futex ---- */

static __always_inline void begin_futex(struct task_struct *task, const struct call *call)
{
	struct locks_slot *slot = bpf_locks_slots_get(task);
	struct futex f;

	if (!slot)
		return;
	f = futex_of(task, call);
	begin(slot, task, f.lock, f.address, bpf_ktime_get_ns());
	slot->now.owner_pid = f.owner_pid;
	slot->now.owner_tid = f.owner_tid;
	if (f.owner_tid)
		watch_ask();
}

static __always_inline void bpf_locks_finish(void *context, struct locks_record *r)
{
	__u64 begun = bpf_ktime_get_ns();

	bpf_locks_record_add_user_stack(context, r);
	bpf_locks_record_emit(r);
	stack_budget_pay(begun, r->copied);
}

/* Go on with the wait that a lock of the kernel has interrupted, if there is one. */
static __always_inline void resume_futex(struct locks_slot *slot)
{
	if (likely(!slot->aside.since_ns))
		return;
	slot->now = slot->aside;
	slot->aside.since_ns = 0;
}

static __always_inline void end_futex(void *context)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct locks_slot *slot = bpf_locks_slots_find(task->pid);
	struct locks_record *r;
	struct locks_cpu *cpu;
	struct wait w;
	__u64 now;

	if (!slot)
		return;
	resume_futex(slot);
	if (!slot->now.since_ns || is_kernels(slot->now.lock))
		return;
	if (!has_slept(&slot->now, task)) {
		slot->now.since_ns = 0;
		return;
	}
	now = bpf_ktime_get_ns();
	cpu = bpf_locks_record_this_cpu();
	if (!cpu || add_short(slot, task, now, cpu))
		return;
	w = take_wait(slot, task, now);
	r = bpf_locks_wait_report(slot, &w, SCRATCH_RETURN);
	if (r)
		bpf_locks_finish(context, r);
}

/* Attached to the tracepoints of each call that waits for futexes. */
SEC("?tp/syscalls/sys_enter_futex")
int locks_call(void *context)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct call call = call_of(task);

	(void)context;
	if (may_wait(&call))
		begin_futex(task, &call);
	return 0;
}

SEC("?tp/syscalls/sys_exit_futex")
int locks_return(void *context)
{
	end_futex(context);
	return 0;
}

SEC("?tp_btf/sys_enter")
int BPF_PROG(locks_any_call)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct call call;

	if (only_compat && !is_compat(task))
		return 0;
	call = call_of(task);
	if (may_wait(&call))
		begin_futex(task, &call);
	return 0;
}

SEC("?tp_btf/sys_exit")
int BPF_PROG(locks_any_return)
{
	if (!only_compat || is_compat(bpf_get_current_task_btf()))
		end_futex(ctx);
	return 0;
}

/* ---- threads that end ---- */

/* The thread has ended, or its id belongs to another one. */
static __noinline int bpf_locks_drop(__u32 tid, __u32 scratch)
{
	struct locks_slot *slot = bpf_locks_slots_find(tid);

	if (!slot)
		return 0;
	for (int i = 0; i < LOCKS_SUMS; i++) {
		struct locks_sum *s = &slot->sums[i];
		struct locks_record *r = s->count ? bpf_locks_record_scratch(scratch) : NULL;
		struct wait none = { .lock = s->lock, .slept = s->slept, .until_ns = bpf_ktime_get_ns() };

		if (!r)
			continue;
		fill(r, slot, &none);
		r->kind = LOCKS_REST;
		r->is_long = i >= LOCKS_LONG_OF_FUTEXES;
		fill_sum(r, s);
		bpf_locks_record_emit(r);
	}
	slot->now.since_ns = slot->aside.since_ns = 0;
	slot->tid = 0;
	slot_give_back(tid);
	return 0;
}

/* Until here, a thread that ends can wait for locks. */
SEC("tp_btf/sched_process_free")
int BPF_PROG(locks_free, struct task_struct *task)
{
	struct locks_slot *slot = bpf_locks_slots_find(task->pid);

	if (slot && slot->task == (__u64)task)
		bpf_locks_drop(task->pid, SCRATCH_END);
	return 0;
}

/* Tell the collector of a 32-bit program. */
static __always_inline void tell_of_compat(struct task_struct *task)
{
	struct target_thread *thread = target_thread(task->pid);
	struct locks_record *r;

	if (!thread || (thread->decision != TARGET_AT_EXEC && !is_target(task, thread)) || !is_compat_program(task))
		return;
	r = bpf_locks_record_scratch(SCRATCH_RETURN);
	if (!r)
		return;
	r->kind = LOCKS_COMPAT;
	has_compat = 1;
	bpf_locks_record_send(&lasting, r, BPF_RB_FORCE_WAKEUP);
}

/* A thread that executes a program takes the id of its process. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(locks_exec, struct task_struct *task, int old_tid)
{
	if (task->pid != old_tid) {
		bpf_locks_drop(task->pid, SCRATCH_RETURN);
		bpf_locks_drop(old_tid, SCRATCH_RETURN);
	}
	if (!has_compat)
		tell_of_compat(task);
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
	r->begun = slot->now.begun;
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

	watch_answer();
	if (likely(!slot || !slot->now.since_ns))
		return 0;
	now = slot->now.woken_ns = bpf_ktime_get_ns();
	ns = now - slot->now.since_ns;
	is_short = ns < rules.min_ns;
	cpu = bpf_locks_record_this_cpu();
	/* For most short waits, the owner is not recorded. */
	if (!cpu || (is_short && !stack_is_due(&cpu->paid_ns, now)) || !lets_go(slot->now.lock))
		return 0;
	if (is_short)
		taken = stack_budget_allows_sum(&cpu->paid_ns, now, LOCKS_STACK_NS, LOCKS_STACKS_AT_ONCE);
	else
		taken = stack_budget_allows(ns, now);
	if (!is_short || taken)
		slot->now.stack = taken ? LOCKS_TAKE : LOCKS_TALLY;
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
	if (!slot || (slot->now.since_ns && is_kernels(slot->now.lock) && slot->now.address == (__u64)lock))
		return 0;
	if (unlikely(slot->now.since_ns && !is_kernels(slot->now.lock)))
		slot->aside = slot->now;
	begin(slot, task, lock_of(lock, flags), (__u64)lock, bpf_ktime_get_ns());
	owner = owner_of(lock, slot->now.lock);
	if (!owner)
		return 0;
	slot->now.owner_tid = BPF_CORE_READ(owner, pid);
	slot->now.owner_pid = BPF_CORE_READ(owner, tgid);
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
	if (!slot || !slot->now.since_ns || !is_kernels(slot->now.lock) || slot->now.address != (__u64)lock)
		return 0;
	w = take_wait(slot, task, bpf_ktime_get_ns());
	resume_futex(slot);
	finish_kernel_wait(ctx, slot, &w);
	return 0;
}
