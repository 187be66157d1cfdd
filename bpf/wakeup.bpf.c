/* wakeup: how long threads wait for a CPU, who woke them, and who had the CPU.
 *
 *     sched_waking           the wait begins; the waker's stack is kept with the thread, or a copy for
 *                            walking it later,
 *     sched_switch, prev     or it begins when the thread is preempted
 *     sched_switch, next     it ends: if it was long enough, a record is sent
 *
 * How long a wait will be is not known when the waker's stack is taken, so chance chooses, within the budget, which waits
 * have one.  Short waits without one are counted and timed by thread and state; long ones are sent without it. */
#include "bpf/chain.bpf.h"
#include "bpf/kernel.h"
#include "bpf/slots.bpf.h"
#include "bpf/stack_budget.bpf.h"
#include "bpf/states.bpf.h"
#include "bpf/user_copy.bpf.h"
#include "bpf/wakeup.h"
#include "core/format/recording.h"

char LICENSE[] SEC("license") = "GPL";

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wakeup_slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wakeup_stack);
} stacks SEC(".maps");

struct wakeup_cpu {
	__u32 head, unused; /* slices[head - 1] is the current one */
	struct wakeup_slice slices[WAKEUP_SLICES];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct wakeup_cpu);
} cpus SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct wakeup_record)); /* plus USER_COPY_MAX, if stacks are copied */
} scratch SEC(".maps");

/* Keeps a thread from being woken a second time before it runs. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* WAKEUP_COPIES, if stacks are copied, ... */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct user_copy)); /* ... of USER_COPY_MAX bytes */
} kept SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, WAKEUP_COPIES);
	__type(value, __u32);
} free_rooms SEC(".maps");

__u32 next_room; /* rooms from here on were never used */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} ring SEC(".maps");

static __always_inline struct wakeup_slot *bpf_wakeup_slot_at(__u32 i)
{
	return i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);
}

static __always_inline struct wakeup_slot *bpf_wakeup_slot_get(struct task_struct *task, __u32 *i)
{
	bool fresh = false;
	struct wakeup_slot *slot;

	*i = slot_take(task, &fresh);
	slot = bpf_wakeup_slot_at(*i);
	if (slot && fresh)
		__builtin_memset(&slot->untaken, 0, sizeof(slot->untaken));
	/* If we missed the end of a thread, its id may belong to another thread by now. */
	if (slot && (fresh || slot->pid != (__u32)task->tgid)) {
		slot->begin_ns = slot->left_ns = slot->early_ns = 0;
		slot->pid = task->tgid;
		slot->tid = task->pid;
	}
	return slot;
}

/* ---- room for copies ---- */

static __always_inline struct user_copy *room_at(__u32 i)
{
	return bpf_map_lookup_elem(&kept, &i);
}

/* Room for the copy of the stack of whoever woke the slot's thread; taken now if the slot has none.  NULL: all is in
 * use. */
static __always_inline struct user_copy *room_get(struct wakeup_slot *slot)
{
	__u32 i;

	if (!slot->room) {
		if (bpf_map_pop_elem(&free_rooms, &i)) {
			if (next_room >= WAKEUP_COPIES)
				return NULL;
			i = __sync_fetch_and_add(&next_room, 1);
			if (i >= WAKEUP_COPIES)
				return NULL;
		}
		slot->room = i + 1;
	}
	return room_at(slot->room - 1);
}

static __always_inline void room_give_back(struct wakeup_slot *slot)
{
	__u32 i = slot->room - 1;

	if (!slot->room)
		return;
	slot->room = 0;
	bpf_map_push_elem(&free_rooms, &i, 0);
}

enum { ON_ITS_WAY_NS = 1000000 }; /* leaving the CPU takes microseconds, unless the machine is stopped */

/* ---- waits without a stack ---- */

static __always_inline void wakeup_tally_add(struct wakeup_slot *slot, __u64 ns)
{
	__u32 i = (slot->state - RECORDING_PREEMPTED) & (WAKEUP_STATES - 1);
	struct wakeup_tally *t = ns < BUDGET_LONG_NS ? &slot->untaken.brief[i] : &slot->untaken.long_[i];

	t->ns += ns;
	t->count++;
}

