/* noise: who has a CPU, and for how long: threads, and the interrupts, softirqs, timers and work that interrupt them.
 *
 *     thread  |-------|          |----|    |---------|
 *     interrupt       |--|    |--|
 *     softirq            |----|
 *     timer                            |--|
 *
 * Each CPU has a stack of what is going on.  An event charges the time since the last one to its top, so that all time is
 * charged once: the sums of a CPU add up to the time that it was watched. */
#include "bpf/noise.h"
#include "bpf/kernel.h"

char LICENSE[] SEC("license") = "GPL";

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct irqaction {
	const char *name;
};

struct hrtimer {
	void *function;
};

struct timer_list {
	void *function;
};

#pragma clang attribute pop

const volatile __u64 budget_ns = 0; /* 0: none */
const volatile __u64 cpu_mask[1024 / 64] = { 0 };

__u64 start_ns; /* 0: nothing is counted: not yet, or not any more */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct noise_cpu);
} noise_cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, NOISE_SOURCES);
	__type(key, struct noise_key);
	__type(value, struct noise_sum);
} noise_sums SEC(".maps");

/* The state of this CPU, if it is wanted and no program that we interrupt is at work on it. */
static __always_inline struct noise_cpu *enter(__u32 *cpu)
{
	struct noise_cpu *c;

	*cpu = bpf_get_smp_processor_id();
	if (!start_ns || *cpu >= 1024 || !(cpu_mask[*cpu / 64 & 15] >> (*cpu & 63) & 1))
		return NULL;
	c = bpf_map_lookup_elem(&noise_cpus, cpu);
	if (!c)
		return NULL;
	if (c->busy) {
		c->missed++;
		return NULL;
	}
	c->busy = 1;
	return c;
}

static __always_inline void set_thread(struct noise_item *item, struct task_struct *task, __u64 now)
{
	item->id = (__u64)task->pid;
	item->pid = (__u32)task->tgid;
	item->kind = NOISE_THREAD;
	item->ns = 0;
	item->begin_ns = now;
	bpf_probe_read_kernel(item->name, NOISE_NAME, task->comm);
}

/* Charge the time until now to the top.  What is seen first has had the CPU since the start. */
static __always_inline void charge(struct noise_cpu *c, __u64 now)
{
	__u32 top = c->depth - 1;

	if (!c->depth) {
		c->since_ns = start_ns;
		set_thread(&c->items[0], bpf_get_current_task_btf(), start_ns);
		c->depth = 1;
		top = 0;
	}
	if (top < NOISE_DEPTH && now > c->since_ns)
		c->items[top].ns += now - c->since_ns;
	if (now > c->since_ns)
		c->since_ns = now;
}

/* An item ends: add it to the sums. */
static __noinline int add_item(struct noise_cpu *c, __u32 at, __u32 cpu)
{
	static const struct noise_sum none;
	struct noise_key key = { 0 };
	struct noise_item *item;
	struct noise_sum *sum;

	if (!c || at >= NOISE_DEPTH)
		return 0;
	item = &c->items[at];
	key.id = item->id;
	key.cpu = cpu;
	key.kind = item->kind;
	sum = bpf_map_lookup_elem(&noise_sums, &key);
	if (!sum) {
		bpf_map_update_elem(&noise_sums, &key, &none, BPF_NOEXIST);
		sum = bpf_map_lookup_elem(&noise_sums, &key);
		if (!sum) {
			c->unplaced++;
			return 0;
		}
	}
	sum->ns += item->ns;
	sum->count++;
	sum->pid = item->pid;
	sum->over += budget_ns && item->ns > budget_ns;
	__builtin_memcpy(sum->name, item->name, NOISE_NAME);
	if (item->ns >= sum->longest_ns) {
		sum->longest_ns = item->ns;
		sum->longest_at = item->begin_ns;
	}
	return 0;
}

