/* offcpu: how long threads are blocked, and where.
 *
 * Most blocks are short, and a stack costs more than all the rest; so none is taken
 * before a block has turned out to be long enough:
 *
 *     sched_switch, prev      the time and the state are noted
 *     sched_waking            the time; the waker's stack
 *     sched_switch, next      the kernel stack, which has not moved
 *     sched_exit_tp, next     the user stack (Linux 6.16), or before that:
 *     sys_exit                the user stack, to which the system call returns
 *
 * The user stack of a thread that is being switched in cannot be taken; only that of
 * the current one.  For those whose stacks are walked it is copied then, with the registers. */
#include "bpf/kernel.h"
#include "bpf/offcpu.h"
#include "bpf/slots.bpf.h"
#include "bpf/states.bpf.h"
#include "collect/recording.h"

char LICENSE[] SEC("license") = "GPL";

/* Options. */
const volatile __u64 min_ns, max_ns;
const volatile __u32 state_mask;     /* 1 << enum recording_state */
const volatile __u32 some_cpus;      /* only what comes back on those of: */
const volatile __u64 cpu_mask[OFFCPU_CPUS / 64] = {0};
const volatile __u32 wakers;         /* take the stacks of wakers */
const volatile __u32 at_exit;        /* offcpu_exit() is attached, else offcpu_return() */
const volatile __u32 walks;          /* enum offcpu_walks */
const volatile __u64 copy_below = 1 << 20; /* no copies when so much is in the ring: of short records it holds many */
const volatile __u64 wake_at = 1 << 20; /* wake the collector when so much is in the ring */

/* What could not be recorded. */
__u64 lost_records;
__u64 end_ns;  /* of the recording; 0: not known yet */
__u32 look;    /* enum offcpu_look */

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct offcpu_slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} ring SEC(".maps");

/* One for each thing that can interrupt another. */
enum scratch { SCRATCH_SWITCH, SCRATCH_WAKING, SCRATCH_RETURN, SCRATCH_LOOK, SCRATCHES };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SCRATCHES);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct offcpu_record)); /* and OFFCPU_COPY_MAX, if any are copied */
} scratches SEC(".maps");

/* OFFCPU_WALK_SOME: these processes. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1); /* as many as there are */
	__type(key, __u32);
	__type(value, __u32);
} walked SEC(".maps");

/* The record in SCRATCH_SWITCH waits for its user stack. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} unfinished SEC(".maps");

static __always_inline void count(__u64 *counter)
{
	__sync_fetch_and_add(counter, 1);
}

/* ---- threads ---- */

static __always_inline struct offcpu_slot *slot_find(__u32 tid)
{
	__u32 i = slot_known(tid);

	return i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);
}

/* The thread's slot, taken if it has none; NULL if it is no target. */
static __always_inline struct offcpu_slot *slot_get(struct task_struct *task)
{
	bool fresh = false;
	__u32 i = slot_take(task, &fresh);
	struct offcpu_slot *slot = i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);

	/* Of a thread whose end was not seen, another one may have the id. */
	if (slot && (fresh || slot->pid != (__u32)task->tgid)) {
		slot->since_ns = slot->woken_ns = slot->asked_ns = 0;
		slot->wants_user = 0;
		slot->pid = task->tgid;
		slot->tid = task->pid;
	}
	return slot;
}

static __always_inline void slot_drop(__u32 tid)
{
	struct offcpu_slot *slot = slot_find(tid);

	if (slot) {
		slot->since_ns = 0;
		slot->tid = 0;
		slot_give_back(tid);
	}
}

/* ---- records ---- */

static __always_inline void emit(struct offcpu_record *r)
{
	__u64 size = offsetof(struct offcpu_record, stack), fill;
	__u32 entries = 0;

	if (r->kernel_count > 0)
		entries = r->kernel_count;
	if (r->user_count > 0)
		entries += r->user_count;
	if (entries > 2 * OFFCPU_FRAMES)
		entries = 2 * OFFCPU_FRAMES;
	size += entries * sizeof(__u64);
	if (walks && r->copied <= OFFCPU_COPY_MAX)
		size += r->copied;
	if (size > sizeof(*r) + (walks ? OFFCPU_COPY_MAX : 0))
		return;
	/* The collector sleeps until it is worth while to wake it. */
	fill = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	if (bpf_ringbuf_output(&ring, r, size, fill >= wake_at && fill < wake_at + (64 << 10) ?
			       BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP))
		count(&lost_records);
}

