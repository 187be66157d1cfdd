/* io_stacks: keeps the stacks of requests until they end, and sends both to the collector. */
#ifndef BPF_IO_IO_STACKS_BPF_H
#define BPF_IO_IO_STACKS_BPF_H

#include "bpf/io/io.h"
#include "bpf/io/io_totals.bpf.h"
#include "bpf/ring.bpf.h"
#include "bpf/stack_budget.bpf.h"
#include "bpf/stack_place.bpf.h"
#include "bpf/taken_stack.bpf.h"

const volatile __u32 max_stacks = 1;

__u64 unstacked;      /* all places for stacks were taken */
__u32 next_stack;     /* stacks from here on were never used */
__u32 generation = 1; /* changes each second; the collector still has the stacks of this generation only */

/* Stacks of ongoing requests, and which places for them are free. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* max_stacks */
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct io_record)); /* plus USER_COPY_MAX, if stacks are copied */
} stacks SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_STACK);
	__uint(max_entries, 1); /* max_stacks */
	__type(value, __u32);
} free_stacks SEC(".maps");

__u64 known_stacks[IO_STACKS]; /* stacks that the collector has: the hash of each + generation */

/* The times until which stacks are paid for: stacks that were taken, and stacks of short requests that were sent to be
 * walked. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} taken_ns SEC(".maps"), walked_ns SEC(".maps");

static __always_inline struct io_record *stack_at(__u32 slot)
{
	return bpf_map_lookup_elem(&stacks, &slot);
}

static __always_inline __u32 bpf_io_stacks_take_slot(void)
{
	__u32 i;

	if (!bpf_map_pop_elem(&free_stacks, &i))
		return i + 1;
	if (next_stack >= max_stacks)
		return 0;
	i = __sync_fetch_and_add(&next_stack, 1);
	return i < max_stacks ? i + 1 : 0;
}

static __always_inline void free_slot(__u32 slot)
{
	__u32 i = slot - 1;

	if (slot)
		bpf_map_push_elem(&free_stacks, &i, 0);
}

/* Of a kernel thread: its stack. */
static __always_inline __u64 hash_of_stack(const struct io_stack *s)
{
	__u64 hash = bpf_get_current_pid_tgid();

	for (__u32 i = 0; i < IO_FRAMES; i++) {
		if ((__s32)i >= s->kernel_count)
			break;
		hash = hash_add(hash, s->stack[i]);
	}
	return hash ? hash : 1;
}

/* Hashes the place of a request in user space: the thread, the address of its user code, the depth of its stack, and
 * the kind of I/O. */
static __always_inline __u64 hash_of_place(struct task_struct *task, const struct io_request *r)
{
	struct user_place place = user_place(task);
	__u64 hash = hash_add((__u64)r->pid << 32 | r->tid, (__u64)r->operation << 32 | r->owner);

	hash = hash_add(hash_add(hash, place.ip), place.sp);
	return hash ? hash : 1;
}

/* May one more stack be taken, or sent, now?  paid: a map with the time until which stacks are paid for. */
static __always_inline bool may(void *paid, __u64 now, __u64 each_ns, __u64 at_once)
{
	__u32 zero = 0;
	__u64 *paid_ns = bpf_map_lookup_elem(paid, &zero);

	return paid_ns && stack_pay(paid_ns, now, each_ns, at_once);
}

static __always_inline __u64 *known_place(__u64 hash)
{
	return &known_stacks[(hash >> 32) & (IO_STACKS - 1)];
}

/* Does the collector have a stack of this hash? */
static __always_inline bool is_known(__u64 hash)
{
	return *known_place(hash) == hash + generation;
}

static __always_inline void bpf_io_stacks_add_kernel_stack(void *context, struct io_stack *to)
{
	to->kernel_count = taken_entries(bpf_get_stack(context, to->stack, IO_FRAMES * sizeof(__u64), 0));
	to->user_count = 0;
	to->copied = 0;
}

/* Take the stack of a request that begins; many requests from one place share one stack. */
static __always_inline void add_stack(void *context, struct task_struct *task, struct io_request *r)
{
	bool in_kernel = task->flags & PF_KTHREAD;
	struct io_record *to;

	if (!in_kernel) {
		r->hash = hash_of_place(task, r);
		if (have_regs && is_known(r->hash) && !may(&taken_ns, r->begin_ns, IO_TAKE_NS, IO_TAKEN_AT_ONCE))
			return;
		/* How long the request will take is unknown, so it may borrow like one that takes a millisecond. */
		if (!stack_budget_allows(BUDGET_LONG_NS, r->begin_ns)) {
			r->flags |= IO_UNTAKEN;
			return;
		}
	}
	r->slot = bpf_io_stacks_take_slot();
	to = r->slot ? stack_at(r->slot - 1) : NULL;
	if (!to) {
		__sync_fetch_and_add(&unstacked, 1);
		r->slot = 0;
		return;
	}
	if (in_kernel) {
		bpf_io_stacks_add_kernel_stack(context, &to->stack);
		r->hash = hash_of_stack(&to->stack);
		return;
	}
	stack_take(context, &ring,
		   (struct taken_stack){ &to->stack.kernel_count, &to->stack.user_count, &to->stack.copied,
					 to->stack.stack },
		   IO_FRAMES, true);
	stack_budget_pay(r->begin_ns, to->stack.copied);
}

/* ---- to the collector ---- */

static __always_inline void send_without_stack(const struct io_request *r)
{
	struct {
		__u32 kind, cpu;
		struct io_request request;
	} head = { IO_REQUEST, bpf_get_smp_processor_id(), *r };

	if (r->hash)
		head.request.flags |= IO_BY_HASH;
	ring_send(&head, sizeof(head), 1, r->end_ns - r->begin_ns >= rules.urgent_ns);
}

static __always_inline void send_with_stack(const struct io_request *r, struct io_record *whole)
{
	__u32 used = (whole->stack.kernel_count > 0 ? whole->stack.kernel_count : 0) +
		     (whole->stack.user_count > 0 ? whole->stack.user_count : 0);
	__u64 size = offsetof(struct io_record, stack.stack) + used * sizeof(__u64) + whole->stack.copied;

	whole->kind = IO_REQUEST;
	whole->cpu = bpf_get_smp_processor_id();
	whole->request = *r;
	if (size > sizeof(*whole) + (rules.walks ? USER_COPY_MAX : 0))
		return;
	if (bpf_ringbuf_output(&ring, whole, size,
			       r->end_ns - r->begin_ns >= rules.urgent_ns ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&control.lost, 1);
	else
		*known_place(r->hash) = r->hash + generation;
}

/* Can an earlier stack be used for this request? */
static __always_inline bool is_spared(const struct io_request *r, const struct io_record *whole)
{
	if (!(r->flags & IO_SHORT) || !is_known(r->hash))
		return false;
	return !whole->stack.copied || !may(&walked_ns, r->end_ns, IO_WALK_NS, IO_WALKS_AT_ONCE);
}

static __always_inline void bpf_io_stacks_report(struct io_request *r)
{
	struct io_record *whole = r->slot ? stack_at(r->slot - 1) : NULL;
	__u64 ns = r->end_ns - r->begin_ns;

	if (ns < rules.min_ns)
		r->flags |= IO_SHORT;
	if (whole && !is_spared(r, whole))
		send_with_stack(r, whole);
	else if (ns >= rules.min_ns || ns >= rules.urgent_ns || !total_add(r))
		send_without_stack(r);
}

#endif
