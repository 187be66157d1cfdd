/* windows: the records that bpf/windows.bpf.c sends to collect/windows/windows.c; those of a thread are in order. */
#ifndef BPF_WINDOWS_H
#define BPF_WINDOWS_H

#include <linux/types.h>

enum window_event {
	WINDOW_BEGIN = 1,
	WINDOW_END = 2, /* with WINDOW_BEGIN: one window ends, and the next begins */
	WINDOW_THREAD_GONE = 4,
	WINDOW_PROCESS_GONE = 8, /* the process's last thread ended, or it executes another program */
};

struct window_record {
	__u64 time_ns; /* CLOCK_MONOTONIC */
	__u64 sp;      /* user stack pointer; 0: unknown */
	__u32 pid, tid, cpu;
	__u32 what; /* enum window_event */
};

/* The return addresses of a thread's probed calls: to probe a return, the kernel replaces the address in the stack by
 * its own, at which a walk along the stack would end.  A slot of the stack whose address stays the same, as in a loop,
 * is noted once. */
enum { WINDOW_RETURNS = 64 };

struct window_returns {
	__u32 count; /* number of addresses noted so far; the latest is at (count - 1) % WINDOW_RETURNS */
	__u32 unused;
	struct {
		__u64 slot, address;
		__u64 since_ns; /* CLOCK_MONOTONIC */
	} list[WINDOW_RETURNS];
};

#endif
