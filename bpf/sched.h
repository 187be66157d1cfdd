/* sched: data shared by the BPF program of scheduler states (bpf/sched.bpf.c) and the
 * collector: one struct sched_thread for each thread, in a map that both see.
 *
 * A thread is always in exactly one interval, in one state, since since_ns.  When the interval ends, the program
 * charges its length to a cell of the thread.  There is a cell for each CPU that the thread ran on, and for each pair
 * of another state and a thread that it waited for.  Cells are in two banks.  The collector divides time into epochs,
 * of about a second: intervals that end in an epoch are charged to the epoch's bank, while the collector reads and
 * clears the other one.
 *
 *     epochs[0] = 10 s   epochs[1] = 11 s     at 11.3 s: bank 1 is charged,
 *                                             bank 0 (10 s to 11 s) is being read
 *
 * An interval that began before its epoch adds only the part inside the epoch to the
 * cell; the part before it is in `crossing`, or the collector finds it in the ongoing
 * interval.  (With single spans, --events, an interval is charged or sent whole when it ends.)
 * Who had the CPU during a wait is known only afterwards.  So the wait is charged at its end, and whenever the
 * collector looks at it: just before an epoch ends, and before the CPU's slices are overwritten. */
#ifndef BPF_SCHED_H
#define BPF_SCHED_H

#include <linux/types.h>

#include "bpf/detail.h"

enum {
	SCHED_CELLS = 8,     /* a power of two */
	SCHED_STATES = 32,   /* a power of two above the number of states */
	SCHED_SLICES = 2048, /* a power of two */
	SCHED_STACK = 48,    /* entries of a stack */
	SCHED_LOOKS = 8,     /* threads in one look */
};

/* With --events=MIN, the cost of a single span (bpf/detail.h), so that there are at most 4096 a second on each CPU. */
#define SCHED_DETAIL_NS (DETAIL_CREDIT_NS / 4096)

/* The key of a cell: enum recording_state, and the CPU of RECORDING_RUNNING or the
 * thread that was waited for.  0: the cell is empty. */
#define SCHED_KEY(state, value) (1u << 31 | (__u32)(state) << 24 | ((__u32)(value)&0xffffff))
#define SCHED_KEY_STATE(key) ((key) >> 24 & 0x7f)
#define SCHED_KEY_VALUE(key) ((key)&0xffffff)
#define SCHED_OTHERS 0xffffff /* stands for several threads, like RECORDING_BY_OTHERS, or for several CPUs */

#define SCHED_NICE_0 120

/* The CPU on whose run queue a thread waited; in a cell, SCHED_OTHERS for several. */
#define SCHED_WAITED_ON(cpu) ((__u32)(cpu) + 1)

struct sched_cell {
	__u64 ns, longest_ns;
	__u32 key;
	__u32 count;      /* number of intervals that have ended */
	__u32 migrations; /* of a wait: the CPU whose queue the thread was in, as SCHED_WAITED_ON() */
	__u32 bank;       /* the bank of the cell; only in SCHED_SPILL */
};

struct sched_crossing {
	__u64 epoch_ns; /* start of an epoch that began inside an interval that has ended */
	__u64 begin_ns; /* start of that interval */
	__u64 part_ns;  /* the part of that interval in the previous epoch */
	__u32 key;
	__u32 unused;
};

/* Used only by the program: its progress in charging a wait, backwards in time. */
struct sched_walk {
	__u64 until_ns;
	__u64 best_ns; /* the thread that had the CPU longest without a break */
	__u32 best_tid;
	__u32 unused;
};

struct sched_thread {
	__u64 since_ns;   /* 0 while the rest is being changed */
	__u64 charged_ns; /* the wait is charged up to this time */
	__u64 waking_ns;  /* when a wakeup began while the thread still had its CPU */
	__u64 end_ns;     /* when the thread ended; 0: it lives */
	__u32 state;      /* enum recording_state */
	__u32 cpu;        /* where it runs, waits, or ran last */
	__u32 last_cpu;   /* where it ran before; UINT32_MAX: nowhere yet */
	__u32 moved;      /* the thread is running, and came from another CPU */
	__u32 pid, tid;
	__u32 policy;          /* how it last left its CPU: SCHED_..., and ... */
	__u32 static_prio;     /* ... SCHED_NICE_0 + niceness */
	__u32 cpus_allowed;    /* the number of CPUs that it might use then */
	__u32 woken_throttled; /* RECORDING_THROTTLED since it was woken, by the run queue that it had then */
	/* RECORDING_THROTTLED: queue_of(), and queue_throttled_ns() at its begin (bpf/states.bpf.h) */
	__u64 throttled_queue, throttled_before_ns;
	struct sched_crossing crossing;
	struct sched_walk walk;
	struct sched_cell cells[2][SCHED_CELLS];
};

/* Which thread had a CPU, until the next slice began. */
struct sched_slice {
	__u64 begin_ns;
	__u32 tid, unused;
};

struct sched_cpu {
	struct sched_slice now;
	__u32 head;                  /* slices[head - 1] is the last complete one */
	struct detail_budget detail; /* of single spans */
	__u32 budget;                /* how many slices waits may still walk back, which bounds their cost */
	__u32 busy;                  /* a look, or moving a thread away, is in progress */
	__u16 wanted;                /* time on this CPU counts */
	__u16 guarded;               /* report which threads come here */
	struct sched_slice slices[SCHED_SLICES];
};

enum sched_record_kind {
	SCHED_SPILL, /* a cell evicted to make room */
	SCHED_SPAN,  /* a single interval, with --events */
	SCHED_ENTRY, /* when a thread first came to a guarded CPU */
	SCHED_LOW,   /* there is little room for new threads, so a flush is needed */
};

/* Arguments of the program that looks at waiting threads.  It runs on the CPU that they wait for, and charges waits
 * that began before before_ns until now. */
struct sched_look {
	__u64 before_ns;
	__u64 slots[SCHED_LOOKS]; /* slots of threads; 0: none */
};

/* A record of the ring. */
struct sched_record {
	__u32 kind;
	__u32 pid, tid;
	__u32 cpu;
	__u64 begin_ns, end_ns; /* SCHED_SPAN */
	struct sched_cell cell;
};

struct sched_name {
	char comm[16];
};

/* SCHED_ENTRY; begins like all records. */
struct sched_entry {
	__u32 kind;
	__u32 pid, tid;
	__u32 cpu;
	__u64 time_ns;
	struct sched_name name;
	__u64 stack_count;
	__u64 stack[SCHED_STACK]; /* the kernel's, leaf first */
};

/* Variables that both sides use. */
struct sched_control {
	__u64 begin_ns, end_ns; /* the window: nothing before or after counts */
	__u64 epochs[2];        /* start of each bank's epoch, past or future */
	__u64 free_head;        /* free_slots[head .. tail) are free; the program takes slots at head */
	__u64 free_tail;        /* the collector returns slots at tail */
	__u64 asked;            /* a flush was asked for, and is pending */
	__u64 scanned;          /* all threads that existed at begin_ns are known */
	/* Losses. */
	__u64 untracked_threads, untracked_switches, missed_switches, lost_spans;
	__u64 missed_ns;   /* time guessed for missed_switches */
	__u64 others_ns;   /* time of waits that could not be attributed to a thread */
	__u64 over_budget; /* spans that were summed although they were long enough to be single */
};

#endif
