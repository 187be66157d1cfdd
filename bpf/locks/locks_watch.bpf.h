/* locks_watch: tells the collector about ongoing waits, so that it can look at the owner of the lock meanwhile: at once
 * if the owner is not running, otherwise through a sample of the owner.
 *
 * A timer runs as long as some thread waits for a lock whose owner is known, and WATCH_LINGER_NS longer, so that a loop of
 * short waits does not start it again and again.  The programs at system calls must not use timers: they wake the
 * collector's thread, and locks_waking(), which sees every wake-up, starts the timer. */
#ifndef BPF_LOCKS_LOCKS_WATCH_BPF_H
#define BPF_LOCKS_LOCKS_WATCH_BPF_H

#include "bpf/locks/locks_kernel.bpf.h"
#include "bpf/locks/locks_wait.bpf.h"

const volatile __u64 watch_ns; /* waits of this length are reported while they go on; 0: none */

/* Waits are reported at most once in this time, or this many at once after a quiet time. */
#define WATCH_NS 4000000
#define WATCH_AT_ONCE 64
/* Between two looks of the timer there is at least this time for each slot in use. */
#define WATCH_EACH_NS 1000
#define WATCH_LEAST_NS 500000
#define WATCH_LINGER_NS 64000000

#define CLOCK_MONOTONIC 1

struct locks_watch {
	struct bpf_timer timer;
	__u64 paid_ns, until_ns; /* until_ns: without a wait until then, the timer ends */
	__u32 ready, unused;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct locks_watch);
} watches SEC(".maps");

__u32 watch_runs;   /* the timer does */
__u32 watch_wanted; /* it has to be started */

/* A ring for LOCKS_LASTS and LOCKS_COMPAT only, on which a thread of the collector sleeps. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 64 << 10);
} lasting SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, LOCKS_WANTED_MAX);
	__type(key, __u32);
	__type(value, struct locks_wanted);
} wanted SEC(".maps");

static __always_inline struct locks_watch *the_watch(void)
{
	return bpf_map_lookup_elem(&watches, &(__u32){ 0 });
}

/* A thread that was woken for one of the kernel's locks may have gone back to sleep. */
static __always_inline bool still_waits(const struct locks_slot *slot)
{
	return slot->now.since_ns && (is_kernels(slot->now.lock) || !slot->now.woken_ns);
}

/* ---- the timer ---- */

struct watch_look {
	struct locks_watch *watch;
	__u64 now, next_ns; /* until the next wait is long enough */
};

/* The owner of a kernel lock may have changed since the wait began. */
static __always_inline bool refresh_owner(struct locks_slot *slot)
{
	struct task_struct *owner;

	if (!is_kernels(slot->now.lock))
		return true;
	owner = owner_of((const void *)slot->now.address, slot->now.lock);
	if (!owner || (__u64)owner == slot->task)
		return false;
	slot->now.owner_tid = BPF_CORE_READ(owner, pid);
	slot->now.owner_pid = BPF_CORE_READ(owner, tgid);
	return true;
}

static __always_inline void tell(struct locks_slot *slot, __u32 number, __u64 now)
{
	struct locks_record *r = bpf_locks_record_scratch(SCRATCH_WATCH);
	struct wait w = wait_of(&slot->now, now);

	if (!r)
		return;
	fill(r, slot, &w);
	r->kind = LOCKS_LASTS;
	r->slot = number;
	bpf_locks_record_send(&lasting, r, BPF_RB_FORCE_WAKEUP);
}

static long watch_slot(void *map, __u32 *number, struct locks_slot *slot, struct watch_look *look)
{
	__u64 waited;

	(void)map;
	if (*number >= next_slot)
		return 1;
	if (slot->now.told || !slot->now.owner_tid || !still_waits(slot))
		return 0;
	waited = look->now > slot->now.since_ns ? look->now - slot->now.since_ns : 0;
	if (waited < watch_ns) {
		if (watch_ns - waited < look->next_ns)
			look->next_ns = watch_ns - waited;
		return 0;
	}
	slot->now.told = 1;
	if (stack_pay(&look->watch->paid_ns, look->now, WATCH_NS, WATCH_AT_ONCE) && refresh_owner(slot))
		tell(slot, *number, look->now);
	return 0;
}

/* watch_runs is cleared first, so that a wait that begins meanwhile starts the timer again. */
static int watch_all(void *map, __u32 *key, struct locks_watch *watch)
{
	struct watch_look look = { .watch = watch, .now = bpf_ktime_get_ns(), .next_ns = -1 };
	__u64 least = (__u64)next_slot * WATCH_EACH_NS;

	(void)map;
	(void)key;
	watch_runs = 0;
	if (control.end_ns != SPAN_NOT_YET)
		return 0;
	bpf_for_each_map_elem(&slots, watch_slot, &look, 0);
	if (look.next_ns != (__u64)-1)
		watch->until_ns = look.now + WATCH_LINGER_NS;
	else if (look.now < watch->until_ns)
		look.next_ns = watch_ns;
	else
		return 0;
	watch_runs = 1;
	if (least < WATCH_LEAST_NS)
		least = WATCH_LEAST_NS;
	bpf_timer_start(&watch->timer, look.next_ns < least ? least : look.next_ns, 0);
	return 0;
}

