/* processes: data shared by the BPF program of collect processes and the collector. */
#ifndef BPF_PROCESSES_H
#define BPF_PROCESSES_H

#include <linux/types.h>

enum { PROCESS_ARGS = 4096 };

enum process_event {
	PROCESS_FORK,
	PROCESS_EXEC,
	PROCESS_FAILED, /* an exec that failed */
	PROCESS_EXIT,   /* its last thread ends */
	PROCESS_FREE,   /* its parent has waited for it: its CPU time is final only now */
	PROCESS_THERE,  /* it exists: a look */
};

enum process_flag {
	PROCESS_PARENT_SLEEPS = 1,
	PROCESS_KERNEL = 2, /* a thread of the kernel */
	PROCESS_CORE = 4,   /* it wrote a core file */
	PROCESS_OTHER = 8,  /* an exec by another thread than the first one */
};

struct process_record {
	__u64 time_ns;
	__u64 start_ns; /* when it was forked: with the pid, this tells a process from all others */
	__u64 cpu_ns;   /* of all its threads, so far; for a running thread, up to its last timer tick or switch */
	__u64 main_ns;  /* of its first thread only; after an exec, of the thread that called it */
	__u64 peak_pages;
	__u32 event; /* enum process_event */
	__u32 pid, parent;
	__u32 status; /* status of an exit, as in wait(2); for a failed exec, the errno */
	__u32 flags;  /* enum process_flag */
	__u32 args_bytes;
	__u64 args_whole; /* bytes that the arguments had */
	char name[16];
	char args[PROCESS_ARGS]; /* args_bytes: each ends in a 0, except where they were cut */
};

#endif
