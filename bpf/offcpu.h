/* offcpu: what the program of collect offcpu and the collector tell each other. */
#ifndef BPF_OFFCPU_H
#define BPF_OFFCPU_H

#include <linux/types.h>
#include <stdint.h>

enum {
	OFFCPU_FRAMES = 127, /* of a stack, at most: kernel.perf_event_max_stack's default */
	OFFCPU_CPUS = 4096,
	OFFCPU_PAGE = 4096,
	OFFCPU_COPY_STACK = 16384, /* bytes of a user stack that is to be walked; up to the end of that page */
};

/* Whose user stacks are copied, to be walked. */
enum offcpu_walks { OFFCPU_WALK_NONE, OFFCPU_WALK_SOME, OFFCPU_WALK_ALL };

/* What a user stack is walked from: the registers, struct pt_regs, and what is on the stack. */
struct offcpu_copy {
#ifdef __aarch64__
	__u64 regs[34];       /* x0 to x30, sp, pc, pstate */
#else
	__u64 regs[21];       /* asm/ptrace.h */
#endif
	__u8 stack[];
};

enum { OFFCPU_COPY_MAX = sizeof(struct offcpu_copy) + OFFCPU_COPY_STACK + OFFCPU_PAGE };

/* A thread.  The collector maps the table and reads it while it changes: a time of
 * since_ns names one block of the thread. */
struct offcpu_slot {
	__u64 since_ns;       /* off the CPU, and blocked, since; 0: it is not */
	__u64 woken_ns;       /* when somebody last woke it */
	__u64 asked_ns;       /* the collector wants to see the block of that since_ns */
	__u32 pid, tid;
	__u32 state;          /* enum recording_state, of the last block */
	__u32 wants_user;     /* the user stack is taken on its return */
	__u64 ip, sp;         /* of the user code that waits for that */
	__u64 left_out;       /* blocks of whoever had this slot that were too short, or too long */
};

enum offcpu_look {
	OFFCPU_LOOK_START,    /* who is blocked already? */
	OFFCPU_LOOK_ASKED,    /* where are those that are asked for? */
};

enum offcpu_kind {
	OFFCPU_BLOCK,         /* a block that ended, when the thread has the CPU again */
	OFFCPU_WAKER,         /* who woke pid, tid, from its block since since_ns */
	OFFCPU_USER,          /* the user stack of pid, tid: for its block since since_ns, or
			       * for all that lack theirs (0) */
	OFFCPU_HELD,          /* a block that goes on; with its user stack, or just ip, sp, bp */
};

/* A record of the ring: only as long as its stacks are. */
struct offcpu_record {
	__u32 kind, cpu;
	__u32 pid, tid;
	__u32 waker_pid, waker_tid;
	__u32 state, follows; /* follows: the user stack comes in a record of its own */
	__u64 since_ns, until_ns; /* until_ns: woken; 0: not yet */
	__u64 ip, sp, bp;     /* of the user code; 0: none, or not known */
	__s32 kernel_count, user_count; /* entries; negative: why there are none */
	__u32 slot;           /* OFFCPU_HELD: the number of the thread's slot */
	__u32 copied;         /* bytes of a struct offcpu_copy that follows the stacks; 0: none */
	uint64_t stack[2 * OFFCPU_FRAMES]; /* kernel, then user; leaf first */
};

#endif
