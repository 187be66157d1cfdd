/* windows: the records that bpf/windows.bpf.c sends to collect/windows/windows.c, in the order of each thread. */
#ifndef BPF_WINDOWS_H
#define BPF_WINDOWS_H

#include <linux/types.h>

enum window_event {
	WINDOW_BEGIN = 1,
	WINDOW_END = 2, /* with WINDOW_BEGIN: one ends, and the next begins */
	WINDOW_THREAD_GONE = 4,
	WINDOW_PROCESS_GONE = 8, /* its last thread ended, or it executes another program */
};

struct window_record {
	__u64 time_ns; /* CLOCK_MONOTONIC */
	__u64 sp;      /* user stack pointer; 0: unknown */
	__u32 pid, tid, cpu;
	__u32 what; /* enum window_event */
};

/* Where a thread's calls return to: when a return is probed, the kernel puts its own address there, and a walk along
 * the stack would end at it.  A slot whose address stays the same, as in a loop, is noted once. */
enum { WINDOW_RETURNS = 64 };

struct window_returns {
	__u32 count; /* so many were noted: the latest is at (count - 1) % WINDOW_RETURNS */
	__u32 unused;
	struct {
		__u64 slot, address;
		__u64 since_ns; /* CLOCK_MONOTONIC */
	} list[WINDOW_RETURNS];
};

#endif
