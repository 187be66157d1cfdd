/* sched: how long each thread is in which scheduler state, on which CPU, and who has
 * the CPU that it waits for.  Shared data, and how time is charged: bpf/sched.h.
 *
 * Switches of a thread happen under the lock of its run queue, so that no two programs change the thread's data at the
 * same time.  Wakeups are not under that lock; their program does not touch a thread that is on a CPU or leaving one.
 * Looks are not, either: see sched_look.bpf.h. */
#include "bpf/chain.bpf.h"
#include "bpf/sched_look.bpf.h"
#include "bpf/sched_slots.bpf.h"
#include "bpf/states.bpf.h"

char LICENSE[] SEC("license") = "GPL";

enum {
	BUDGET_SHIFT = 12, /* one step every 4 us, and one for each switch, cost a few percent of a CPU */
	BUDGET_MOST = 1 << 15,
	ON_ITS_WAY_NS = 1000000, /* leaving the CPU takes microseconds, unless the machine is stopped */
};

static __always_inline void bpf_sched_throttle(struct sched_thread *t, struct task_struct *task)
{
	t->throttled_queue = queue_of(task);
	t->throttled_before_ns = queue_throttled_ns(t->throttled_queue);
}

static __always_inline void switch_out(struct moment *m, struct sched_cpu *cpu, __u32 cpu_nr, struct task_struct *task,
				       bool preempt, __u32 bits)
{
	__u64 since = cpu->now.begin_ns;
	__u32 slot = slot_of(task, RECORDING_RUNNING, since), state;
	struct sched_thread *t = bpf_map_lookup_elem(&sched_threads, &slot);
	struct target_thread *thread;

	if (!slot || !t)
		return;
	not_before(m, t->since_ns);
	bpf_sched_note_priority(t, task);
	state = task->pid ? state_of(task, preempt, bits) : RECORDING_DEAD;
	if (cpu->wanted)
		end_interval(m, t, SCHED_KEY(RECORDING_RUNNING, cpu_nr), t->moved);
	t->last_cpu = cpu_nr;
	if (unlikely(state == RECORDING_DEAD) && task->pid) {
		thread = target_thread(t->tid);
		if (thread)
			thread->slot = thread->skipped = 0;
	}
	begin_interval(t, state, cpu_nr, m->now);
	if (unlikely(state == RECORDING_THROTTLED))
		bpf_sched_throttle(t, task);
	if (unlikely(state == RECORDING_DEAD) && task->pid)
		t->end_ns = m->now;
}

/* Was the thread being woken when it went to sleep? */
static __always_inline bool woken_on_its_way(const struct sched_thread *t)
{
	return t->state >= RECORDING_SLEEPING && t->state < RECORDING_DEAD &&
	       t->waking_ns + ON_ITS_WAY_NS > t->since_ns;
}

static __noinline int wake_on_its_way(const struct moment *m, struct sched_thread *t, __u32 cpu_nr)
{
	struct moment then = *m;

	then.now = t->waking_ns > t->since_ns ? t->waking_ns : t->since_ns;
	if (then.now < m->epoch) /* the time before the epoch may be reported already */
		then.now = m->epoch;
	if (then.now > m->now) /* but the thread runs by now */
		then.now = m->now;
	if (!sched_some_cpus)
		end_interval(&then, t, SCHED_KEY(t->state, 0), 0);
	begin_interval(t, RECORDING_WOKEN, cpu_nr, then.now);
	return 0;
}

/* Was the thread woken where its group was throttled, and put into the queue of this CPU, where it may not be? */
static __always_inline bool bpf_sched_has_gone(const struct sched_thread *t, __u32 cpu_nr)
{
	return t->state == RECORDING_THROTTLED && t->woken_throttled && t->cpu != cpu_nr;
}

/* The thread was throttled until until_ns, and has waited for this CPU since. */
static __noinline int bpf_sched_unthrottle(const struct moment *m, struct sched_thread *t, __u32 cpu_nr, __u64 until_ns)
{
	struct moment then = *m;

	then.now = until_ns;
	if (then.now < m->epoch && !sched_events) /* the time before the epoch may be reported already */
		then.now = m->epoch;
	if (!sched_some_cpus)
		end_interval(&then, t, SCHED_KEY(RECORDING_THROTTLED, 0), 0);
	begin_interval(t, t->woken_throttled ? RECORDING_WOKEN : RECORDING_QUANTUM, cpu_nr, then.now);
	return 0;
}

