/* noise: who has a CPU, and for how long: threads, and the interrupts, softirqs, timers and work items that interrupt
 * them.
 *
 *     thread  |-------|          |----|    |---------|
 *     interrupt       |--|    |--|
 *     softirq            |----|
 *     timer                            |--|
 *
 * Each CPU has a stack of what is going on.  An event charges the time since the last one to its top, so that all time
 * is charged once.  An item that ends is sent as a record if it was long enough, else added to a sum: the records and
 * sums of a CPU add up to the time for which it was watched. */
#include "bpf/noise.h"
#include "bpf/exec.bpf.h"
#include "bpf/kernel.h"
#include "bpf/ring.bpf.h"
#include "bpf/targets.bpf.h"

char LICENSE[] SEC("license") = "GPL";

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct irqaction {
	const char *name;
};

struct timer_list {
	void *function;
};

struct work_struct {
	void *func;
};

struct bpf_iter__task {
	struct task_struct *task;
};

#pragma clang attribute pop

const volatile __u32 spins; /* the CPUs are meant for their threads with id run_tid */

__u32 turn; /* one more, each second */
__u32 run_tids[NOISE_CPUS];

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, NOISE_CPUS);
	__type(key, __u32);
	__type(value, struct noise_cpu);
} noise_cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, NOISE_SOURCES);
	__type(key, struct noise_key);
	__type(value, struct noise_sum);
} noise_sums SEC(".maps");

struct noise_thread {
	__u32 cpu, tid;
};

/* How long each thread has had each CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, NOISE_THREADS);
	__type(key, struct noise_thread);
	__type(value, __u64);
} noise_threads SEC(".maps");

static __always_inline bool bpf_noise_is_wanted(__u32 cpu)
{
	return cpu < NOISE_CPUS && rules.cpu_mask[cpu / 64 & 15] >> (cpu & 63) & 1;
}

/* The state of this CPU; NULL if the CPU is not watched, or if we have interrupted a program that is changing the
 * state. */
static __always_inline struct noise_cpu *bpf_noise_enter(__u32 *cpu, __u64 now)
{
	struct noise_cpu *c;

	*cpu = bpf_get_smp_processor_id();
	if (now < control.begin_ns || now >= control.end_ns || !bpf_noise_is_wanted(*cpu))
		return NULL;
	c = bpf_map_lookup_elem(&noise_cpus, cpu);
	if (!c)
		return NULL;
	if (c->busy) {
		c->missed++;
		return NULL;
	}
	c->busy = 1;
	c->events++;
	return c;
}

/* ---- threads ---- */

/* Is the CPU meant for this thread?  It is meant for the thread that the user named; without one, for the thread that
 * has had the CPU longest. */
static __always_inline bool is_run(const struct noise_cpu *c, __u32 cpu, struct task_struct *task)
{
	struct target_thread *thread;
	__u32 tid = (__u32)task->pid;

	if (!tid)
		return true;
	if (spins)
		return cpu < NOISE_CPUS && tid == run_tids[cpu];
	if (target_rules.everybody)
		return !c->main_ns || tid == c->main_tid;
	thread = target_thread(tid);
	return thread && is_target(task, thread);
}

static __always_inline void add_to_thread(struct noise_cpu *c, __u32 cpu, __u32 tid, __u64 ns)
{
	struct noise_thread key = { cpu, tid };
	__u64 *had = bpf_map_lookup_elem(&noise_threads, &key);

	if (had)
		ns += *had;
	bpf_map_update_elem(&noise_threads, &key, &ns, BPF_ANY);
	if (ns < c->main_ns)
		return;
	c->main_ns = ns;
	c->main_tid = tid;
}

static __always_inline void set_item(struct noise_item *item, const struct noise_cpu *c, __u32 cpu,
				     struct task_struct *task, __u64 now)
{
	item->id = (__u64)task->pid;
	item->pid = (__u32)task->tgid;
	item->kind = is_run(c, cpu, task) ? NOISE_RUN : NOISE_THREAD;
	item->ns = item->summed_ns = 0;
	item->begin_ns = now;
	bpf_probe_read_kernel(item->name, NOISE_NAME, task->comm);
}

static __always_inline void bpf_noise_set_thread(struct noise_cpu *c, __u32 cpu, struct task_struct *task, __u64 now)
{
	set_item(&c->items[0], c, cpu, task, now);
	c->depth = 1;
}

/* Find out soon after the start which thread has each CPU: if nothing ever happens on a CPU, all of its time is this
 * thread's. */
SEC("?iter/task")
int noise_look(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct noise_cpu *c;
	__u32 cpu;

	if (!task || !task->on_cpu)
		return 0;
	cpu = task_cpu(task);
	c = bpf_noise_is_wanted(cpu) ? bpf_map_lookup_elem(&noise_cpus, &cpu) : NULL;
	if (c)
		set_item(&c->first, c, cpu, task, control.begin_ns);
	return 0;
}

