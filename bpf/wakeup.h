/* wakeup: data shared by the BPF program of collect wakeup and the collector. */
#ifndef BPF_WAKEUP_H
#define BPF_WAKEUP_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/user_copy.h"

enum {
	WAKEUP_FRAMES = 127,
	WAKEUP_SLICES = 64,   /* slices that are remembered for each CPU; a power of two */
	WAKEUP_WALK = 16,     /* how many of these are reported */
	WAKEUP_COPIES = 1024, /* how many wakers' stacks can be kept for walking at a time */
};

/* Who had a CPU, from begin_ns until the next slice. */
struct wakeup_slice {
	__u64 begin_ns;
	__u32 tid, unused;
	char name[16];
};

/* Waits that are not reported one by one, since the budget did not allow it: their number and their time. */
enum wakeup_untaken {
	WAKEUP_STATES = 4, /* from RECORDING_PREEMPTED to RECORDING_WOKEN; others are few, and always get a record */
};

struct wakeup_tally {
	__u64 ns, count;
};

struct wakeup_tallies {
	struct wakeup_tally brief[WAKEUP_STATES]; /* waits of less than BUDGET_LONG_NS (bpf/stack_budget.bpf.h) */
	struct wakeup_tally long_[WAKEUP_STATES];
};

/* A thread.  The collector maps the table of slots, and reads its tallies while they change, the rest after all programs
 * have stopped. */
struct wakeup_slot {
	__u64 begin_ns; /* begin of its wait for a CPU; 0: not waiting */
	__u64 left_ns;  /* when it last left a CPU */
	__u32 pid, tid;
	__u32 state; /* enum recording_state: why it waits for a CPU */
	__u32 waker_pid, waker_tid;
	__s32 kernel_count, user_count; /* length of the waker's stack, which is in a separate table */
	__u32 copied;                   /* bytes of the copy of the waker's user stack, which is in a third table; 0:
					 * none */
	__u32 uncopied;                 /* nothing was copied, because the budget was used up */
	__u32 room;                     /* the copy's number + 1; 0: none is kept for the thread */
	__u32 paid;                     /* the waker's stack was taken, and paid for */
	__u32 sleeps;                   /* it left the CPU to sleep */
	__u64 early_ns;                 /* when it was last woken while it still had its CPU */
	char waker_name[16];
	struct wakeup_tallies untaken; /* since the thread began */
	/* RECORDING_THROTTLED: queue_of(), and queue_throttled_ns() at its begin (bpf/states.bpf.h) */
	__u64 throttled_queue, throttled_before_ns;
};

struct wakeup_stack {
	uint64_t entries[2 * WAKEUP_FRAMES]; /* kernel, then user; leaf first */
};

/* A wait that ended.  A record ends after the last used byte of its stack.  If the state is RECORDING_DEAD, the thread
 * has ended, and its "stack" is a struct wakeup_tallies. */
struct wakeup_record {
	__u32 cpu, state;
	__u32 pid, tid;
	__u32 waker_pid, waker_tid;
	__s32 kernel_count, user_count;
	__u64 begin_ns, end_ns;
	char name[16], waker_name[16];
	__u32 slice_count;
	__u32 copied;          /* bytes of the waker's struct user_copy, which follows the stack; 0: none */
	__u32 untaken, unused; /* the budget did not allow the waker's stack */
	struct wakeup_slice slices[WAKEUP_WALK]; /* who had the CPU, latest first */
	struct wakeup_stack stack;               /* of the waker */
};

#endif
