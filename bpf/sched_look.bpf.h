/* sched_look: charges ongoing waits: those of threads that move to another CPU, and those that the collector looks at
 * (collect/sched/sched.c). */
#ifndef BPF_SCHED_LOOK_BPF_H
#define BPF_SCHED_LOOK_BPF_H

#include "bpf/charge.bpf.h"

enum { LOCK_TRIES = 1024, LOCK_TRIES_AT_ONCE = 32 };

/* The kernel would verify a single loop over all tries step by step in each program, which would double the time that a
 * start takes. */
__noinline int try_to_lock(struct sched_cpu *cpu, __u32 tries)
{
	for (__u32 i = 0; cpu && i < LOCK_TRIES_AT_ONCE && i < tries; i++) {
		if (!*(volatile __u32 *)&cpu->busy && !__sync_val_compare_and_swap(&cpu->busy, 0, 1))
			return 1;
	}
	return 0;
}

/* Take the lock of a CPU, since a look and a move may concern the same thread.  Looks are short. */
__noinline int lock_cpu(struct sched_cpu *cpu, __u32 tries)
{
	for (__u32 i = 0; cpu && i < LOCK_TRIES && i < tries; i += LOCK_TRIES_AT_ONCE) {
		if (try_to_lock(cpu, tries - i))
			return 1;
	}
	return 0;
}

static __always_inline void unlock_cpu(struct sched_cpu *cpu)
{
	__sync_fetch_and_and(&cpu->busy, 0);
}

static __always_inline void charge_unknown(const struct moment *m, struct sched_thread *t)
{
	__u64 how = CHARGE_HOW(m, 0, 0);

	if (sched_events)
		how |= charge_single(DETAIL_PART, m->now - t->charged_ns, m->now);
	count_others(m->now - t->charged_ns);
	charge_part(t, SCHED_KEY(t->state, SCHED_OTHERS), t->charged_ns, m->now, how);
}

/* When a waiting thread moves to the queue of another CPU, charge its wait so far to the threads that ran on the old
 * CPU. (A thread in no queue is being woken: it only gets another CPU.) */
SEC("tp_btf/sched_migrate_task")
int BPF_PROG(sched_migrate_task, struct task_struct *task, int to)
{
	__u32 tid = (__u32)task->pid, from = task_cpu(task);
	struct target_thread *thread = target_thread(tid);
	struct sched_thread *t;
	struct sched_cpu *cpu;
	struct moment m;
	__u32 slot, locked;

	if (!thread || !thread->slot || !moment_now(&m))
		return 0;
	slot = thread->slot;
	t = bpf_map_lookup_elem(&sched_threads, &slot);
	cpu = bpf_map_lookup_elem(&sched_cpus, &from);
	if (!t || !cpu || !is_waiting(t->state))
		return 0;
	if (!task->on_rq) {
		t->cpu = (__u32)to;
		return 0;
	}
	locked = lock_cpu(cpu, LOCK_TRIES);
	not_before(&m, t->charged_ns);
	if (cpu->wanted && cpu->now.begin_ns && locked)
		charge_wait(&m, cpu, t, false);
	else if (cpu->wanted)
		charge_unknown(&m, t);
	t->charged_ns = m.now;
	t->cpu = (__u32)to;
	if (locked)
		unlock_cpu(cpu);
	return 0;
}

__noinline int look_at(struct sched_cpu *cpu, __u32 slot, __u32 cpu_nr, __u64 before_ns)
{
	struct sched_thread *t = bpf_map_lookup_elem(&sched_threads, &slot);
	struct moment m;

	if (!slot || !t || !cpu || !moment_now(&m))
		return 0;
	if (t->cpu != cpu_nr || !is_waiting(t->state) || !t->since_ns || t->since_ns >= before_ns ||
	    t->charged_ns >= before_ns)
		return 0;
	not_before(&m, t->charged_ns);
	charge_wait(&m, cpu, t, false);
	t->charged_ns = m.now;
	return 0;
}

/* The collector calls this on the CPU that the threads wait for, so that no switch can happen there in the meantime. */
SEC("raw_tp")
int sched_look(struct bpf_raw_tracepoint_args *ctx)
{
	__u32 cpu_nr = bpf_get_smp_processor_id();
	struct sched_cpu *cpu = bpf_map_lookup_elem(&sched_cpus, &cpu_nr);

	if (!cpu || !cpu->wanted || !cpu->now.begin_ns || !lock_cpu(cpu, 1))
		return 0;
#pragma unroll
	for (int i = 0; i < SCHED_LOOKS; i++)
		look_at(cpu, (__u32)ctx->args[1 + i], cpu_nr, ctx->args[0]);
	unlock_cpu(cpu);
	return 0;
}

#endif
