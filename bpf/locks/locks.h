/* locks: data shared by the BPF program of collect locks and the collector. */
#ifndef BPF_LOCKS_LOCKS_H
#define BPF_LOCKS_LOCKS_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/user_copy.h"
#include "core/format/recording.h"

enum { LOCKS_FRAMES = 127 };

#define LOCKS_NO_SLOT 0xffffffffu

/* On each CPU, at most one short wait in this time gets a stack. */
#define LOCKS_STACK_NS 2000000
/* After a quiet time, this many short waits may get a stack at once. */
#define LOCKS_STACKS_AT_ONCE 250

/* The kinds of sums.  Waits that are not short are summed if the budget allows no stack for them. */
enum locks_sum_kind { LOCKS_OF_FUTEXES, LOCKS_OF_KERNEL, LOCKS_LONG_OF_FUTEXES, LOCKS_LONG_OF_KERNEL, LOCKS_SUMS };

/* Waits of a thread that were not reported yet. */
struct locks_sum {
	__u64 count, ns, longest_ns, begin_ns, runnable_ns;
	__u32 lock, slept;
};

/* A wait that goes on. */
struct locks_open {
	__u64 since_ns;             /* when it began; 0: there is none */
	__u64 woken_ns;             /* when the thread was woken; 0: it was not */
	__u64 switches;             /* how often the thread had gone to sleep when the wait began */
	__u64 runnable_ns;          /* how long it had waited for CPUs by then */
	__u64 address;              /* of the lock */
	__u64 begun;                /* identifies the wait among those of the thread */
	__u32 lock;                 /* enum recording_lock, with its flags */
	__u32 owner_pid, owner_tid; /* who has the lock, as the lock itself says; tid 0: unknown */
	__u32 stack;                /* enum locks_stack */
	__u32 asked;                /* this wait was reported to the collector as ongoing at the end */
	__u32 told;                 /* LOCKS_LASTS was sent, which asks the collector to look at the owner */
};

/* A thread.  The collector maps the table and reads it while it changes. */
struct locks_slot {
	struct locks_open now;
	struct locks_open
		aside; /* the wait for a futex whose system call came upon a lock of the kernel, which is `now` */
	__u64 task;    /* address of its struct task_struct */
	__u64 begun;   /* number of waits so far */
	__u32 pid, tid;
	struct locks_sum sums[LOCKS_SUMS];
};

enum locks_stack { LOCKS_UNDECIDED, LOCKS_TAKE, LOCKS_TALLY };

enum locks_record_kind {
	LOCKS_WAIT,      /* a wait that is over */
	LOCKS_SUM,       /* `count` short waits of the thread; the other members are those of the last one */
	LOCKS_REST,      /* a sum without a stack: the thread, or the recording, has ended */
	LOCKS_HELD,      /* a wait that goes on at the end */
	LOCKS_OWNER,     /* owner_pid/owner_tid released the lock that thread pid/tid waited for, at until_ns; with its
			  * stack */
	LOCKS_LASTS,     /* thread pid/tid still waits, and the owner is known; `slot` is that of the waiting thread */
	LOCKS_MEANWHILE, /* the owner, with its stack, while thread pid/tid waits */
	LOCKS_COMPAT, /* a 32-bit program begins: the kernel's tracepoints of single system calls do not see its calls */
};

/* The collector wants the stack of a running thread, for wait number `begun` of thread pid/tid. */
struct locks_wanted {
	__u64 begun;
	__u32 pid, tid, slot;
};

enum { LOCKS_WANTED_MAX = 64 };

/* The present state of a thread that holds a lock. */
struct locks_holder {
	__u64 run_ns; /* its CPU time so far, which grows if the thread runs */
	__u64 sp, ip, bp;
	__u32 tid, pid;
	__u32 runs, registers; /* runs: it is on a CPU, and nothing else is known; registers: `copy` was filled */
	__s32 kernel_count, kernel_thread;
	__u64 copy[sizeof(struct user_copy) / sizeof(__u64)]; /* a struct user_copy, registers only */
	uint64_t kernel[LOCKS_FRAMES];
};

/* A record in the ring, which ends after the last used byte of its stack. */
struct locks_record {
	__u32 kind, cpu;
	__u32 pid, tid;
	__u32 owner_pid, owner_tid;
	__u32 lock, slept;
	__u64 since_ns, until_ns, begun;
	__u64 address;
	__u64 count, ns, longest_ns, runnable_ns;
	struct locks_sum others;        /* of a LOCKS_WAIT: the waits for which it stands; count 0: none */
	__u64 ip, sp, bp;               /* registers of the user code */
	__s32 kernel_count, user_count; /* number of entries; negative: an error */
	__u32 copied;                   /* bytes of a struct user_copy after the stack; 0: none */
	__u32 is_long;                  /* LOCKS_REST: its waits are not short */
	__u32 slot;                     /* the slot of a thread that still waits and whose stack is read later;
					 * otherwise LOCKS_NO_SLOT */
	__u32 unused;
	uint64_t stack[2 * LOCKS_FRAMES]; /* kernel, then user; leaf first */
};

#endif