static __always_inline struct offcpu_record *scratch(__u32 which)
{
	return bpf_map_lookup_elem(&scratches, &which);
}

/* Bytes or an error, as entries or an error. */
static __always_inline __s32 entries(long bytes)
{
	return bytes < 0 ? (__s32)bytes : (__s32)((__u64)bytes >> 3);
}

static __always_inline bool is_walked(__u32 pid)
{
	if (walks == OFFCPU_WALK_NONE || !have_regs)
		return false;
	return walks == OFFCPU_WALK_ALL || bpf_map_lookup_elem(&walked, &pid);
}

/* Where the copy belongs, behind the kernel stack. */
static __always_inline struct offcpu_copy *copy_of(struct offcpu_record *r)
{
	__u32 used = r->kernel_count > 0 ? r->kernel_count : 0;

	if (used > OFFCPU_FRAMES)
		used = OFFCPU_FRAMES;
	return (void *)((char *)r + offsetof(struct offcpu_record, stack) + used * sizeof(__u64));
}

static __always_inline void copy_registers(struct task_struct *task, struct offcpu_record *r)
{
	struct offcpu_copy *copy = copy_of(r);

	r->user_count = 0;
	if (!bpf_probe_read_kernel(copy->regs, sizeof(copy->regs), (const void *)bpf_task_pt_regs(task)))
		r->copied = sizeof(*copy);
}

/* Page by page, as the stack may end at any.  Of the current thread. */
static __always_inline void copy_stack(struct offcpu_record *r)
{
	struct offcpu_copy *copy = copy_of(r);
	__u32 done = 0, len;

	for (int i = 0; i <= OFFCPU_COPY_STACK / OFFCPU_PAGE && done < OFFCPU_COPY_STACK; i++) {
		len = OFFCPU_PAGE - ((r->sp + done) & (OFFCPU_PAGE - 1));
		if (bpf_probe_read_user(copy->stack + done, len, (const void *)(r->sp + done)))
			break;
		done += len;
	}
	r->copied += done;
}

/* Append the user stack of the current thread, by frame pointers. */
static __always_inline void follow_user_stack(void *context, struct offcpu_record *r)
{
	__u32 used = r->kernel_count > 0 ? r->kernel_count : 0;

	if (used > OFFCPU_FRAMES)
		used = OFFCPU_FRAMES;
	r->user_count = entries(bpf_get_stack(context, &r->stack[used], OFFCPU_FRAMES * sizeof(__u64),
					      BPF_F_USER_STACK));
}

static __always_inline void add_kernel_stack(struct task_struct *task, struct offcpu_record *r)
{
	r->kernel_count = entries(bpf_get_task_stack(task, r->stack, OFFCPU_FRAMES * sizeof(__u64), 0));
	r->user_count = 0;
}

/* Returns whether it is in a system call. */
static __always_inline bool add_registers(struct task_struct *task, struct offcpu_record *r)
{
	struct pt_regs *regs;

	r->ip = r->sp = r->bp = 0;
	if (!have_regs)
		return true;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	r->sp = regs->sp;
#ifdef __TARGET_ARCH_arm64
	r->ip = regs->pc;
	r->bp = regs->regs[29];
	return regs->syscallno != -1;
#else
	r->ip = regs->ip;
	r->bp = regs->bp;
	return (long)regs->orig_ax != -1;
#endif
}

/* The same, or what it is walked from. */
static __always_inline void add_user_stack(void *context, struct offcpu_record *r)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (!is_walked(r->pid) || bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) >= copy_below) {
		follow_user_stack(context, r);
		return;
	}
	add_registers(task, r);
	copy_registers(task, r);
	if (r->copied)
		copy_stack(r);
}

static __always_inline bool long_enough(__u64 ns)
{
	return ns >= min_ns && ns <= max_ns;
}

