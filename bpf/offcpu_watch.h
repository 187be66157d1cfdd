/* offcpu_watch: what the program of collect offcpu --watch counts, by thread. */
#ifndef BPF_OFFCPU_WATCH_H
#define BPF_OFFCPU_WATCH_H

#include <linux/types.h>

enum { WATCH_CPUS = 4096, WATCH_THREADS = 16384 };

/* The idle thread of a CPU is WATCH_IDLE | its number, as all of them have the id 0. */
#define WATCH_IDLE 0x80000000u

struct watch_sum {
	__u64 longest_ns, ns, count; /* off the CPU, until it came back */
	char name[16];
};

#endif
