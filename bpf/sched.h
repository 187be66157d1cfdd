/* sched: what the BPF program of scheduler states (bpf/sched.bpf.c) shares with the
 * collector: one struct sched_thread for each thread, in a map that both see.
 *
 * A thread is always in exactly one interval, in one state, since since_ns.  When it
 * ends, the program charges its length to a cell of the thread: one for each state and
 * CPU it ran on, or thread that it waited for.  Cells are in two banks.  Time is cut
 * into epochs, by the collector, each second or so: what ends in an epoch is charged
 * to the epoch's bank, while the collector reads and clears the other one.
 *
 *     epochs[0] = 10 s   epochs[1] = 11 s     at 11.3 s: bank 1 is charged,
 *                                             bank 0 (10 s to 11 s) is being read
 *
 * An interval that was there before its epoch began gives to the cell only what lies
 * in it; what lies before is left in `crossing`, or is found by the collector in the
 * interval that goes on.  Who had the CPU during a wait is known afterwards: it is
 * charged as a whole, at its end, and when the collector has a look at it: just before
 * an epoch ends, and before what is known of the CPU is overwritten. */
#ifndef BPF_SCHED_H
#define BPF_SCHED_H

#include <linux/types.h>

enum {
	SCHED_CELLS = 8,    /* a power of two */
	SCHED_STATES = 16,  /* more than there are, a power of two */
	SCHED_SLICES = 2048, /* a power of two */
	SCHED_STACK = 48,   /* entries */
	SCHED_LOOKS = 8,    /* threads that are looked at in one go */
};

/* What a cell counts: enum recording_state, and the CPU of RECORDING_RUNNING or the
 * thread that was waited for.  0: the cell is empty. */
#define SCHED_KEY(state, value) (1u << 31 | (__u32)(state) << 24 | ((__u32)(value) & 0xffffff))
#define SCHED_KEY_STATE(key) ((key) >> 24 & 0x7f)
#define SCHED_KEY_VALUE(key) ((key) & 0xffffff)
#define SCHED_OTHERS 0xffffff /* as RECORDING_BY_OTHERS; and several CPUs */

/* On whose run queue a thread waited; in a cell SCHED_OTHERS when these were several. */
#define SCHED_WAITED_ON(cpu) ((__u32)(cpu) + 1)

struct sched_cell {
	__u64 ns, longest_ns;
	__u32 key;
	__u32 count;      /* of intervals that ended */
	__u32 migrations; /* of a wait: where, SCHED_WAITED_ON() */
	__u32 bank;       /* where it was; of SCHED_SPILL only */
};

struct sched_crossing {
	__u64 epoch_ns;   /* the beginning of an epoch, within an interval that has ended */
	__u64 begin_ns;   /* of the interval */
	__u64 part_ns;    /* of it, in the epoch before */
	__u32 key;
	__u32 unused;
};

/* The program's own: how far it is in charging a wait, back in time. */
struct sched_walk {
	__u64 until_ns;
	__u64 best_ns;    /* who had the CPU longest at a stretch */
	__u32 best_tid;
	__u32 unused;
};

struct sched_thread {
	__u64 since_ns;   /* 0 while the rest is being changed */
	__u64 charged_ns; /* of a wait: until then it is charged */
	__u64 waking_ns;  /* somebody began to wake it while it had its CPU */
	__u64 end_ns;     /* 0: it lives */
	__u32 state;      /* enum recording_state */
	__u32 cpu;        /* where it runs, waits, or ran last */
	__u32 last_cpu;   /* where it ran before; UINT32_MAX: nowhere yet */
	__u32 moved;      /* it runs now, and came from another CPU */
	__u32 pid, tid;
	struct sched_crossing crossing;
	struct sched_walk walk;
	struct sched_cell cells[2][SCHED_CELLS];
};

/* Who had a CPU: until the next slice began. */
struct sched_slice {
	__u64 begin_ns;
	__u32 tid, unused;
};

struct sched_cpu {
	struct sched_slice now;
	__u32 head;       /* slices[head - 1] is the one before now */
	__u32 budget;     /* steps back that waits may take, so that the time for it is bounded */
	__u32 busy;       /* a look at it, or a thread that is moved away, is under way */
	__u16 wanted;     /* does its time count? */
	__u16 guarded;    /* is it told who comes here? */
	struct sched_slice slices[SCHED_SLICES];
};

enum sched_record_kind {
	SCHED_SPILL, /* a cell that made room for another one */
	SCHED_SPAN,  /* an interval, with --events */
	SCHED_ENTRY, /* a thread is on a guarded CPU for the first time */
	SCHED_LOW,   /* there is little room for new threads: flush, please */
};

/* Arguments of the program that looks at threads, which is run on the CPU they wait
 * for: those that wait since before before_ns are charged until now. */
struct sched_look {
	__u64 before_ns;
	__u64 slots[SCHED_LOOKS]; /* 0: none */
};

/* What comes by the ring. */
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

/* SCHED_ENTRY, which begins as all records do. */
struct sched_entry {
	__u32 kind;
	__u32 pid, tid;
	__u32 cpu;
	__u64 time_ns;
	struct sched_name name;
	__u64 stack_count;
	__u64 stack[SCHED_STACK]; /* the kernel's, leaf first */
};

/* Both sides' variables. */
struct sched_control {
	__u64 begin_ns, end_ns; /* the window: nothing before or after counts */
	__u64 epochs[2];        /* of each bank: when its epoch began, or will */
	__u64 free_head;        /* free_slots[head .. tail) are free; the program takes */
	__u64 free_tail;        /* ... and the collector gives */
	__u64 asked;            /* for a flush, which is to come */
	__u64 scanned;          /* all threads that were there at begin_ns are known */
	/* Counts of what is missing. */
	__u64 untracked_threads, untracked_switches, missed_switches, lost_spans;
	__u64 missed_ns;        /* of the time that is guessed for missed_switches */
	__u64 others_ns;        /* of waits that no thread could be told for */
};

#endif