static __always_inline bool cpu_wanted(__u32 cpu)
{
	return !some_cpus || (cpu < OFFCPU_CPUS && cpu_mask[cpu / 64] >> cpu % 64 & 1);
}

/* ---- what happens ---- */

/* Without offcpu_exit(): a thread that has an exception, not a system call, does not
 * come by offcpu_return(). */
static __always_inline void leave_by_exception(void *context, struct offcpu_slot *slot,
					       struct task_struct *prev)
{
	struct offcpu_record *r = scratch(SCRATCH_SWITCH);

	if (!r || add_registers(prev, r))
		return;
	r->kind = OFFCPU_USER;
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->since_ns = slot->since_ns;
	r->kernel_count = 0;
	r->copied = 0;
	add_user_stack(context, r);
	emit(r);
}

static __always_inline void leave(void *context, struct task_struct *prev, __u32 bits)
{
	struct offcpu_slot *slot;
	__u32 state;

	if (bits & TASK_DEAD_MASK) {
		slot_drop(prev->pid);
		return;
	}
	state = blocked_state(prev, bits);
	/* One that a signal called back on its way to sleep can run. */
	if (!(state_mask & 1 << state) || !task_state(prev))
		return;
	slot = slot_get(prev);
	if (!slot)
		return;
	slot->state = state;
	slot->since_ns = bpf_ktime_get_ns();
	if (!at_exit && !(prev->flags & PF_KTHREAD))
		leave_by_exception(context, slot, prev);
}

static __always_inline void fill_block(struct offcpu_record *r, const struct offcpu_slot *slot,
				       __u64 since, __u64 until)
{
	r->kind = OFFCPU_BLOCK;
	r->cpu = bpf_get_smp_processor_id();
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->state = slot->state;
	r->since_ns = since;
	r->until_ns = until;
	r->follows = r->copied = 0;
	r->ip = r->sp = r->bp = 0;
}

static __always_inline void come_back(struct task_struct *next)
{
	struct offcpu_slot *slot = slot_find(next->pid);
	struct offcpu_record *r;
	__u32 zero = 0, *wait;
	__u64 since, until;
	bool held;

	if (!slot || !slot->since_ns)
		return;
	since = slot->since_ns;
	slot->since_ns = 0;
	/* It may have been woken before it was quite off. */
	until = slot->woken_ns > since ? slot->woken_ns : since;
	held = end_ns && until > end_ns;
	if (held)
		until = end_ns;
	if (until < since || !cpu_wanted(bpf_get_smp_processor_id()))
		return;
	if (!long_enough(until - since)) {
		slot->left_out++;
		return;
	}
	r = scratch(SCRATCH_SWITCH);
	wait = bpf_map_lookup_elem(&unfinished, &zero);
	if (!r || !wait)
		return;
	fill_block(r, slot, since, until);
	if (held) {
		r->kind = OFFCPU_HELD;
		r->slot = slot_known(next->pid);
		r->until_ns = 0;
	}
	add_kernel_stack(next, r);
	if (next->flags & PF_KTHREAD) {
		emit(r);
	} else if (at_exit) {
		*wait = 1;
	} else {
		r->follows = !held;
		slot->wants_user = add_registers(next, r);
		slot->ip = r->ip;
		slot->sp = r->sp;
		emit(r);
	}
}

static __always_inline void switched(void *context, bool preempt, struct task_struct *prev,
				     struct task_struct *next, __u32 bits)
{
	if (!preempt && bits && prev->pid)
		leave(context, prev, bits);
	if (next->pid)
		come_back(next);
}

/* One of them is loaded. */
SEC("tp_btf/sched_switch")
int BPF_PROG(offcpu_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	     unsigned int prev_state)
{
	switched(ctx, preempt, prev, next, prev_state);
	return 0;
}

/* Before Linux 5.18. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(offcpu_switch_old, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	switched(ctx, preempt, prev, next, task_state(prev));
	return 0;
}

/* What has been switched to runs, on its own stack.  Linux 6.16. */
SEC("?tp_btf/sched_exit_tp")
int BPF_PROG(offcpu_exit)
{
	__u32 zero = 0, *wait = bpf_map_lookup_elem(&unfinished, &zero);
	struct offcpu_record *r;

	if (!wait || !*wait)
		return 0;
	*wait = 0;
	r = scratch(SCRATCH_SWITCH);
	if (!r)
		return 0;
	add_user_stack(ctx, r);
	emit(r);
	return 0;
}