/* ---- what ends ---- */

__noinline int add_to_sum(struct noise_cpu *c, __u32 at, __u32 cpu, __u32 ends)
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
	key.pid = c->items[0].pid;
	key.tid = (__u32)c->items[0].id;
	key.turn = turn & 1;
	sum = bpf_map_lookup_elem(&noise_sums, &key);
	if (!sum) {
		bpf_map_update_elem(&noise_sums, &key, &none, BPF_NOEXIST);
		sum = bpf_map_lookup_elem(&noise_sums, &key);
		if (!sum) {
			c->unplaced += item->ns - item->summed_ns;
			c->unplaced_count++;
			item->summed_ns = item->ns;
			return 0;
		}
	}
	sum->ns += item->ns - item->summed_ns;
	sum->count += ends;
	__builtin_memcpy(sum->name, item->name, NOISE_NAME);
	if (ends && item->ns > sum->longest_ns) {
		sum->longest_ns = item->ns;
		sum->longest_at_ns = item->begin_ns;
	}
	item->summed_ns = item->ns;
	return 0;
}

__noinline int end_item(struct noise_cpu *c, __u32 at, __u32 cpu, __u64 now)
{
	struct noise_record r = { 0 };
	struct noise_item *item;

	if (!c || at >= NOISE_DEPTH)
		return 0;
	item = &c->items[at];
	if (item->kind == NOISE_RUN || item->ns < rules.min_ns)
		return add_to_sum(c, at, cpu, 1);
	r.id = item->id;
	r.ns = item->ns;
	r.begin_ns = item->begin_ns;
	r.end_ns = now;
	r.cpu = cpu;
	r.kind = item->kind;
	r.pid = c->items[0].pid;
	r.tid = (__u32)c->items[0].id;
	__builtin_memcpy(r.name, item->name, NOISE_NAME);
	/* If the ring has no room, the item is summed, so that no time is lost. */
	return ring_send(&r, sizeof(r), 1, r.ns > rules.urgent_ns) ? 0 : add_to_sum(c, at, cpu, 1);
}

/* ---- events ---- */

/* Charge the time until now to the top.  The first thread that is seen is taken to have had the CPU since the start. */
static __always_inline void bpf_noise_charge(struct noise_cpu *c, __u32 cpu, __u64 now)
{
	__u32 top;

	if (!c->depth) {
		c->since_ns = control.begin_ns;
		bpf_noise_set_thread(c, cpu, bpf_get_current_task_btf(), control.begin_ns);
	}
	top = c->depth - 1;
	if (top < NOISE_DEPTH && now > c->since_ns)
		c->items[top].ns += now - c->since_ns;
	if (now > c->since_ns)
		c->since_ns = now;
	/* A thread that goes on gets its time in each second. */
	if (c->turn != turn && c->items[0].kind == NOISE_RUN)
		add_to_sum(c, 0, cpu, 0);
	c->turn = turn;
}

/* Put an item on top. */
static __always_inline void bpf_noise_push(struct noise_cpu *c, __u32 kind, __u64 id, const char *name, __u64 now)
{
	struct noise_item *item;
	__u32 at = c->depth;

	if (at >= NOISE_DEPTH) {
		c->missed++;
		return;
	}
	item = &c->items[at];
	item->kind = kind;
	item->id = id;
	item->pid = 0;
	item->ns = item->summed_ns = 0;
	item->begin_ns = now;
	__builtin_memset(item->name, 0, NOISE_NAME);
	if (name)
		bpf_probe_read_kernel_str(item->name, NOISE_NAME, name);
	c->depth = at + 1;
}

static __always_inline int bpf_noise_begin(__u32 kind, __u64 id, const char *name)
{
	__u64 now = bpf_ktime_get_ns();
	struct noise_cpu *c;
	__u32 cpu;

	c = bpf_noise_enter(&cpu, now);
	if (!c)
		return 0;
	bpf_noise_charge(c, cpu, now);
	bpf_noise_push(c, kind, id, name, now);
	c->busy = 0;
	return 0;
}

