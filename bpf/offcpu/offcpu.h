/* offcpu: data shared by the BPF program of collect offcpu and the collector. */
#ifndef BPF_OFFCPU_OFFCPU_H
#define BPF_OFFCPU_OFFCPU_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/user_copy.h"

enum {
	OFFCPU_FRAMES = 127, /* maximum frames of a stack: the default of kernel.perf_event_max_stack */
	OFFCPU_CPUS = 4096,
};

/* Blocks without a stack because the budget did not allow one: their number and their time, by state. */
enum offcpu_untaken {
	OFFCPU_STATES = 3, /* sleeping, blocked-io, blocked: others are few, and always get one */
};

struct offcpu_tally {
	__u64 ns, count;
};

struct offcpu_tallies {
	struct offcpu_tally
		brief[OFFCPU_STATES]; /* blocks of less than BUDGET_LONG_NS (bpf/stack_budget.bpf.h), since the thread
				       * began */
	struct offcpu_tally long_[OFFCPU_STATES]; /* longer ones: the next one with a stack stands for them, too */
};

enum offcpu_stack { OFFCPU_UNDECIDED, OFFCPU_TAKE, OFFCPU_TALLY };

/* A thread.  The collector maps the table and reads it while it changes: since_ns
 * identifies one block of the thread. */
struct offcpu_slot {
	__u64 since_ns; /* when its present block began; 0: it is not blocked */
	__u64 woken_ns; /* when it was woken since it last came back from a block; 0: it was not */
	__u64 asked_ns; /* the collector asks for the block with this since_ns */
	__u32 pid, tid;
	__u32 state;      /* enum recording_state of the last block */
	__u32 wants_user; /* the user stack must be taken when the thread returns */
	__u64 ip, sp;     /* registers of the user code to which the thread will return */
	__u64 left_out;   /* blocks that were too short or too long, of all threads that had this slot */
	__u64 choice;     /* enum offcpu_stack, for the present block */
	struct offcpu_tallies untaken;
};

enum offcpu_look {
	OFFCPU_LOOK_START, /* all threads that are already blocked */
	OFFCPU_LOOK_ASKED, /* the blocks that the collector asks for */
};

enum offcpu_kind {
	OFFCPU_BLOCK, /* a block that ended: the thread is back on the CPU */
	OFFCPU_WAKER, /* the thread that woke thread pid/tid from the block that began at since_ns */
	OFFCPU_USER,  /* the user stack of thread pid/tid, for the block that began at since_ns;
			* 0: for all its blocks that lack one */
	OFFCPU_HELD,  /* an ongoing block, with its user stack or with ip, sp and bp only */
	OFFCPU_ENDED, /* the thread ended; its "kernel stack" is a struct offcpu_tallies */
};

/* A record in the ring, which ends after the last used byte of its stacks. */
struct offcpu_record {
	__u32 kind, cpu;
	__u32 pid, tid;
	__u32 waker_pid, waker_tid;
	__u32 state, follows;              /* follows: the user stack comes later, in a record of its own */
	__u64 since_ns, until_ns;          /* until_ns: when the thread was woken; 0: not yet */
	__u64 ip, sp, bp;                  /* registers of the user code; 0: there is none, or they are unknown */
	__s32 kernel_count, user_count;    /* number of entries; negative: an error */
	struct offcpu_tally others;        /* OFFCPU_BLOCK: it stands for these, too */
	__u32 slot;                        /* OFFCPU_HELD: the number of the thread's slot */
	__u32 copied;                      /* bytes of a struct user_copy that follows the stacks; 0: none */
	uint64_t stack[2 * OFFCPU_FRAMES]; /* kernel, then user; leaf first */
};

#endif
