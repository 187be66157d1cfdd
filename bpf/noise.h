/* noise: what bpf/noise.bpf.c and collect/noise tell each other: for each CPU, how long each source had it. */
#ifndef BPF_NOISE_H
#define BPF_NOISE_H

#include <linux/types.h>

enum noise_kind {
	NOISE_THREAD,    /* id: tid; 0: idle */
	NOISE_INTERRUPT, /* id: its number */
	NOISE_VECTOR,    /* an interrupt of the processor's own: enum noise_vector */
	NOISE_SOFTIRQ,   /* id: its number */
	NOISE_TIMER,     /* id: the address of the function that it calls */
	NOISE_WORK,      /* of a workqueue, likewise */
	NOISE_KINDS,
};

enum noise_vector {
	NOISE_LOCAL_TIMER,
	NOISE_RESCHEDULE,
	NOISE_CALL_FUNCTION,
	NOISE_CALL_FUNCTION_SINGLE,
	NOISE_IRQ_WORK,
	NOISE_THERMAL,
	NOISE_VECTORS,
};

enum { NOISE_NAME = 16, NOISE_DEPTH = 8, NOISE_SOURCES = 16384 };

struct noise_key {
	__u64 id;
	__u32 cpu, kind;
};

/* One source on one CPU.  Times are net: without what interrupted it, which has its own. */
struct noise_sum {
	__u64 ns, count;
	__u64 longest_ns, longest_at; /* of one time; CLOCK_MONOTONIC */
	__u64 over;                   /* how many times were longer than the budget */
	__u32 pid, unused;            /* of a thread */
	char name[NOISE_NAME];        /* of a thread, or of an interrupt's device */
};

/* What has the CPU now. */
struct noise_item {
	__u64 id;
	__u64 ns, begin_ns; /* so far, net */
	__u32 kind, pid;
	char name[NOISE_NAME];
};

/* A thread, and what interrupts it. */
struct noise_cpu {
	__u64 since_ns; /* all time before is in the items, or in sums */
	__u32 depth;    /* number of items; 0: nothing happened on this CPU yet */
	__u32 busy;     /* a program is at work */
	__u64 missed;   /* events that came meanwhile */
	__u64 unplaced; /* sources that found no room */
	struct noise_item items[NOISE_DEPTH];
};

#endif