/* End the innermost item of this kind, and all items in it; the thread below them stays. */
static __always_inline int bpf_noise_end(__u32 kind)
{
	__u64 now = bpf_ktime_get_ns();
	struct noise_cpu *c;
	__u32 cpu, found = 0;

	c = bpf_noise_enter(&cpu, now);
	if (!c)
		return 0;
	bpf_noise_charge(c, cpu, now);
	for (__u32 i = 1; i < NOISE_DEPTH; i++) {
		if (i < c->depth && c->items[i].kind == kind)
			found = i;
	}
	for (__u32 i = NOISE_DEPTH - 1; found && i > 0; i--) {
		if (i < c->depth && i >= found)
			end_item(c, i, cpu, now);
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

	c = bpf_noise_enter(&cpu, now);
	if (!c)
		return 0;
	bpf_noise_charge(c, cpu, now);
	for (__u32 i = NOISE_DEPTH; i > 0; i--) {
		if (i <= c->depth)
			end_item(c, i - 1, cpu, now);
	}
	if (target_rules.everybody && !spins)
		add_to_thread(c, cpu, (__u32)c->items[0].id, c->items[0].ns);
	bpf_noise_set_thread(c, cpu, next, now);
	c->busy = 0;
	return 0;
}

SEC("?tp_btf/irq_handler_entry")
int BPF_PROG(noise_irq, int irq, struct irqaction *action)
{
	const char *name = action->name;

	/* Devices can share an interrupt: the name in the id tells them apart. */
	return bpf_noise_begin(NOISE_INTERRUPT, (__u64)(unsigned long)name << 32 | (__u32)irq, name);
}

SEC("?tp_btf/irq_handler_exit")
int BPF_PROG(noise_irq_end)
{
	return bpf_noise_end(NOISE_INTERRUPT);
}

SEC("?tp_btf/softirq_entry")
int BPF_PROG(noise_softirq, unsigned int number)
{
	return bpf_noise_begin(NOISE_SOFTIRQ, number, NULL);
}

SEC("?tp_btf/softirq_exit")
int BPF_PROG(noise_softirq_end)
{
	return bpf_noise_end(NOISE_SOFTIRQ);
}

#define VECTOR(name, id)                                                    \
	SEC("?tp_btf/" #name "_entry") int noise_##name(void *context)      \
	{                                                                   \
		return bpf_noise_begin(NOISE_VECTOR, id, NULL);             \
	}                                                                   \
	SEC("?tp_btf/" #name "_exit") int noise_##name##_end(void *context) \
	{                                                                   \
		return bpf_noise_end(NOISE_VECTOR);                         \
	}

VECTOR(local_timer, NOISE_LOCAL_TIMER)
VECTOR(reschedule, NOISE_RESCHEDULE)
VECTOR(call_function, NOISE_CALL_FUNCTION)
VECTOR(call_function_single, NOISE_CALL_FUNCTION_SINGLE)
VECTOR(irq_work, NOISE_IRQ_WORK)
VECTOR(thermal_apic, NOISE_THERMAL)
VECTOR(x86_platform_ipi, NOISE_PLATFORM)
VECTOR(error_apic, NOISE_ERROR)
VECTOR(spurious_apic, NOISE_SPURIOUS)

/* A function that another CPU has this one call; Linux 6.4 and later.  (tp_btf does not let us read a pointer to a
 * function.) */
SEC("?raw_tp/csd_function_entry")
int noise_call(struct bpf_raw_tracepoint_args *context)
{
	return bpf_noise_begin(NOISE_CALL, context->args[0], NULL);
}

SEC("?raw_tp/csd_function_exit")
int noise_call_end(void *context)
{
	return bpf_noise_end(NOISE_CALL);
}

/* It is told when it is over. */
SEC("?tp_btf/nmi_handler")
int BPF_PROG(noise_nmi, void *handler, __s64 delta_ns)
{
	__u64 now = bpf_ktime_get_ns(), began;
	struct noise_cpu *c;
	__u32 cpu, at;

	c = bpf_noise_enter(&cpu, now);
	if (!c)
		return 0;
	began = delta_ns > 0 && (__u64)delta_ns < now ? now - (__u64)delta_ns : now;
	bpf_noise_charge(c, cpu, began);
	at = c->depth;
	bpf_noise_push(c, NOISE_NMI, (__u64)handler, NULL, c->since_ns);
	bpf_noise_charge(c, cpu, now);
	if (at < NOISE_DEPTH) {
		end_item(c, at, cpu, now);
		c->depth = at;
	}
	c->busy = 0;
	return 0;
}

SEC("?tp_btf/hrtimer_expire_entry")
int BPF_PROG(noise_hrtimer, struct hrtimer *timer)
{
	return bpf_noise_begin(NOISE_TIMER, (__u64)BPF_CORE_READ(timer, function), NULL);
}

SEC("?tp_btf/hrtimer_expire_exit")
int BPF_PROG(noise_hrtimer_end)
{
	return bpf_noise_end(NOISE_TIMER);
}

SEC("?tp_btf/timer_expire_entry")
int BPF_PROG(noise_timer, struct timer_list *timer)
{
	return bpf_noise_begin(NOISE_TIMER, (__u64)BPF_CORE_READ(timer, function), NULL);
}

SEC("?tp_btf/timer_expire_exit")
int BPF_PROG(noise_timer_end)
{
	return bpf_noise_end(NOISE_TIMER);
}

SEC("?tp_btf/workqueue_execute_start")
int BPF_PROG(noise_work, struct work_struct *work)
{
	return bpf_noise_begin(NOISE_WORK, (__u64)BPF_CORE_READ(work, func), NULL);
}

SEC("?tp_btf/workqueue_execute_end")
int BPF_PROG(noise_work_end)
{
	return bpf_noise_end(NOISE_WORK);
}
