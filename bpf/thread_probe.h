/* thread_probe: what crosses from the BPF program to collect/java/thread_probe.c. */
#ifndef BPF_THREAD_PROBE_H
#define BPF_THREAD_PROBE_H

#include <linux/types.h>

enum { THREAD_PROBE_NAME = 256 };

struct thread_probe_record {
	__u32 pid, tid;
	__u32 len;                /* of the whole name; of name[] there may be less */
	char name[THREAD_PROBE_NAME];
};

#endif
