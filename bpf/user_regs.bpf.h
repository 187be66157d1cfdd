/* user_regs: the registers at a uprobe, passed to its program (asm/ptrace.h; a stable layout). */
#ifndef BPF_USER_REGS_BPF_H
#define BPF_USER_REGS_BPF_H

#include <linux/types.h>

#ifdef __TARGET_ARCH_arm64

struct user_regs {
	__u64 regs[31], sp, ip, pstate;
};

/* Arguments 1 to 3 of a function, at its first instruction. */
#define USER_ARGUMENT(r, n) ((r)->regs[(n)-1])

#else

struct user_regs {
	__u64 r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};

#define USER_ARGUMENT(r, n) ((n) == 1 ? (r)->di : (n) == 2 ? (r)->si : (r)->dx)

#endif

#endif
