/* locks_wait: notes the begin of a wait for a lock in the slot of its thread, and turns its end into a record or a part
 * of a sum. */
#ifndef BPF_LOCKS_LOCKS_WAIT_BPF_H
#define BPF_LOCKS_LOCKS_WAIT_BPF_H

#include "bpf/locks/locks_record.bpf.h"
#include "bpf/locks/locks_slots.bpf.h"
#include "bpf/stack_budget.bpf.h"

/* For how long a thread has waited for CPUs so far; 0: the kernel does not say. */
static __always_inline __u64 queued_ns(const struct task_struct *task)
{
	return bpf_core_field_exists(task->sched_info.run_delay) ? task->sched_info.run_delay : 0;
}

static __always_inline void begin(struct locks_slot *slot, const struct task_struct *task, __u32 lock, __u64 address,
				  __u64 time)
{
	struct locks_open *now = &slot->now;

	now->lock = lock;
	now->address = address;
	now->owner_pid = now->owner_tid = 0;
	now->stack = now->asked = now->told = 0;
	now->woken_ns = 0;
	now->switches = task->nvcsw;
	now->runnable_ns = queued_ns(task);
	now->begun = ++slot->begun;
	now->since_ns = time;
}

static __always_inline bool has_slept(const struct locks_open *now, const struct task_struct *task)
{
	return task->nvcsw != now->switches;
}

/* For how long the thread has waited for a CPU during this wait. */
static __always_inline __u64 runnable_of(const struct locks_open *now, const struct task_struct *task, __u64 until_ns)
{
	if (bpf_core_field_exists(task->sched_info.run_delay))
		return queued_ns(task) - now->runnable_ns;
	return now->woken_ns && until_ns > now->woken_ns ? until_ns - now->woken_ns : 0;
}

/* A wait that is over. */
struct wait {
	__u64 since_ns, until_ns, address, runnable_ns, begun;
	__u32 lock, slept, owner_pid, owner_tid, stack, asked;
};

static __always_inline bool is_kernels(__u32 lock)
{
	return (lock & RECORDING_LOCK_KIND) >= RECORDING_LOCK_SPIN;
}

static __always_inline void fill(struct locks_record *r, const struct locks_slot *slot, const struct wait *w)
{
	r->kind = LOCKS_WAIT;
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->owner_pid = w->owner_pid;
	r->owner_tid = w->owner_tid;
	r->lock = w->lock;
	r->slept = w->slept;
	r->since_ns = w->since_ns;
	r->until_ns = w->until_ns;
	r->begun = w->begun;
	r->address = w->address;
	r->count = 1;
	r->ns = r->longest_ns = w->until_ns - w->since_ns;
	r->runnable_ns = w->runnable_ns;
	r->others.count = r->is_long = 0;
}

static __always_inline void bpf_locks_wait_add_to_sum(struct locks_sum *s, const struct wait *w)
{
	__u64 ns = w->until_ns - w->since_ns;

	if (!s->count) {
		s->ns = s->longest_ns = s->runnable_ns = 0;
		s->begin_ns = w->since_ns;
	}
	s->count++;
	s->ns += ns;
	s->runnable_ns += w->runnable_ns;
	s->lock = w->lock;
	s->slept = w->slept;
	if (ns > s->longest_ns)
		s->longest_ns = ns;
}

static __always_inline void fill_sum(struct locks_record *r, struct locks_sum *s)
{
	r->since_ns = s->begin_ns;
	r->count = s->count;
	r->ns = s->ns;
	r->longest_ns = s->longest_ns;
	r->runnable_ns = s->runnable_ns;
	s->count = 0;
}

static __always_inline __u32 bpf_locks_wait_kind(__u32 lock, bool is_long)
{
	return (is_kernels(lock) ? LOCKS_OF_KERNEL : LOCKS_OF_FUTEXES) + (is_long ? LOCKS_LONG_OF_FUTEXES : 0);
}

