/* syscalls: data shared by the BPF program of collect syscalls and the collector. */
#ifndef BPF_SYSCALLS_H
#define BPF_SYSCALLS_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/span_control.h"
#include "bpf/path.h"
#include "bpf/user_copy.h"
#include "core/format/recording.h"

/* On each CPU, at most one sum of short calls in this time gets a stack. */
#define SYSCALLS_STACK_NS 2000000
/* After a quiet time, this many sums may get a stack at once. */
#define SYSCALLS_STACKS_AT_ONCE 250

enum {
	SYSCALLS_FRAMES = 127,       /* of the user stack */
	SYSCALLS_BLOCK_FRAMES = 48,  /* of a block in the kernel */
	SYSCALLS_SUMS = 128,         /* number of sums that each CPU keeps until they are fetched; a power of two */
	SYSCALLS_NUMBERS = 1024,     /* numbers of system calls, of either kind, are below this: */
	SYSCALLS_KEPT_ERRORS = 4095, /* the last errno */
};

/* What a call is about: which argument is a descriptor, or what else identifies it. */
enum syscall_descriptor {
	DESCRIPTOR_NONE,
	DESCRIPTOR_FIRST,
	DESCRIPTOR_RESULT,
	DESCRIPTOR_CLOSED, /* the first argument, which no longer exists at the end of the call */
	DESCRIPTOR_EPOLL,  /* the first, of epoll_wait(2) */
	DESCRIPTOR_POLL,   /* those of poll(2) */
	DESCRIPTOR_SELECT, /* those of select(2) */
};

/* What is known in advance about a system call. */
struct syscall_about {
	__u8 is_chosen, descriptor;
	__u8 path, path2; /* which arguments are paths, counted from 1; 0: none */
	__u8 replaces;    /* execve(2): the path no longer exists at the end of the call */
};

enum call_flag {
	CALL_SUM = 1,     /* of `count` calls of the thread; members after `parts` are unused, unless */
	CALL_OPEN = 2,    /* the call goes on; the copy has registers only */
	CALL_HANGS = 4,   /* the call goes on, for no longer than its own timeout: do not record it */
	CALL_TOLD = 8,    /* it had been sent as such before */
	CALL_BEFORE = 16, /* the call began before the recording; its times count from the recording's begin */
	CALL_LONG = 32,   /* a sum of calls that are not short, but got no stack because of the budget */
	CALL_STACK = 64,  /* a sum with the stack of its last call */
};

/* Calls for which another call, with its stack, stands. */
struct call_others {
	__u64 count, ns, longest_ns;
	uint64_t parts[PARTS];
};

struct call_record {
	__u32 cpu, flags; /* enum call_flag */
	__u32 pid, tid;
	__u32 number, error; /* number: with SYSCALLS_COMPAT; error: errno; 0: none */
	__u64 begin_ns, end_ns, count, ns, longest_ns;
	uint64_t parts[PARTS]; /* time by enum recording_reason; of a sum: without RECORDING_REASON_CPU */

	__u32 by; /* tid of the thread that had the CPU during this one's longest wait for a CPU; 0: idle */
	__s32 kernel_count, user_count;
	__u32 copied;              /* bytes of a struct user_copy after the stack; 0: none */
	__u64 ip, sp, bp;          /* registers of an ongoing call; ip: the address of its user code, 0: unknown */
	struct call_others others; /* the calls for which this one, if it is not short, stands; count 0: none */
	struct path_record file;
	uint64_t stack[SYSCALLS_BLOCK_FRAMES + SYSCALLS_FRAMES]; /* kernel stack of the longest block, then user stack;
								  * leaf first */
};

/* Calls of a thread on a CPU that were not reported yet. */
struct call_sum {
	__u32 pid, tid, number, error;
	__u32 is_long, unused;
	__u64 count, ns, longest_ns, begin_ns, end_ns;
	__u64 parts[PARTS];
};

/* Those of a CPU. */
struct call_sums {
	struct call_sum of[SYSCALLS_SUMS];
};

#endif
