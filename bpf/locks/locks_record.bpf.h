/* locks_record: builds records of waits for locks, and sends them to the collector. */
#ifndef BPF_LOCKS_LOCKS_RECORD_BPF_H
#define BPF_LOCKS_LOCKS_RECORD_BPF_H

#include "bpf/kernel.h"
#include "bpf/locks/locks.h"
#include "bpf/user_copy.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} ring SEC(".maps");

/* Scratch records: one for each context that can interrupt another. */
enum scratch {
	SCRATCH_END,
	SCRATCH_WAKING,
	SCRATCH_RETURN,
	SCRATCH_LOCK,
	SCRATCH_LOOK,
	SCRATCH_WATCH,
	SCRATCH_SAMPLE,
	SCRATCHES
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SCRATCHES);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct locks_record)); /* plus USER_COPY_MAX, if stacks are copied */
} scratches SEC(".maps");

/* Somebody waits for a lock by spinning. */
struct locks_spin {
	__u64 since_ns, address;
	__u64 task; /* the thread, or that which was interrupted */
	__u32 lock, unused;
};

/* A thread that spins may be interrupted by a softirq, an interrupt or an NMI that spins, too. */
enum { LOCKS_SPINS = 4 };

/* The state of a CPU. */
struct locks_cpu {
	__u64 paid_ns;  /* stack_pay() */
	__u32 spinning; /* entries of spins that are used */
	__u32 sending;  /* this program is using its ring, which has a lock of its own */
	struct locks_spin spins[LOCKS_SPINS];
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct locks_cpu);
} cpus SEC(".maps");

static __always_inline struct locks_cpu *bpf_locks_record_this_cpu(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&cpus, &zero);
}

static __always_inline struct locks_record *bpf_locks_record_scratch(__u32 which)
{
	struct locks_record *r = bpf_map_lookup_elem(&scratches, &which);

	if (!r)
		return NULL;
	r->cpu = bpf_get_smp_processor_id();
	r->kernel_count = r->user_count = 0;
	r->copied = 0;
	r->ip = r->sp = r->bp = 0;
	r->slot = LOCKS_NO_SLOT;
	return r;
}

static __always_inline __u32 entries_of(const struct locks_record *r)
{
	__u32 entries = 0;

	if (r->kernel_count > 0)
		entries = r->kernel_count;
	if (r->user_count > 0)
		entries += r->user_count;
	return entries > 2 * LOCKS_FRAMES ? 2 * LOCKS_FRAMES : entries;
}

/* While a record is sent, ignore waits for the lock of the ring, since reporting them would need the ring. */
static __always_inline void bpf_locks_record_send(void *to, struct locks_record *r, __u64 flags)
{
	__u64 size = offsetof(struct locks_record, stack) + entries_of(r) * sizeof(__u64);
	struct locks_cpu *cpu = bpf_locks_record_this_cpu();

	if (rules.walks && r->copied <= USER_COPY_MAX)
		size += r->copied;
	if (!cpu || size > sizeof(*r) + (rules.walks ? USER_COPY_MAX : 0))
		return;
	cpu->sending++;
	if (bpf_ringbuf_output(to, r, size, flags))
		__sync_fetch_and_add(&control.lost, 1);
	cpu->sending--;
}

static __always_inline void bpf_locks_record_emit(struct locks_record *r)
{
	__u64 fill = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	bool wake = r->longest_ns >= rules.urgent_ns || (fill >= rules.wake_at && fill < rules.wake_at + (64 << 10));

	bpf_locks_record_send(&ring, r, wake ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP);
}

/* Convert bytes to entries; errors stay. */
static __always_inline __s32 bpf_locks_record_entries(long bytes)
{
	return bytes < 0 ? (__s32)bytes : (__s32)((__u64)bytes >> 3);
}

static __always_inline void bpf_locks_record_add_kernel_stack(void *context, struct locks_record *r)
{
	r->kernel_count = bpf_locks_record_entries(bpf_get_stack(context, r->stack, LOCKS_FRAMES * sizeof(__u64), 0));
}

/* Append the user stack of the current thread, or the copy for walking it. */
static __always_inline void bpf_locks_record_add_user_stack(void *context, struct locks_record *r)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 used = r->kernel_count > 0 ? r->kernel_count : 0;
	struct user_place place;

	if (task->flags & PF_KTHREAD)
		return;
	place = user_place(task);
	r->ip = place.ip;
	r->sp = place.sp;
	if (used > LOCKS_FRAMES)
		used = LOCKS_FRAMES;
	if (is_walked() && may_copy(&ring)) {
		r->copied =
			copy_user((void *)((char *)r + offsetof(struct locks_record, stack) + used * sizeof(__u64)));
		return;
	}
	if (is_walked())
		__sync_fetch_and_add(&control.uncopied, 1);
	r->user_count = bpf_locks_record_entries(
		bpf_get_stack(context, &r->stack[used], LOCKS_FRAMES * sizeof(__u64), BPF_F_USER_STACK));
}

#endif
