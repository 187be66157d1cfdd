/* offcpu_watch: how long the threads of some CPUs were off the CPU: for each thread, the sum and the maximum.  The time
 * counts from the switch away to the switch back, including the wait for a CPU.
 *
 * There are two tables: while the collector reads and clears one, the other is filled, so
 * that nothing is lost. */
#include "bpf/kernel.h"
#include "bpf/offcpu/offcpu_watch.h"
#include "bpf/targets.bpf.h"

char LICENSE[] SEC("license") = "GPL";

const volatile __u64 cpu_mask[WATCH_CPUS / 64] = { 0 };

__u32 filling; /* which of the tables is being filled */
__u64 lost;    /* times not counted because the table was full */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* kernel.pid_max, then WATCH_CPUS for the idle threads */
	__type(key, __u32);
	__type(value, __u64);
} left_ns SEC(".maps");

struct watch_table {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, WATCH_THREADS);
	__type(key, __u32);
	__type(value, struct watch_sum);
} sums_0 SEC(".maps"), sums_1 SEC(".maps");

const volatile __u32 tid_limit = 1;

static __always_inline __u64 *left_at(__u32 tid)
{
	__u32 i = tid ? tid : tid_limit + bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&left_ns, &i);
}

static __always_inline bool bpf_offcpu_watch_cpu_wanted(__u32 cpu)
{
	return cpu < WATCH_CPUS && cpu_mask[cpu / 64] >> cpu % 64 & 1;
}

static __always_inline bool wanted(struct task_struct *task)
{
	struct target_thread *thread;

	if (target_rules.everybody)
		return true;
	thread = task->pid ? target_thread(task->pid) : NULL;
	return thread && is_target(task, thread);
}

static __always_inline void bpf_offcpu_watch_add(void *table, struct task_struct *task, __u64 ns)
{
	__u32 key = task->pid ? (__u32)task->pid : WATCH_IDLE | bpf_get_smp_processor_id();
	struct watch_sum *sum = bpf_map_lookup_elem(table, &key), first = { 0 };

	if (!sum) {
		bpf_map_update_elem(table, &key, &first, BPF_NOEXIST);
		sum = bpf_map_lookup_elem(table, &key);
	}
	if (!sum) {
		__sync_fetch_and_add(&lost, 1);
		return;
	}
	sum->ns += ns;
	sum->count++;
	if (ns > sum->longest_ns)
		sum->longest_ns = ns;
	__builtin_memcpy(sum->name, task->comm, sizeof(sum->name));
}

static __always_inline void bpf_offcpu_watch_switched(struct task_struct *prev, struct task_struct *next)
{
	__u64 now = bpf_ktime_get_ns(), *left = left_at(prev->pid);

	if (left) /* a new thread with the id of one that ended must not inherit its time */
		*left = task_state(prev) & TASK_DEAD_MASK ? 0 : now;
	if (!bpf_offcpu_watch_cpu_wanted(bpf_get_smp_processor_id()))
		return;
	left = left_at(next->pid);
	if (!left || !*left || !wanted(next))
		return;
	if (*(volatile __u32 *)&filling)
		bpf_offcpu_watch_add(&sums_1, next, now - *left);
	else
		bpf_offcpu_watch_add(&sums_0, next, now - *left);
}

/* The first three arguments are the same in all kernels, except some of 5.18. */
SEC("tp_btf/sched_switch")
int BPF_PROG(watch_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	bpf_offcpu_watch_switched(prev, next);
	return 0;
}
