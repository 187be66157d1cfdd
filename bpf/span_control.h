/* span_control: what a collector (collect/spans/span_program.h) tells its BPF program that measures spans of time, and
 * what the program counts. */
#ifndef BPF_SPAN_CONTROL_H
#define BPF_SPAN_CONTROL_H

#include <linux/types.h>

enum { SPAN_CPUS = 4096 };

/* The time of what a thread goes through, by enum recording_reason: a power of two above RECORDING_REASON_OTHER.  Later
 * reasons are those of requests to devices, except for RECORDING_REASON_THROTTLED, which is here: */
enum { PARTS = 8, PART_THROTTLED = 7 };

/* Read-only data: set before the program is loaded. */
struct span_rules {
	__u64 cpu_mask[SPAN_CPUS / 64]; /* if some_cpus: only spans that end on these CPUs count */
	__u64 min_ns;                   /* shorter ones are summed, or left out */
	__u64 wake_at;                  /* wake the collector when the ring holds this many bytes */
	__u64 urgent_ns;                /* wake the collector at once for a span that took this long */
	__u64 copy_below;               /* no stacks are copied when the ring holds this many bytes, which leaves room
					 * for short records */
	__u64 copies_max;               /* maximum on each CPU in each USER_COPY_NS; 0: all */
	__u64 earn;                     /* ns that a CPU takes to earn one ns of stacks; 0: all are taken */
	__u32 walks;                    /* a record may end in a copy */
	__u32 some_cpus;
};

/* The stacks that were taken on a CPU (bpf/stack_budget.bpf.h). */
struct stack_account {
	__u64 paid_ns;  /* time of CLOCK_MONOTONIC until which they are paid for; 0 at first */
	__u64 spent_ns; /* what they cost: the program's time, and an estimate of the collector's time for each */
	__u64 stacks;
};

/* What the collector needs for a stack that it walks from a copy, or that the kernel followed; including joining,
 * summing and writing the stack. */
enum { STACK_COPIED_NS = 8000, STACK_FOLLOWED_NS = 1500 };

#define SPAN_NOT_YET (~0ull)

/* Data that the program and the collector change while the program runs.  Time before begin_ns or after end_ns does not
 * count. */
struct span_control {
	__u64 begin_ns, end_ns; /* of the recording; SPAN_NOT_YET until user space sets them */
	__u64 lost;             /* number of spans in the records for which the ring had no room */
	__u64 uncopied;         /* stacks walked by frame pointers, as there were too many to copy them all */
	__u64 unpaired;         /* spans whose begin or end was missed */
	__u64 untracked_threads, untracked_switches; /* the table of threads was full */
};

#endif