/* A thread has come onto the CPU. */
static __always_inline void arrive(const struct moment *m, struct sched_cpu *cpu, __u32 cpu_nr, struct sched_thread *t,
				   struct task_struct *task)
{
	__u64 until;

	if (unlikely(woken_on_its_way(t)))
		wake_on_its_way(m, t, cpu_nr);
	if (unlikely(bpf_sched_has_gone(t, cpu_nr)))
		t->state = RECORDING_WOKEN;
	if (unlikely(t->state == RECORDING_THROTTLED)) {
		until = throttled_until(task, t->throttled_queue, t->since_ns, t->throttled_before_ns, m->now);
		if (until < m->now)
			bpf_sched_unthrottle(m, t, cpu_nr, until);
	}
	t->woken_throttled = 0;
	if (is_waiting(t->state)) {
		if (cpu->wanted)
			charge_wait(m, cpu, t, true);
	} else if (t->state != RECORDING_DEAD && !sched_some_cpus) {
		end_interval(m, t, SCHED_KEY(t->state, 0), 0);
	}
	t->moved = t->last_cpu != cpu_nr && t->last_cpu != (__u32)-1;
	begin_interval(t, RECORDING_RUNNING, cpu_nr, m->now);
}

static __always_inline void bpf_sched_next_slice(struct sched_cpu *cpu, __u64 now, __u32 tid)
{
	__u64 steps = cpu->budget + 1 + ((now - cpu->now.begin_ns) >> BUDGET_SHIFT);

	cpu->budget = steps < BUDGET_MOST ? (__u32)steps : BUDGET_MOST;
	cpu->slices[cpu->head++ & (SCHED_SLICES - 1)] = cpu->now;
	cpu->now.begin_ns = now;
	cpu->now.tid = tid;
}

/* Report a thread that came to a guarded CPU.  The stack is that of the thread's last switch, or of its fork. */
static __noinline int tell_entry(const struct moment *m, __u32 cpu_nr, struct task_struct *task)
{
	__u64 key = (__u64)(__u32)task->pid << 32 | cpu_nr;
	struct sched_name name, *last = bpf_map_lookup_elem(&sched_entries, &key);
	struct sched_entry *e;
	long size;

	bpf_probe_read_kernel(name.comm, sizeof(name.comm), task->comm);
	if (last) {
		*last = name;
		return 0;
	}
	e = bpf_ringbuf_reserve(&sched_ring, sizeof(*e), 0);
	if (!e) /* the thread is reported the next time */
		return 0;
	bpf_map_update_elem(&sched_entries, &key, &name, BPF_ANY);
	e->kind = SCHED_ENTRY;
	e->pid = (__u32)task->tgid;
	e->tid = (__u32)task->pid;
	e->cpu = cpu_nr;
	e->time_ns = m->now;
	e->name = name;
	size = bpf_get_task_stack(task, e->stack, sizeof(e->stack), 0);
	e->stack_count = size > 0 ? (__u64)size >> 3 : 0;
	bpf_ringbuf_submit(e, 0);
	return 0;
}

static __always_inline void switch_in(struct moment *m, struct sched_cpu *cpu, __u32 cpu_nr, struct task_struct *task)
{
	__u32 slot = slot_of(task, RECORDING_WOKEN, first_seen(m));
	struct sched_thread *t = bpf_map_lookup_elem(&sched_threads, &slot);

	if (unlikely(sched_guard && cpu->guarded) && task->pid)
		tell_entry(m, cpu_nr, task);
	if (!slot || !t)
		return;
	not_before(m, t->charged_ns > t->since_ns ? t->charged_ns : t->since_ns);
	arrive(m, cpu, cpu_nr, t, task);
}

/* prev runs on this CPU, but we thought that another thread did.  So that thread must have left unseen, and prev must
 * have come.  Some kernels hide the switches of some processes, and a program does not run while another one is active
 * on the same CPU.  The CPU time of prev shows since when it has run. */
