/* noise: data shared by bpf/noise.bpf.c and collect/noise: who had a CPU, and for how long. */
#ifndef BPF_NOISE_H
#define BPF_NOISE_H

#include <linux/types.h>

enum noise_kind {
	NOISE_RUN,       /* the thread that the CPU is for, or the idle one; id: tid */
	NOISE_THREAD,    /* another thread; id: tid */
	NOISE_INTERRUPT, /* id: its number; the upper 32 bits tell its devices apart */
	NOISE_VECTOR,    /* an interrupt of the processor's own: enum noise_vector */
	NOISE_CALL,      /* a function that another CPU makes this one call; id: the address of the function */
	NOISE_SOFTIRQ,   /* id: its number */
	NOISE_TIMER,     /* id: the address of the function that it calls */
	NOISE_WORK,      /* of a workqueue, likewise */
	NOISE_NMI,       /* a non-maskable interrupt; id: the address of its handler */
	NOISE_HARDWARE,  /* time that is missing, without a cause in software (collect/noise/spinner.h) */
	NOISE_KINDS,
};

enum noise_vector {
	NOISE_LOCAL_TIMER,
	NOISE_RESCHEDULE,
	NOISE_CALL_FUNCTION,
	NOISE_CALL_FUNCTION_SINGLE,
	NOISE_IRQ_WORK,
	NOISE_THERMAL,
	NOISE_PLATFORM,
	NOISE_ERROR,
	NOISE_SPURIOUS,
	NOISE_VECTORS,
};

enum { NOISE_NAME = 16, NOISE_DEPTH = 8, NOISE_SOURCES = 32768, NOISE_THREADS = 16384, NOISE_CPUS = 1024 };

struct noise_key {
	__u64 id;
	__u32 cpu, kind;
	__u32 pid, tid;     /* who was disturbed; of a thread: itself */
	__u32 turn, unused; /* the lowest bit of the turn */
};

/* One source on one CPU, in one turn (a second).  Times are net: they exclude what interrupted the source, which has
 * sums of its own. */
struct noise_sum {
	__u64 ns, count;
	__u64 longest_ns, longest_at_ns; /* longest single time, and when it began: CLOCK_MONOTONIC, as all times */
	char name[NOISE_NAME];           /* name of a thread, or of an interrupt's device */
};

/* An item that took min_ns or longer, except NOISE_RUN.  It is sent when it ends, and is in no sum. */
struct noise_record {
	__u64 id;
	__u64 ns; /* net */
	__u64 begin_ns, end_ns;
	__u32 cpu, kind;
	__u32 pid, tid;
	char name[NOISE_NAME];
};

/* What has the CPU now. */
struct noise_item {
	__u64 id;
	__u64 ns, begin_ns; /* so far, net */
	__u64 summed_ns;    /* so much of it is in sums */
	__u32 kind, pid;
	char name[NOISE_NAME];
};

/* A thread, and what interrupts it. */
struct noise_cpu {
	__u64 since_ns;       /* all time before this is in `items`, in sums or in records */
	__u32 depth;          /* number of items; 0: nothing happened on this CPU yet */
	__u32 busy;           /* a program is at work */
	__u64 events;         /* how often a program was at work */
	__u64 missed;         /* events that came meanwhile */
	__u64 unplaced;       /* ns that found no room in the sums */
	__u64 unplaced_count; /* how often there was no room */
	__u64 main_ns;        /* the longest time that one thread has had the CPU */
	__u32 main_tid;       /* the thread that had the CPU for main_ns */
	__u32 turn;           /* at the last event */
	struct noise_item items[NOISE_DEPTH];
	struct noise_item first; /* the thread that had the CPU soon after the start; id 0: none */
};

#endif
