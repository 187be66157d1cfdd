/* faults: data shared by the BPF program of collect faults and the collector. */
#ifndef BPF_FAULTS_H
#define BPF_FAULTS_H

#include <linux/types.h>
#include <stdint.h>

#include "bpf/span_control.h"
#include "bpf/user_copy.h"
#include "core/format/recording.h"

enum {
	FAULTS_FRAMES = 127,
	FAULTS_SUMS = 32, /* kinds that are summed apart: fault_sum_kind() */
	FAULTS_NAME = 64,
};

/* Sums of short faults get a stack at most once in this time on each CPU. */
#define FAULTS_STACK_NS 1000000
/* After a quiet time, this many sums may get a stack at once. */
#define FAULTS_STACKS_AT_ONCE 1000
/* For this long, the stack of a sum is also used for other sums at the same place. */
#define FAULTS_STACK_LASTS_NS 10000000

enum fault_flag {
	FAULT_MAJOR = 1,
	FAULT_WRITE = 2,
	FAULT_EXEC = 4,
	FAULT_BY_KERNEL = 8,
	FAULT_PRESENT = 16, /* the page was there, but did not allow the access */
	FAULT_HAS_VMA = 32, /* the mapping was found */
	FAULT_OF_FILE = 64,
	FAULT_SHARED = 128,
	FAULT_SUM = 256,   /* a sum of `count` faults of the thread; the other members are those of the last fault */
	FAULT_REST = 512,  /* a sum without a stack, only ip: its thread has gone, or is at the same place */
	FAULT_LONG = 1024, /* a sum of faults that are not short, but got no stack because of the budget */
};

enum { FAULT_ACCESS = FAULT_WRITE | FAULT_EXEC | FAULT_BY_KERNEL };

/* The number of the sum for faults with these flags; and the flags of the faults in a sum. */
static inline __attribute__((always_inline)) __u32 fault_sum_kind(__u32 flags)
{
	return (flags & FAULT_ACCESS) >> 1 | (flags & FAULT_LONG ? 8 : 0) | (flags & FAULT_MAJOR ? 16 : 0);
}

static inline __attribute__((always_inline)) __u32 fault_sum_flags(__u32 kind)
{
	return (kind << 1 & FAULT_ACCESS) | (kind & 8 ? FAULT_LONG : 0) | (kind & 16 ? FAULT_MAJOR : 0);
}

/* Faults for which another fault, with its stack, stands. */
struct fault_others {
	__u64 count, ns, longest_ns, begin_ns;
	uint64_t parts[PARTS];
};

/* A fault that ended, or a sum.  A record ends after the last used byte of its stack. */
struct fault_record {
	__u32 cpu, flags; /* enum fault_flag */
	__u32 pid, tid;
	__u64 begin_ns, end_ns, address, ip;
	uint64_t parts[PARTS]; /* its time by enum recording_reason */
	__u64 count, ns, longest_ns;
	struct fault_others others; /* the faults for which this one, if it is not short, stands; count 0: none */
	__u64 offset;               /* in the file, of the page */
	__u64 inode;
	__u32 device;           /* as in the kernel: major << 20 | minor */
	char name[FAULTS_NAME]; /* of the file, without its directories */
	__s32 kernel_count, user_count;
	__u32 copied;                      /* bytes of a struct user_copy after the stack; 0: none */
	uint64_t stack[2 * FAULTS_FRAMES]; /* kernel, then user; leaf first */
};

/* Faults of a thread on a CPU, of one kind, that were not reported yet. */
struct fault_sum {
	__u32 pid, tid;
	__u64 count, ns, longest_ns, begin_ns, ip;
	__u64 parts[PARTS]; /* time by enum recording_reason, without RECORDING_REASON_CPU */
	/* The last stack that was sent for such a sum: its place (0: none), the mapping of its fault, and when. */
	__u64 place, mapped_from, mapped_to, sent_ns;
};

/* A CPU. */
struct fault_sums {
	struct fault_sum of[FAULTS_SUMS];
};

#endif
