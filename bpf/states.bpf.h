/* states: enum recording_state of a task, from its struct task_struct. */
#ifndef BPF_STATES_BPF_H
#define BPF_STATES_BPF_H

#include "bpf/kernel.h"
#include "core/format/recording.h"

const volatile __u32 have_regs = 1; /* bpf_task_pt_regs() exists: Linux 5.15 */
const volatile __u32 yield_nr = 24; /* number of the system call sched_yield(2) */

/* Did the task yield the CPU while it was runnable? */
static __always_inline bool has_yielded(struct task_struct *task)
{
	struct pt_regs *regs;

	if (task->flags & PF_KTHREAD)
		return true;
	if (!have_regs)
		return false;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
#ifdef __TARGET_ARCH_arm64
	return (__u32)regs->syscallno == yield_nr;
#else
	return regs->orig_ax == yield_nr;
#endif
}

/* What a task that is not runnable waits for, by the bits of its state. */
static __always_inline __u32 blocked_state(struct task_struct *task, __u32 bits)
{
	if (bits & TASK_DEAD_MASK)
		return RECORDING_DEAD;
	if (bits & TASK_NOLOAD) /* with TASK_UNINTERRUPTIBLE: TASK_IDLE */
		return RECORDING_IDLE;
	if (bits & (TASK_INTERRUPTIBLE | TASK_UNINTERRUPTIBLE) && BPF_CORE_READ_BITFIELD(task, in_iowait))
		return RECORDING_BLOCKED_IO;
	if (bits & TASK_INTERRUPTIBLE)
		return RECORDING_SLEEPING;
	if (bits & (TASK_UNINTERRUPTIBLE | TASK_RTLOCK_WAIT | TASK_FROZEN))
		return RECORDING_BLOCKED;
	if (bits & TASK_STOPPED)
		return RECORDING_STOPPED;
	if (bits & TASK_TRACED)
		return RECORDING_TRACED;
	if (bits & TASK_PARKED)
		return RECORDING_PARKED;
	return RECORDING_STATE_UNKNOWN;
}

/* Has its control group, or one above it, used up its quota of CPU time?  Up to Linux 6.17 the group's whole run queue
 * is taken off the CPU before the switch; since 6.18 each task is taken off when it returns to user code. */
static __always_inline bool is_queue_throttled(struct task_struct *task)
{
	struct cfs_rq *queue = NULL;

	if (!bpf_core_field_exists(task->se.cfs_rq) || !bpf_core_field_exists(queue->throttle_count))
		return false;
	queue = task->se.cfs_rq;
	return queue && queue->throttle_count > 0;
}

static __always_inline bool is_throttled(struct task_struct *task)
{
	return bpf_core_field_exists(task->throttled) ? task->throttled : is_queue_throttled(task);
}

/* Will a task that is being woken find its run queue taken off?  Since Linux 6.18 such a task gets a CPU first. */
static __always_inline bool wakes_throttled(struct task_struct *task)
{
	return !bpf_core_field_exists(task->throttled) && is_queue_throttled(task);
}

/* Functions that are not static are verified once, rather than at each call. */

/* For how long the run queue was throttled so far, before Linux 6.6: by a clock that is slower than others while the CPU
 * runs below its highest frequency, and that catches up when it is idle. */
static __always_inline __u64 queue_throttled_before_6_6(struct cfs_rq *queue)
{
	bool now = BPF_CORE_READ(queue, throttle_count) > 0;
	__u64 ns;

	if (bpf_core_field_exists(queue->throttled_clock_pelt_time)) {
		ns = BPF_CORE_READ(queue, throttled_clock_pelt_time);
		return now ? ns + BPF_CORE_READ(queue, rq, clock_pelt) - BPF_CORE_READ(queue, rq, lost_idle_time) -
				       BPF_CORE_READ(queue, throttled_clock_pelt)
			   : ns;
	}
	if (!bpf_core_field_exists(queue->throttled_clock_task_time))
		return 0;
	ns = BPF_CORE_READ(queue, throttled_clock_task_time);
	return now ? ns + BPF_CORE_READ(queue, rq, clock_task) - BPF_CORE_READ(queue, throttled_clock_task) : ns;
}