/* The thread has ended: send its tallies, since the collector will not see its slot again. */
static __always_inline void wakeup_tallies_send(struct wakeup_slot *slot)
{
	__u32 zero = 0;
	struct wakeup_record *r = bpf_map_lookup_elem(&scratch, &zero);
	__u64 count = 0;

	for (int i = 0; i < WAKEUP_STATES; i++)
		count += slot->untaken.brief[i].count + slot->untaken.long_[i].count;
	if (!r || !count)
		return;
	r->state = RECORDING_DEAD;
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->kernel_count = r->user_count = 0;
	r->slice_count = r->copied = 0;
	*(struct wakeup_tallies *)&r->stack = slot->untaken;
	if (bpf_ringbuf_output(&ring, r, offsetof(struct wakeup_record, stack) + sizeof(slot->untaken),
			       BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&control.lost, count);
}

/* ---- a wait begins ---- */

static __always_inline void forget_waker(struct wakeup_slot *slot)
{
	slot->waker_pid = slot->waker_tid = 0;
	slot->kernel_count = slot->user_count = 0;
	slot->copied = slot->uncopied = 0;
	slot->paid = 0;
	slot->waker_name[0] = 0;
}

static __always_inline void bpf_wakeup_throttle(struct wakeup_slot *slot, struct task_struct *task)
{
	slot->throttled_queue = queue_of(task);
	slot->throttled_before_ns = queue_throttled_ns(slot->throttled_queue);
}

/* Has the recording ended?  Slots are not changed after that, until the collector has seen which waits were going
 * on. */
static __always_inline bool bpf_wakeup_is_over(__u64 now)
{
	return now > control.end_ns;
}

static __always_inline void bpf_wakeup_leave(struct task_struct *prev, bool preempt, __u32 bits, __u64 now)
{
	struct wakeup_slot *slot;
	__u32 i;

	if (bpf_wakeup_is_over(now))
		return;
	if (!preempt && bits & TASK_DEAD_MASK) {
		slot = bpf_wakeup_slot_at(slot_known(prev->pid));
		if (slot) {
			wakeup_tallies_send(slot);
			slot->begin_ns = 0;
			slot->tid = 0;
			slot_give_back(prev->pid);
		}
		return;
	}
	slot = bpf_wakeup_slot_get(prev, &i);
	if (!slot)
		return;
	slot->left_ns = now;
	slot->sleeps = !preempt && bits && task_state(prev);
	if (slot->sleeps)
		return;
	slot->state = state_of(prev, preempt, bits);
	if (slot->state == RECORDING_THROTTLED)
		bpf_wakeup_throttle(slot, prev);
	forget_waker(slot);
	slot->begin_ns = now;
}

static __always_inline __s32 bpf_wakeup_entries(long bytes)
{
	return bytes < 0 ? (__s32)bytes : (__s32)((__u64)bytes >> 3);
}

/* Keep a copy of the current thread's user stack.  Returns false if frame pointers are to be followed instead.  They
 * always are if the thread is not in a system call, since the waker is then an interrupt. */
static __always_inline bool keep_copy(struct wakeup_slot *slot)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct user_copy *copy;

	if (!is_walked() || task->flags & PF_KTHREAD || !user_place(task).in_system_call)
		return false;
	copy = may_copy(&ring) ? room_get(slot) : NULL;
	if (copy)
		slot->copied = copy_user(copy);
	else
		slot->uncopied = 1;
	return slot->copied;
}

static __always_inline void bpf_wakeup_wake(void *context, struct task_struct *task, __u64 now)
{
	__u64 current = bpf_get_current_pid_tgid();
	struct wakeup_stack *stack;
	struct wakeup_slot *slot;
	__u32 i, used;

	if (bpf_wakeup_is_over(now))
		return;
	slot = bpf_wakeup_slot_get(task, &i);
	if (!slot)
		return;
	/* A thread that is woken while it is still on its CPU, about to sleep, stays there, or leaves all the same. */
	if (task->on_cpu && task->on_rq) {
		slot->early_ns = now;
		return;
	}
	slot->begin_ns = now;
	slot->state = wakes_throttled(task) ? RECORDING_THROTTLED : RECORDING_WOKEN;
	if (slot->state == RECORDING_THROTTLED)
		bpf_wakeup_throttle(slot, task);
	slot->paid = stack_budget_allows(0, now);
	if (!slot->paid)
		return;
	slot->waker_pid = current >> 32;
	slot->waker_tid = (__u32)current;
	bpf_get_current_comm(slot->waker_name, sizeof(slot->waker_name));
	stack = bpf_map_lookup_elem(&stacks, &i);
	if (!stack)
		return;
	slot->user_count = 0;
	slot->copied = slot->uncopied = 0;
	slot->kernel_count =
		bpf_wakeup_entries(bpf_get_stack(context, stack->entries, WAKEUP_FRAMES * sizeof(__u64), 0));
	used = slot->kernel_count > 0 ? slot->kernel_count : 0;
	if (used > WAKEUP_FRAMES)
		used = WAKEUP_FRAMES;
	if ((__u32)current && !keep_copy(slot))
		slot->user_count = bpf_wakeup_entries(
			bpf_get_stack(context, &stack->entries[used], WAKEUP_FRAMES * sizeof(__u64), BPF_F_USER_STACK));
	stack_budget_pay(now, slot->copied);
}

