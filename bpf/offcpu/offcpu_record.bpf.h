/* offcpu_record: builds records and sends them to the collector. */
#ifndef BPF_OFFCPU_OFFCPU_RECORD_BPF_H
#define BPF_OFFCPU_OFFCPU_RECORD_BPF_H

#include "bpf/kernel.h"
#include "bpf/offcpu/offcpu.h"
#include "bpf/user_copy.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} ring SEC(".maps");

/* Scratch records: one for each context that can interrupt another. */
enum scratch { SCRATCH_SWITCH, SCRATCH_WAKING, SCRATCH_RETURN, SCRATCH_LOOK, SCRATCHES };

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SCRATCHES);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, sizeof(struct offcpu_record)); /* plus USER_COPY_MAX, if stacks are copied */
} scratches SEC(".maps");

static __always_inline void count(__u64 *counter)
{
	__sync_fetch_and_add(counter, 1);
}

static __always_inline void bpf_offcpu_record_emit(struct offcpu_record *r)
{
	__u64 size = offsetof(struct offcpu_record, stack), fill;
	__u32 entries = 0;
	bool wake;

	if (r->kernel_count > 0)
		entries = r->kernel_count;
	if (r->user_count > 0)
		entries += r->user_count;
	if (entries > 2 * OFFCPU_FRAMES)
		entries = 2 * OFFCPU_FRAMES;
	size += entries * sizeof(__u64);
	if (rules.walks && r->copied <= USER_COPY_MAX)
		size += r->copied;
	if (size > sizeof(*r) + (rules.walks ? USER_COPY_MAX : 0))
		return;
	/* The collector is woken only when there is enough to read. */
	fill = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	wake = (r->until_ns > r->since_ns && r->until_ns - r->since_ns >= rules.urgent_ns) ||
	       (fill >= rules.wake_at && fill < rules.wake_at + (64 << 10));
	if (bpf_ringbuf_output(&ring, r, size, wake ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP))
		count(&control.lost);
}

static __always_inline struct offcpu_record *bpf_offcpu_record_scratch(__u32 which)
{
	return bpf_map_lookup_elem(&scratches, &which);
}

/* Convert bytes to entries; errors stay. */
static __always_inline __s32 bpf_offcpu_record_entries(long bytes)
{
	return bytes < 0 ? (__s32)bytes : (__s32)((__u64)bytes >> 3);
}

static __always_inline void fill_block(struct offcpu_record *r, const struct offcpu_slot *slot, __u64 since,
				       __u64 until)
{
	r->kind = OFFCPU_BLOCK;
	r->cpu = bpf_get_smp_processor_id();
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->state = slot->state;
	r->since_ns = since;
	r->until_ns = until;
	r->follows = r->copied = 0;
	r->others = (struct offcpu_tally){ 0 };
	r->ip = r->sp = r->bp = 0;
}

static __always_inline void bpf_offcpu_record_add_kernel_stack(struct task_struct *task, struct offcpu_record *r)
{
	r->kernel_count =
		bpf_offcpu_record_entries(bpf_get_task_stack(task, r->stack, OFFCPU_FRAMES * sizeof(__u64), 0));
	r->user_count = 0;
}

#endif