static __noinline int repair(const struct moment *m, struct sched_cpu *cpu, __u32 cpu_nr, struct task_struct *prev)
{
	__u64 ran = prev->se.sum_exec_runtime - prev->se.prev_sum_exec_runtime;
	__u32 left_slot = known_slot(cpu->now.tid, cpu_nr), came_slot = known_slot((__u32)prev->pid, cpu_nr);
	struct sched_thread *left = bpf_map_lookup_elem(&sched_threads, &left_slot);
	struct sched_thread *came = bpf_map_lookup_elem(&sched_threads, &came_slot);
	struct moment then = *m;
	bool left_here;

	if (!left || !came)
		return 0;
	then.now = cpu->now.begin_ns;
	if (prev->pid && ran < m->now - then.now)
		then.now = m->now - ran;
	if (then.now < m->epoch)
		then.now = m->epoch;
	if (came_slot)
		not_before(&then, came->charged_ns > came->since_ns ? came->charged_ns : came->since_ns);
	left_here = left_slot && left->state == RECORDING_RUNNING && left->cpu == cpu_nr;
	if (left_here) /* otherwise the thread runs, or ran, elsewhere */
		not_before(&then, left->since_ns);
	if (left_slot || came_slot) {
		__sync_fetch_and_add(&sched_control.missed_switches, 1);
		__sync_fetch_and_add(&sched_control.missed_ns, then.now - cpu->now.begin_ns);
	}
	if (left_here) {
		if (cpu->wanted)
			end_interval(&then, left, SCHED_KEY(RECORDING_RUNNING, cpu_nr), left->moved);
		begin_interval(left, cpu->now.tid ? RECORDING_STATE_UNKNOWN : RECORDING_DEAD, cpu_nr, then.now);
	}
	if (came_slot && came->state != RECORDING_RUNNING)
		arrive(&then, cpu, cpu_nr, came, prev);
	bpf_sched_next_slice(cpu, then.now, (__u32)prev->pid);
	return 0;
}

/* At the first switch on a CPU, we learn that prev has run since the start, and not the idle thread as we had
 * assumed. */
static __noinline int begin_slices(struct sched_cpu *cpu, __u32 cpu_nr, __u32 tid)
{
	__u32 slot = sched_idle_slot + cpu_nr;
	struct sched_thread *idle = bpf_map_lookup_elem(&sched_threads, &slot);

	cpu->now.begin_ns = sched_control.begin_ns;
	cpu->now.tid = tid;
	if (tid && idle)
		begin_interval(idle, RECORDING_DEAD, cpu_nr, cpu->now.begin_ns);
	return 0;
}

static __always_inline void bpf_sched_on_switch(bool preempt, struct task_struct *prev, struct task_struct *next,
						__u32 bits)
{
	__u32 cpu_nr = bpf_get_smp_processor_id();
	struct sched_cpu *cpu = bpf_map_lookup_elem(&sched_cpus, &cpu_nr);
	struct moment m;

	if (unlikely(!cpu || !moment_at(&m, chain_now(CHAIN_SWITCH))))
		return;
	if (unlikely(!cpu->now.begin_ns))
		begin_slices(cpu, cpu_nr, (__u32)prev->pid);
	else if (unlikely(cpu->now.tid != (__u32)prev->pid))
		repair(&m, cpu, cpu_nr, prev);
	switch_out(&m, cpu, cpu_nr, prev, preempt, bits);
	switch_in(&m, cpu, cpu_nr, next);
	bpf_sched_next_slice(cpu, m.now, (__u32)next->pid);
}

SEC("tp_btf/sched_switch")
int BPF_PROG(sched_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int state)
{
	bpf_sched_on_switch(preempt, prev, next, state);
	return chain_switch_end(ctx);
}

/* For Linux before 5.18. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(sched_switch_4, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	bpf_sched_on_switch(preempt, prev, next, task_state(prev));
	return chain_switch_end(ctx);
}

/* A wait begins with sched_waking, as in perf and in our other collectors, rather than with sched_wakeup, when the
 * thread enters a CPU's queue.  If the thread is still leaving its CPU, the time is noted for arrive().  Other threads
 * that are woken again already wait or run. */
