/* python_ring: copies of Python frames that go with samples of the kernel, which it sends elsewhere; user space puts both
 * together by thread and time. */
#ifndef BPF_PYTHON_PYTHON_RING_BPF_H
#define BPF_PYTHON_PYTHON_RING_BPF_H

#include "bpf/python/python_copy.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, PYTHON_RING);
} python_ring SEC(".maps");

__u64 python_lost;

static __always_inline void python_send(void)
{
	struct python_copy *copy = python_copy();

	if (copy && bpf_ringbuf_output(&python_ring, copy, python_copy_bytes(copy), BPF_RB_NO_WAKEUP))
		__sync_fetch_and_add(&python_lost, 1);
}

#endif
