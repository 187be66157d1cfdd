/* thread_probe: the records that the BPF program sends to collect/java/thread_probe.c. */
#ifndef BPF_THREAD_PROBE_H
#define BPF_THREAD_PROBE_H

#include <linux/types.h>

enum { THREAD_PROBE_NAME = 256 };

struct thread_probe_record {
	__u32 pid, tid;
	__u32 len; /* length of the whole name; name[] may be shorter */
	char name[THREAD_PROBE_NAME];
};

#endif