/* Does the wait, which took ns, get a stack?  Most short waits do not. */
static __always_inline bool bpf_locks_wait_has_stack(const struct wait *w, bool is_long, struct locks_cpu *cpu)
{
	if (w->stack != LOCKS_UNDECIDED)
		return w->stack == LOCKS_TAKE;
	if (is_long)
		return stack_budget_allows(w->until_ns - w->since_ns, w->until_ns);
	return stack_budget_allows_sum(&cpu->paid_ns, w->until_ns, LOCKS_STACK_NS, LOCKS_STACKS_AT_ONCE);
}

/* Note the wait.  Returns the record that has to be completed with a stack and sent, or NULL if the wait was added to a
 * sum. */
static __always_inline struct locks_record *bpf_locks_wait_report(struct locks_slot *slot, struct wait *w, __u32 which)
{
	bool goes_on = w->until_ns > control.end_ns, is_long, taken;
	struct locks_cpu *cpu = bpf_locks_record_this_cpu();
	struct locks_record *r;
	struct locks_sum *sum;

	if (goes_on)
		w->until_ns = control.end_ns;
	if (!cpu || w->until_ns <= w->since_ns || w->asked)
		return NULL;
	is_long = goes_on || w->until_ns - w->since_ns >= rules.min_ns;
	taken = goes_on || bpf_locks_wait_has_stack(w, is_long, cpu);
	sum = &slot->sums[bpf_locks_wait_kind(w->lock, is_long) & (LOCKS_SUMS - 1)];
	if (!is_long || !taken)
		bpf_locks_wait_add_to_sum(sum, w);
	if (!taken)
		return NULL;
	r = bpf_locks_record_scratch(which);
	if (!r)
		return NULL;
	fill(r, slot, w);
	if (goes_on)
		r->kind = LOCKS_HELD;
	if (!is_long) {
		r->kind = LOCKS_SUM;
		fill_sum(r, sum);
	} else if (!goes_on && sum->count) {
		r->others = *sum;
		sum->count = 0;
	}
	return r;
}

static __always_inline struct wait wait_of(const struct locks_open *now, __u64 until_ns)
{
	struct wait w = {
		.since_ns = now->since_ns,
		.until_ns = until_ns,
		.address = now->address,
		.begun = now->begun,
		.lock = now->lock,
		.slept = 1,
		.owner_pid = now->owner_pid,
		.owner_tid = now->owner_tid,
		.stack = now->stack,
		.asked = now->asked,
	};

	return w;
}

/* End the wait of a thread, and return it. */
static __always_inline struct wait take_wait(struct locks_slot *slot, const struct task_struct *task, __u64 until_ns)
{
	struct wait w = wait_of(&slot->now, until_ns);

	w.slept = has_slept(&slot->now, task);
	w.runnable_ns = runnable_of(&slot->now, task, until_ns);
	slot->now.since_ns = 0;
	return w;
}

/* A fast path for the most frequent case: a short wait for a futex, without a stack.  Returns false for all other
 * waits. */
static __always_inline bool add_short(struct locks_slot *slot, const struct task_struct *task, __u64 now,
				      struct locks_cpu *cpu)
{
	struct locks_sum *s = &slot->sums[LOCKS_OF_FUTEXES];
	struct locks_open *open = &slot->now;
	__u64 ns = now - open->since_ns;

	if (control.end_ns != SPAN_NOT_YET || now <= open->since_ns || ns >= rules.min_ns || open->stack ||
	    open->asked || !s->count || stack_is_due(&cpu->paid_ns, now))
		return false;
	s->count++;
	s->ns += ns;
	s->runnable_ns += runnable_of(open, task, now);
	s->lock = open->lock;
	s->slept = 1;
	if (ns > s->longest_ns)
		s->longest_ns = ns;
	open->since_ns = 0;
	return true;
}

#endif