static __always_inline void bpf_sched_on_waking(struct task_struct *task)
{
	__u32 slot, state;
	bool on_cpu = task_runs(task);
	struct sched_thread *t;
	struct moment m;

	if (unlikely(!moment_at(&m, chain_now(CHAIN_WAKING))))
		return;
	slot = slot_of(task, on_cpu ? RECORDING_RUNNING : blocked_state(task, task_state(task)), first_seen(&m));
	t = bpf_map_lookup_elem(&sched_threads, &slot);
	if (!slot || !t)
		return;
	state = *(volatile __u32 *)&t->state;
	if (state == RECORDING_DEAD || is_waiting(state) || state == RECORDING_THROTTLED)
		return;
	if ((state == RECORDING_RUNNING && on_cpu) || !*(volatile __u64 *)&t->since_ns) {
		t->waking_ns = m.now;
		return;
	}
	if (unlikely(state == RECORDING_STATE_UNKNOWN)) /* the thread left its CPU unseen */
		state = blocked_state(task, task_state(task));
	else if (unlikely(state == RECORDING_RUNNING)) /* the thread left its CPU unseen, at an unknown time */
		state = RECORDING_STATE_UNKNOWN;
	not_before(&m, *(volatile __u64 *)&t->since_ns); /* the thread may have just gone to sleep */
	if (!sched_some_cpus)
		end_interval(&m, t, SCHED_KEY(state, 0), 0);
	if (unlikely(wakes_throttled(task))) {
		t->woken_throttled = 1;
		bpf_sched_throttle(t, task);
		begin_interval(t, RECORDING_THROTTLED, task_cpu(task), m.now);
	} else {
		begin_interval(t, RECORDING_WOKEN, task_cpu(task), m.now);
	}
}

SEC("tp_btf/sched_waking")
int BPF_PROG(sched_waking, struct task_struct *task)
{
	bpf_sched_on_waking(task);
	return chain_waking_end(ctx);
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(sched_wakeup_new, struct task_struct *task)
{
	struct moment m;

	if (moment_now(&m))
		slot_of(task, RECORDING_WOKEN, m.now);
	return 0;
}

/* A thread that calls execve(2) becomes the first one of its process and takes its id.
 * A COMMAND begins here. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(sched_exec, struct task_struct *task, int old_tid)
{
	struct target_thread *from = target_thread((__u32)old_tid), *to = target_thread((__u32)task->pid);
	struct sched_thread *t;
	struct moment m;
	__u32 slot;

	if (!from || !to)
		return 0;
	if (from->decision == TARGET_AT_EXEC) {
		to->decision = TARGET_YES;
		if (moment_now(&m))
			add_thread(task, to, RECORDING_RUNNING, m.now);
		return 0;
	}
	if (from == to)
		return 0;
	slot = from->slot;
	from->slot = 0;
	to->decision = from->decision;
	t = bpf_map_lookup_elem(&sched_threads, &slot);
	if (!slot || !t)
		return 0;
	if (to->slot) { /* the thread was already seen under its new id */
		t->end_ns = t->since_ns;
		return 0;
	}
	t->tid = (__u32)task->pid;
	to->slot = slot;
	return 0;
}

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} __attribute__((preserve_access_index));

/* A thread has left its CPU unseen: if it is asleep now, its state can be read. */
static __always_inline void bpf_sched_find_state(struct task_struct *task, __u32 slot, __u32 bits)
{
	struct sched_thread *t = bpf_map_lookup_elem(&sched_threads, &slot);

	if (t && t->state == RECORDING_STATE_UNKNOWN && bits && !task->on_cpu &&
	    blocked_state(task, bits) < RECORDING_DEAD)
		__sync_val_compare_and_swap(&t->state, RECORDING_STATE_UNKNOWN, blocked_state(task, bits));
}

/* The collector runs this after the start, to find the state of threads that had no event so far; and again
 * whenever the state of some threads is unknown. */
SEC("iter/task")
int sched_scan(struct bpf_iter__task *ctx)
{
	struct task_struct *task = ctx->task;
	struct target_thread *thread;
	__u32 bits, state;

	if (!task)
		return 0;
	thread = target_thread((__u32)task->pid);
	bits = task_state(task);
	if (!thread || bits & TASK_NEW || !is_target(task, thread))
		return 0;
	if (thread->slot || sched_control.scanned) {
		bpf_sched_find_state(task, thread->slot, bits);
		return 0;
	}
	if (task->on_cpu)
		state = RECORDING_RUNNING;
	else
		state = bits ? blocked_state(task, bits) : RECORDING_WOKEN;
	if (state != RECORDING_DEAD)
		add_thread(task, thread, state, sched_control.begin_ns);
	return 0;
}
