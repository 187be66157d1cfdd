/* offcpu_watch: counts of collect offcpu --watch, by thread. */
#ifndef BPF_OFFCPU_OFFCPU_WATCH_H
#define BPF_OFFCPU_OFFCPU_WATCH_H

#include <linux/types.h>

enum { WATCH_CPUS = 4096, WATCH_THREADS = 16384 };

/* A CPU's idle thread is WATCH_IDLE | the CPU's number, as all idle threads have the id 0. */
#define WATCH_IDLE 0x80000000u

struct watch_sum {
	__u64 longest_ns, ns, count; /* off the CPU, until it came back */
	char name[16];
};

#endif