static __always_inline int begin(__u32 kind, __u64 id, const char *name)
{
	__u64 now = bpf_ktime_get_ns();
	struct noise_item *item;
	struct noise_cpu *c;
	__u32 cpu, at;

	c = enter(&cpu);
	if (!c)
		return 0;
	charge(c, now);
	at = c->depth;
	if (at < NOISE_DEPTH) {
		item = &c->items[at];
		item->kind = kind;
		item->id = id;
		item->pid = 0;
		item->ns = 0;
		item->begin_ns = now;
		__builtin_memset(item->name, 0, NOISE_NAME);
		if (name)
			bpf_probe_read_kernel_str(item->name, NOISE_NAME, name);
		c->depth = at + 1;
	} else {
		c->missed++;
	}
	c->busy = 0;
	return 0;
}

/* End the innermost item of this kind, and what is in it; the thread stays. */
static __always_inline int end(__u32 kind)
{
	__u64 now = bpf_ktime_get_ns();
	struct noise_cpu *c;
	__u32 cpu, found = 0;

	c = enter(&cpu);
	if (!c)
		return 0;
	charge(c, now);
	for (__u32 i = 1; i < NOISE_DEPTH; i++) {
		if (i < c->depth && c->items[i].kind == kind)
			found = i;
	}
	for (__u32 i = NOISE_DEPTH - 1; found && i > 0; i--) {
		if (i < c->depth && i >= found)
			add_item(c, i, cpu);
	}
	if (found)
		c->depth = found;
	c->busy = 0;
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(noise_switch, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	__u64 now = bpf_ktime_get_ns();
	struct noise_cpu *c;
	__u32 cpu;

	c = enter(&cpu);
	if (!c)
		return 0;
	charge(c, now);
	for (__u32 i = NOISE_DEPTH; i > 0; i--) {
		if (i <= c->depth)
			add_item(c, i - 1, cpu);
	}
	set_thread(&c->items[0], next, now);
	c->depth = 1;
	c->busy = 0;
	return 0;
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(noise_irq, int irq, struct irqaction *action)
{
	return begin(NOISE_INTERRUPT, (__u64)irq, action->name);
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(noise_irq_end)
{
	return end(NOISE_INTERRUPT);
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(noise_softirq, unsigned int number)
{
	return begin(NOISE_SOFTIRQ, number, NULL);
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(noise_softirq_end)
{
	return end(NOISE_SOFTIRQ);
}

#define VECTOR(name, id)                                                   \
	SEC("tp_btf/" #name "_entry") int noise_##name(void *context)      \
	{                                                                  \
		return begin(NOISE_VECTOR, id, NULL);                      \
	}                                                                  \
	SEC("tp_btf/" #name "_exit") int noise_##name##_end(void *context) \
	{                                                                  \
		return end(NOISE_VECTOR);                                  \
	}

VECTOR(local_timer, NOISE_LOCAL_TIMER)
VECTOR(reschedule, NOISE_RESCHEDULE)
VECTOR(call_function, NOISE_CALL_FUNCTION)
VECTOR(call_function_single, NOISE_CALL_FUNCTION_SINGLE)
VECTOR(irq_work, NOISE_IRQ_WORK)
VECTOR(thermal_apic, NOISE_THERMAL)

SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(noise_hrtimer, struct hrtimer *timer)
{
	return begin(NOISE_TIMER, (__u64)BPF_CORE_READ(timer, function), NULL);
}

SEC("tp_btf/hrtimer_expire_exit")
int BPF_PROG(noise_hrtimer_end)
{
	return end(NOISE_TIMER);
}

SEC("tp_btf/timer_expire_entry")
int BPF_PROG(noise_timer, struct timer_list *timer)
{
	return begin(NOISE_TIMER, (__u64)BPF_CORE_READ(timer, function), NULL);
}

SEC("tp_btf/timer_expire_exit")
int BPF_PROG(noise_timer_end)
{
	return end(NOISE_TIMER);
}

struct work_struct {
	void *func;
} __attribute__((preserve_access_index));

SEC("tp_btf/workqueue_execute_start")
int BPF_PROG(noise_work, struct work_struct *work)
{
	return begin(NOISE_WORK, (__u64)BPF_CORE_READ(work, func), NULL);
}

SEC("tp_btf/workqueue_execute_end")
int BPF_PROG(noise_work_end)
{
	return end(NOISE_WORK);
}
