/* span_control: what the collector of a BPF program that measures spans of time, collect/spans/span_program.h, tells it,
 * and what the program counts. */
#ifndef BPF_SPAN_CONTROL_H
#define BPF_SPAN_CONTROL_H

#include <linux/types.h>

enum { SPAN_CPUS = 4096 };

/* Read-only data: set before the program is loaded. */
struct span_rules {
	__u64 cpu_mask[SPAN_CPUS / 64]; /* if some_cpus: only spans that end on these */
	__u64 min_ns;                   /* shorter ones are summed, or left out */
	__u64 wake_at;                  /* wake the collector when so much is in the ring, ... */
	__u64 urgent_ns;                /* ... and at once for what took so long */
	__u64 copy_below;               /* no stacks are copied when so much is in the ring, so that it has room for
					 * many short records */
	__u64 copies_max;               /* on each CPU in each USER_COPY_NS; 0: all */
	__u64 earn;                     /* ns that a CPU takes to earn one ns of stacks; 0: all are taken */
	__u32 walks;                    /* a record may end in a copy */
	__u32 some_cpus;
};

/* The stacks that were taken on a CPU (bpf/stack_budget.bpf.h). */
struct stack_account {
	__u64 paid_ns;  /* they are paid until then, CLOCK_MONOTONIC; 0 at first */
	__u64 spent_ns; /* what they cost: the program's time, and about what the collector does for each: */
	__u64 stacks;
};

/* Walks its copy, or not; joins it, adds it to sums, writes it. */
enum { STACK_COPIED_NS = 8000, STACK_FOLLOWED_NS = 1500 };

#define SPAN_NOT_YET (~0ull)

/* Data that both sides change while the program runs.  Time before begin_ns or after end_ns does not count. */
struct span_control {
	__u64 begin_ns, end_ns; /* of the recording; SPAN_NOT_YET until user space sets them */
	__u64 lost;             /* spans in records for which the ring had no room */
	__u64 uncopied;         /* stacks walked by frame pointers: there were too many to copy them all */
	__u64 unpaired;         /* spans whose begin or end was missed */
	__u64 untracked_threads, untracked_switches; /* the table of threads was full */
};

#endif
