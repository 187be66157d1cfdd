/* ring: sends records to the collector, and wakes it when a quarter of the ring is full. */
#ifndef BPF_RING_BPF_H
#define BPF_RING_BPF_H

#include "bpf/kernel.h"
#include "bpf/span_control.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} ring SEC(".maps");

/* Send a record that stands for count things; urgent: wake the collector at once.  Returns false if there was no room. */
static __always_inline bool ring_send(void *record, __u64 size, __u64 count, bool urgent)
{
	__u64 fill = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	bool wake = urgent || (fill >= rules.wake_at && fill < rules.wake_at + (64 << 10));

	if (!bpf_ringbuf_output(&ring, record, size, wake ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP))
		return true;
	__sync_fetch_and_add(&control.lost, count);
	return false;
}

#endif
