/* ring: the way of records to the collector, which is woken when a quarter of the ring is full. */
#ifndef BPF_RING_BPF_H
#define BPF_RING_BPF_H

#include "bpf/kernel.h"

const volatile __u64 wake_at = 1 << 20; /* wake the collector when so much is in the ring */
const volatile __u64 urgent_ns = ~0ull; /* wake it at once for what took so long */

__u64 lost_records; /* what records that found no room stood for */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 16 << 20);
} ring SEC(".maps");

/* Send a record that stands for count things; urgent: wake the collector at once.  Returns false if there was no room. */
static __always_inline bool ring_send(void *record, __u64 size, __u64 count, bool urgent)
{
	__u64 fill = bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA);
	bool wake = urgent || (fill >= wake_at && fill < wake_at + (64 << 10));

	if (!bpf_ringbuf_output(&ring, record, size, wake ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP))
		return true;
	__sync_fetch_and_add(&lost_records, count);
	return false;
}

#endif