/* For how long the run queue at that address was throttled so far. */
__noinline __u64 queue_throttled_ns(__u64 address)
{
	struct cfs_rq *queue = (void *)address;
	__u64 ns, since;

	if (!bpf_core_field_exists(queue->throttled_clock_self_time))
		return queue_throttled_before_6_6(queue);
	ns = BPF_CORE_READ(queue, throttled_clock_self_time);
	since = BPF_CORE_READ(queue, throttled_clock_self);
	return since ? ns + BPF_CORE_READ(queue, rq, clock) - since : ns;
}

/* The run queue of the task's group on the task's CPU. */
static __always_inline __u64 queue_of(struct task_struct *task)
{
	return bpf_core_field_exists(task->se.cfs_rq) ? (__u64)BPF_CORE_READ(task, se.cfs_rq) : 0;
}

enum { LIMITS_DEPTH = 8 }; /* of nested control groups */

/* The first time after since_ns at which the group's limit was renewed; 0: it was not, or there is no limit. */
__noinline __u64 limit_renewed_by(__u64 address, __u64 since_ns)
{
	struct task_group *group = (void *)address;
	__u64 period = BPF_CORE_READ(group, cfs_bandwidth.period);
	__u64 next = BPF_CORE_READ(group, cfs_bandwidth.period_timer._softexpires);

	if (BPF_CORE_READ(group, cfs_bandwidth.quota) == ~0ULL || !period || next <= since_ns)
		return 0;
	return next - (next - since_ns - 1) / period * period;
}

/* When a limit of the group or of those above first gave new time after since_ns, if that was before now; else now. */
__noinline __u64 limit_renewed(__u64 address, __u64 since_ns, __u64 now)
{
	struct task_group *group = (void *)address;
	__u64 renewed = 0;

	if (!bpf_core_field_exists(group->cfs_bandwidth.period_timer))
		return now;
	for (int i = 0; i < LIMITS_DEPTH && group; i++) {
		__u64 next = limit_renewed_by((__u64)group, since_ns);

		if (next < now && next > renewed)
			renewed = next;
		group = BPF_CORE_READ(group, parent);
	}
	return renewed ? renewed : now;
}

/* Before Linux 6.6, the time for which the queue was throttled may be too short.  Then the thread was throttled at least
 * until a limit was renewed; longer if a timer was late, or if a small limit had been exceeded by more than a period's. */
static __always_inline __u64 throttled_before_6_6(struct task_struct *task, __u64 since_ns, __u64 until, __u64 now)
{
	__u64 renewed = limit_renewed((__u64)BPF_CORE_READ(task, se.cfs_rq, tg), since_ns, now);

	return renewed > until ? renewed : until;
}

/* The task is about to run, and was throttled from since_ns on, when queue_throttled_ns() of that queue was before_ns:
 * the time from which it only waited for a CPU, as others do; or now, if it did not.  No event tells when a task is no
 * longer throttled. */
static __always_inline __u64 throttled_until(struct task_struct *task, __u64 address, __u64 since_ns, __u64 before_ns,
					     __u64 now)
{
	struct cfs_rq *queue = NULL;
	__u64 ns, until;

	if (!bpf_core_field_exists(task->se.cfs_rq))
		return now;
	ns = queue_throttled_ns(address) - before_ns; /* of any size, if the group is gone */
	until = ns < now - since_ns ? since_ns + ns : now;
	if (!bpf_core_field_exists(queue->throttled_clock_self_time))
		until = throttled_before_6_6(task, since_ns, until, now);
	return until < now ? until : now;
}

/* The state of a task that is being switched out.  A task that was interrupted by a signal on its way to sleep is
 * runnable again. */
static __always_inline __u32 state_of(struct task_struct *task, bool preempt, __u32 bits)
{
	if (!preempt && bits && task_state(task))
		return blocked_state(task, bits);
	if (is_throttled(task))
		return RECORDING_THROTTLED;
	if (preempt)
		return RECORDING_PREEMPTED;
	return has_yielded(task) ? RECORDING_YIELDED : RECORDING_QUANTUM;
}

#endif