/* ---- a wait ends ---- */

static __always_inline void add_slices(struct wakeup_record *r, const struct wakeup_cpu *cpu, __u64 begin)
{
	for (__u32 back = 1; back <= WAKEUP_WALK; back++) {
		const struct wakeup_slice *slice = &cpu->slices[(cpu->head - back) & (WAKEUP_SLICES - 1)];

		if (!slice->begin_ns)
			break;
		r->slices[back - 1] = *slice;
		r->slice_count = back;
		if (slice->begin_ns <= begin)
			break;
	}
}

/* Append the copy of the waker's user stack, size bytes after the start of the record.  Returns its bytes. */
static __always_inline __u32 add_copy(struct wakeup_record *r, __u64 size, const struct wakeup_slot *slot)
{
	__u64 bytes = slot->copied; /* the verifier of Linux 6.1 forgets the bound of a __u32 */
	struct user_copy *copy;

	if (!is_walked() || !bytes || bytes > USER_COPY_MAX || !slot->room || size > sizeof(*r))
		return 0;
	copy = room_at(slot->room - 1);
	if (!copy || bpf_probe_read_kernel((char *)r + size, bytes, copy))
		return 0;
	return (__u32)bytes;
}

static __always_inline void bpf_wakeup_send(struct wakeup_record *r, struct wakeup_stack *stack,
					    const struct wakeup_slot *slot)
{
	__u32 count = r->kernel_count > 0 ? r->kernel_count : 0;
	__u64 fill = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	bool wake = r->end_ns - r->begin_ns >= rules.urgent_ns ||
		    (fill >= rules.wake_at && fill < rules.wake_at + (64 << 10));
	__u64 size;

	if (r->user_count > 0)
		count += r->user_count;
	if (count > 2 * WAKEUP_FRAMES)
		count = 2 * WAKEUP_FRAMES;
	size = count * sizeof(__u64);
	if (size && bpf_probe_read_kernel(&r->stack, size, stack))
		r->kernel_count = r->user_count = 0;
	size += offsetof(struct wakeup_record, stack);
	r->copied = add_copy(r, size, slot);
	size += r->copied;
	if (size > sizeof(*r) + (rules.walks ? USER_COPY_MAX : 0))
		return;
	if (bpf_ringbuf_output(&ring, r, size, wake ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&control.lost, 1);
}

static __always_inline void bpf_wakeup_fill_waker(struct wakeup_record *r, const struct wakeup_slot *slot)
{
	r->untaken = slot->state == RECORDING_WOKEN && !slot->paid;
	r->waker_pid = r->untaken ? 0 : slot->waker_pid;
	r->waker_tid = r->untaken ? 0 : slot->waker_tid;
	r->kernel_count = r->untaken ? 0 : slot->kernel_count;
	r->user_count = r->untaken ? 0 : slot->user_count;
	__builtin_memcpy(r->waker_name, slot->waker_name, sizeof(r->waker_name));
}

static __always_inline void bpf_wakeup_report(struct task_struct *next, __u32 i, struct wakeup_slot *slot,
					      const struct wakeup_cpu *cpu, __u64 begin, __u64 now)
{
	struct wakeup_stack *stack = bpf_map_lookup_elem(&stacks, &i);
	struct wakeup_record *r;
	__u32 zero = 0;

	r = bpf_map_lookup_elem(&scratch, &zero);
	if (!r || !stack)
		return;
	r->cpu = bpf_get_smp_processor_id();
	r->state = slot->state;
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->begin_ns = begin;
	r->end_ns = now;
	__builtin_memcpy(r->name, next->comm, sizeof(r->name));
	bpf_wakeup_fill_waker(r, slot);
	r->slice_count = 0;
	if (r->state != RECORDING_THROTTLED)
		add_slices(r, cpu, begin);
	if (slot->uncopied)
		__sync_fetch_and_add(&control.uncopied, 1);
	bpf_wakeup_send(r, stack, slot);
}

/* The thread was woken on its way to sleep, and has left its CPU before that took effect. */
static __always_inline void bpf_wakeup_woken_early(struct wakeup_slot *slot)
{
	forget_waker(slot);
	slot->state = RECORDING_WOKEN;
	slot->begin_ns = slot->early_ns;
}

/* A record costs almost as much as a stack. */
static __always_inline void bpf_wakeup_waited(struct task_struct *next, __u32 i, struct wakeup_slot *slot,
					      const struct wakeup_cpu *cpu, __u64 begin, __u64 now)
{
	if (!slot->paid && slot->state != RECORDING_THROTTLED && !stack_budget_allows(now - begin, now)) {
		wakeup_tally_add(slot, now - begin);
		return;
	}
	bpf_wakeup_report(next, i, slot, cpu, begin, now);
	if (!slot->paid)
		stack_budget_pay(now, false);
}

/* The part of a wait in which the thread was throttled is reported before the rest, in which it waits for the CPU.
 * Returns when the rest begins. */
static __always_inline __u64 bpf_wakeup_unthrottle(struct task_struct *next, __u32 i, struct wakeup_slot *slot,
						   const struct wakeup_cpu *cpu, __u64 begin, __u64 now)
{
	bool woken = begin > slot->left_ns;
	__u64 until;

	if (woken && slot->throttled_queue != queue_of(next)) { /* the thread went into another queue */
		slot->state = RECORDING_WOKEN;
		return begin;
	}
	until = throttled_until(next, slot->throttled_queue, begin, slot->throttled_before_ns, now);
	if (until - begin >= rules.min_ns)
		bpf_wakeup_report(next, i, slot, cpu, begin, until);
	slot->state = woken ? RECORDING_WOKEN : RECORDING_QUANTUM;
	return until;
}

static __always_inline void bpf_wakeup_come_back(struct task_struct *next, const struct wakeup_cpu *cpu, __u64 now)
{
	__u32 i = slot_known(next->pid);
	struct wakeup_slot *slot = bpf_wakeup_slot_at(i);
	__u64 begin;

	if (!slot)
		return;
	if (!slot->begin_ns && slot->sleeps && slot->early_ns + ON_ITS_WAY_NS > slot->left_ns)
		bpf_wakeup_woken_early(slot);
	if (!slot->begin_ns)
		return;
	/* The thread may have been woken before it had left the CPU. */
	begin = slot->begin_ns > slot->left_ns ? slot->begin_ns : slot->left_ns;
	if (bpf_wakeup_is_over(now))
		return;
	slot->begin_ns = 0;
	if (begin < control.begin_ns)
		begin = control.begin_ns;
	if (begin > now) /* the clocks of two CPUs differ by some nanoseconds */
		begin = now;
	if (now >= control.begin_ns && now - begin >= rules.min_ns && span_cpu_wanted(bpf_get_smp_processor_id())) {
		if (slot->state == RECORDING_THROTTLED)
			begin = bpf_wakeup_unthrottle(next, i, slot, cpu, begin, now);
		if (begin < now && now - begin >= rules.min_ns)
			bpf_wakeup_waited(next, i, slot, cpu, begin, now);
	}
	if (rules.walks)
		room_give_back(slot);
}

static __always_inline void bpf_wakeup_next_slice(struct wakeup_cpu *cpu, struct task_struct *next, __u64 now)
{
	struct wakeup_slice *slice = &cpu->slices[cpu->head++ & (WAKEUP_SLICES - 1)];

	slice->begin_ns = now;
	slice->tid = next->pid;
	__builtin_memcpy(slice->name, next->comm, sizeof(slice->name));
}

static __always_inline void bpf_wakeup_switched(bool preempt, struct task_struct *prev, struct task_struct *next,
						__u32 bits)
{
	struct wakeup_cpu *cpu;
	__u32 zero = 0;
	__u64 now = chain_now(CHAIN_SWITCH);

	cpu = bpf_map_lookup_elem(&cpus, &zero);
	if (!cpu)
		return;
	if (prev->pid)
		bpf_wakeup_leave(prev, preempt, bits, now);
	if (next->pid)
		bpf_wakeup_come_back(next, cpu, now);
	bpf_wakeup_next_slice(cpu, next, now);
}

/* Only one of these is loaded. */
SEC("tp_btf/sched_switch")
int BPF_PROG(wakeup_switch, bool preempt, struct task_struct *prev, struct task_struct *next, unsigned int prev_state)
{
	bpf_wakeup_switched(preempt, prev, next, prev_state);
	return chain_switch_end(ctx);
}

/* Before Linux 5.18. */
SEC("?tp_btf/sched_switch")
int BPF_PROG(wakeup_switch_old, bool preempt, struct task_struct *prev, struct task_struct *next)
{
	bpf_wakeup_switched(preempt, prev, next, task_state(prev));
	return chain_switch_end(ctx);
}

SEC("tp_btf/sched_waking")
int BPF_PROG(wakeup_waking, struct task_struct *task)
{
	bpf_wakeup_wake(ctx, task, chain_now(CHAIN_WAKING));
	return chain_waking_end(ctx);
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(wakeup_new, struct task_struct *task)
{
	bpf_wakeup_wake(ctx, task, bpf_ktime_get_ns());
	return 0;
}
