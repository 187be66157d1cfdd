/* wall: data shared by the BPF program that looks at all threads (bpf/wall.bpf.c) and the collector, which runs the
 * program in rounds.  While a thread stays in one state and place, only its slot changes; a new state is sent as a
 * record. */
#ifndef BPF_WALL_H
#define BPF_WALL_H

#include <linux/types.h>

#include "bpf/user_copy.h"

enum {
	WALL_FRAMES = 48,
	WALL_CPUS = 1024, /* a power of two */
	WALL_LIST = 1 << 16,
	WALL_UNKNOWN = 255, /* the state of a thread that was not seen yet */
};

struct wall_slot {
	__u64 switches;    /* state of the thread when it was last looked at */
	__u64 start_ns;    /* when it was created: tells it from another thread with the same id */
	__u64 told_ns;     /* the last round that looked at it; in all rounds since, it was in the same place */
	__u64 same_ns;     /* the last round in which it was found in the same place, after its stack was read */
	__u64 seen_ns;     /* the last round in which it was visited; for an ended thread, the time of its end */
	__u64 listed;      /* the round for which it is listed */
	__u32 state;       /* enum recording_state, or WALL_UNKNOWN */
	__u32 tid;         /* 0: the slot is free */
	__u32 passed_over; /* set in the last round if what it did since told_ns is not known yet */
	__u32 ended;
};

/* A thread has changed its state or place: it has been in the new one since begin_ns. */
struct wall_record {
	__u32 slot, pid, tid;
	__u32 state;
	__u32 cpu;
	__s32 count;    /* frames of the kernel stack; 0: it is in user code; negative: the stack could not be taken */
	__u64 begin_ns; /* time of the previous round, or when the thread began */
	__u64 has_registers; /* registers of user code, if the thread does not run: */
	__u64 registers[sizeof(struct user_copy) / sizeof(__u64)]; /* a struct user_copy without a stack */
	__u64 stack[WALL_FRAMES];                                  /* leaf first */
};

/* The thread that a CPU ran at the time of a round. */
struct wall_cpu {
	__u64 round_ns;
	__u32 tid, unused;
};

#endif