/* Call it once, before the first wait that is to be watched. */
static __always_inline void watch_prepare(void)
{
	struct locks_watch *watch = watch_ns ? the_watch() : NULL;

	if (!watch || watch->ready || bpf_timer_init(&watch->timer, &watches, CLOCK_MONOTONIC) ||
	    bpf_timer_set_callback(&watch->timer, watch_all))
		return;
	watch->ready = 1;
}

/* A wait has begun, and its owner is known. */
static __always_inline void watch_wait(void)
{
	struct locks_watch *watch = watch_ns && !watch_runs ? the_watch() : NULL;

	if (!watch || !watch->ready)
		return;
	watch_runs = 1;
	bpf_timer_start(&watch->timer, watch_ns, 0);
}

/* The same for a program that must not use the timer. */
static __always_inline void watch_ask(void)
{
	__u64 nothing = 0;

	if (!watch_ns || watch_runs || watch_wanted)
		return;
	watch_wanted = 1;
	bpf_ringbuf_output(&lasting, &nothing, sizeof(nothing), BPF_RB_FORCE_WAKEUP);
}

/* A thread is woken. */
static __always_inline void watch_answer(void)
{
	if (likely(!watch_wanted))
		return;
	watch_wanted = 0;
	watch_wait();
}

/* ---- the owner ---- */

struct seq_file;

struct bpf_iter_meta {
	struct seq_file *seq;
} __attribute__((preserve_access_index));

struct bpf_iter__task {
	struct bpf_iter_meta *meta;
	struct task_struct *task;
} __attribute__((preserve_access_index));

__u32 holder_tid; /* whom locks_holder looks for */

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct locks_holder);
} holders SEC(".maps");

static __always_inline void look_at_holder(struct task_struct *task, struct locks_holder *h)
{
	struct user_place place = user_place(task);
	long bytes = 0;

	h->kernel_thread = !!(task->flags & PF_KTHREAD);
	/* The kernel stack of a thread that was preempted in user code shows nothing but the switch. */
	if (task_state(task) || place.in_system_call || h->kernel_thread)
		bytes = bpf_get_task_stack(task, h->kernel, sizeof(h->kernel), 0);
	h->kernel_count = bytes < 0 ? 0 : (__s32)(bytes / sizeof(__u64));
	if (h->kernel_thread)
		return;
	h->ip = place.ip;
	h->sp = place.sp;
	h->bp = place.bp;
	h->registers = copy_registers(task, (struct user_copy *)h->copy) != 0;
}

/* The collector reads a struct locks_holder from this. */
SEC("iter/task")
int locks_holder(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	struct locks_holder *h = bpf_map_lookup_elem(&holders, &(__u32){ 0 });

	if (!task || !h || (__u32)task->pid != holder_tid)
		return 0;
	h->tid = task->pid;
	h->pid = task->tgid;
	h->runs = task->on_cpu;
	h->run_ns = task->se.sum_exec_runtime;
	h->ip = h->sp = h->bp = 0;
	h->registers = 0;
	h->kernel_count = 0;
	if (!h->runs && !(task_state(task) & TASK_DEAD_MASK))
		look_at_holder(task, h);
	bpf_seq_write(context->meta->seq, h, sizeof(*h));
	return 0;
}

/* A clock of an owner that runs. */
SEC("perf_event")
int locks_sample(void *context)
{
	__u64 current = bpf_get_current_pid_tgid();
	__u32 tid = (__u32)current;
	struct locks_wanted *known = bpf_map_lookup_elem(&wanted, &tid), w;
	struct locks_slot *slot;
	struct locks_record *r;

	if (!known)
		return 0;
	w = *known;
	bpf_map_delete_elem(&wanted, &tid);
	slot = bpf_map_lookup_elem(&slots, &w.slot);
	r = slot && slot->now.begun == w.begun && still_waits(slot) ? bpf_locks_record_scratch(SCRATCH_SAMPLE) : NULL;
	if (!r)
		return 0;
	r->kind = LOCKS_MEANWHILE;
	r->pid = w.pid;
	r->tid = w.tid;
	r->begun = w.begun;
	r->owner_pid = current >> 32;
	r->owner_tid = tid;
	r->until_ns = bpf_ktime_get_ns();
	bpf_locks_record_add_kernel_stack(context, r);
	if (r->kernel_count < 0) /* it was in user code */
		r->kernel_count = 0;
	bpf_locks_record_add_user_stack(context, r);
	bpf_locks_record_emit(r);
	return 0;
}

#endif