/* Until a system call returns, its thread's user stack is what it was. */
SEC("?tp_btf/sys_exit")
int BPF_PROG(offcpu_return)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct offcpu_slot *slot = slot_find(task->pid);
	struct offcpu_record *r;

	if (!slot || !slot->wants_user)
		return 0;
	slot->wants_user = 0;
	r = scratch(SCRATCH_RETURN);
	if (!r)
		return 0;
	r->kind = OFFCPU_USER;
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->since_ns = 0;
	r->kernel_count = 0;
	r->copied = 0;
	add_registers(task, r);
	if (r->ip == slot->ip && r->sp == slot->sp)
		add_user_stack(ctx, r);
	else
		r->user_count = 0; /* it executes another program */
	emit(r);
	return 0;
}

static __always_inline void add_waker(void *context, struct offcpu_slot *slot, __u64 now)
{
	struct offcpu_record *r = scratch(SCRATCH_WAKING);
	__u64 current = bpf_get_current_pid_tgid();

	if (!r)
		return;
	r->kind = OFFCPU_WAKER;
	r->cpu = bpf_get_smp_processor_id();
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->waker_pid = current >> 32;
	r->waker_tid = (__u32)current;
	r->since_ns = slot->since_ns;
	r->until_ns = now;
	r->kernel_count = entries(bpf_get_stack(context, r->stack, OFFCPU_FRAMES * sizeof(__u64), 0));
	r->user_count = 0;
	r->copied = 0;
	if (r->waker_tid)
		follow_user_stack(context, r);
	emit(r);
}

SEC("tp_btf/sched_waking")
int BPF_PROG(offcpu_waking, struct task_struct *task)
{
	struct offcpu_slot *slot = slot_find(task->pid);
	__u64 now, since;

	if (!slot)
		return 0;
	now = bpf_ktime_get_ns();
	slot->woken_ns = now;
	since = slot->since_ns;
	if (wakers && since && now > since && long_enough(now - since))
		add_waker(ctx, slot, now);
	return 0;
}

/* ---- what does not happen ---- */

static __always_inline void look_at_start(struct task_struct *task, __u32 bits)
{
	__u32 state = blocked_state(task, bits);
	struct offcpu_slot *slot;

	slot = state_mask & 1 << state ? slot_get(task) : NULL;
	if (!slot || slot->since_ns || slot->woken_ns)
		return;
	slot->state = state;
	slot->since_ns = bpf_ktime_get_ns();
}

static __always_inline void look_when_asked(struct task_struct *task)
{
	struct offcpu_slot *slot = slot_find(task->pid);
	struct offcpu_record *r;
	__u64 since, woken;

	if (!slot || !slot->since_ns || slot->asked_ns != slot->since_ns || !cpu_wanted(task_cpu(task)))
		return;
	since = slot->since_ns;
	woken = slot->woken_ns;
	r = scratch(SCRATCH_LOOK);
	if (!r)
		return;
	fill_block(r, slot, since, woken > since ? woken : 0);
	r->kind = OFFCPU_HELD;
	r->cpu = task_cpu(task);
	r->slot = slot_known(task->pid);
	add_kernel_stack(task, r);
	if (!(task->flags & PF_KTHREAD)) {
		add_registers(task, r);
		if (is_walked(r->pid))
			copy_registers(task, r); /* the stack is read from outside */
	}
	if (slot->since_ns == since)
		emit(r);
}

struct bpf_iter__task {
	struct task_struct *task;
} __attribute__((preserve_access_index));

/* Run by the collector: goes through all threads. */
SEC("iter/task")
int offcpu_look(struct bpf_iter__task *context)
{
	struct task_struct *task = context->task;
	__u32 bits;

	if (!task || !task->pid)
		return 0;
	bits = task_state(task);
	if (task->on_cpu || !bits || bits & (TASK_DEAD_MASK | TASK_NEW))
		return 0;
	if (look == OFFCPU_LOOK_START)
		look_at_start(task, bits);
	else
		look_when_asked(task);
	return 0;
}
