/* thread_probe: names of Java threads as they start (collect/java/thread_probe.h). */
#include "bpf/thread_probe.h"

#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <stdbool.h>

#include <bpf/bpf_helpers.h>

#include <bpf/bpf_tracing.h>
#include <bpf/usdt.bpf.h>

char LICENSE[] SEC("license") = "GPL";

/* The PID namespace in which ids are reported; 0: the initial one. */
const volatile __u64 ns_dev, ns_inode;

__u64 lost_records;

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 256 << 10);
} ring SEC(".maps");

/* Fill in the ids of the current thread.  Returns false for a process that is not visible in the namespace. */
static __always_inline bool who(struct thread_probe_record *r)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct bpf_pidns_info here = { 0 };

	if (ns_inode) {
		if (bpf_get_ns_current_pid_tgid(ns_dev, ns_inode, &here, sizeof(here)))
			return false;
		id = (__u64)here.tgid << 32 | here.pid;
	}
	r->pid = id >> 32;
	r->tid = (__u32)id;
	return true;
}

/* hotspot:thread__start(name, length, java id, native id, daemon), in the thread that starts. */
SEC("usdt")
int thread_started(struct pt_regs *ctx)
{
	struct thread_probe_record *r;
	long name, len;
	__u32 size;

	if (bpf_usdt_arg(ctx, 0, &name) || bpf_usdt_arg(ctx, 1, &len) || len <= 0)
		return 0;
	r = bpf_ringbuf_reserve(&ring, sizeof(*r), 0);
	if (!r) {
		__sync_fetch_and_add(&lost_records, 1);
		return 0;
	}
	r->len = len;
	size = r->len < THREAD_PROBE_NAME ? r->len : THREAD_PROBE_NAME;
	if (!who(r) || bpf_probe_read_user(r->name, size, (const void *)name))
		bpf_ringbuf_discard(r, 0);
	else
		bpf_ringbuf_submit(r, 0);
	return 0;
}
