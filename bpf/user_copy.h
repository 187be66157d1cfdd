/* user_copy: what is needed to walk a user stack later: registers (struct pt_regs), a copy of the stack, and the frames of
 * Python code. */
#ifndef BPF_USER_COPY_H
#define BPF_USER_COPY_H

#include <linux/types.h>

#include "bpf/python.h"

enum {
	USER_COPY_PAGE = 4096,
	USER_COPY_STACK = 16384, /* maximum of copied bytes; to the end of that page */
};

#define USER_COPY_NS 100000000 /* copies are counted for so long */

struct user_copy {
#if defined(__aarch64__) || defined(__TARGET_ARCH_arm64) /* the program, and its BPF programs */
	__u64 regs[34];                                  /* x0 to x30, sp, pc, pstate */
#else
	__u64 regs[21]; /* asm/ptrace.h */
#endif
	/* Bytes of struct python_frame after the stack, at the end; odd: there were more frames.  With registers only: the
	 * thread's pointer, by which the frames are found. */
	__u64 python;
	__u8 stack[];
};

enum {
	USER_COPY_PYTHON = PYTHON_ENTRIES_MAX * sizeof(struct python_frame),
	USER_COPY_MAX = sizeof(struct user_copy) + USER_COPY_STACK + USER_COPY_PAGE + USER_COPY_PYTHON,
};

#endif
