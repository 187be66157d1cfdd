/* compat: is a task in a system call of a 32-bit program, and is its program such a one? */
#ifndef BPF_COMPAT_BPF_H
#define BPF_COMPAT_BPF_H

#include "bpf/kernel.h"

#ifdef __TARGET_ARCH_arm64
enum { TIF_32BIT = 22 };
static __always_inline bool is_compat(const struct task_struct *task)
{
	return task->thread_info.flags >> TIF_32BIT & 1;
}
static __always_inline bool is_compat_program(struct task_struct *task)
{
	return is_compat(task);
}
#else
enum { TS_COMPAT = 2 };
static __always_inline bool is_compat(const struct task_struct *task)
{
	return task->thread_info.status & TS_COMPAT;
}

/* The code segment of 32-bit code (arch/x86/include/asm/segment.h, __USER32_CS). */
enum { USER32_CS = 0x23 };

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct pt_regs___cs {
	unsigned long cs;
};

#pragma clang attribute pop

static __always_inline bool is_compat_program(struct task_struct *task)
{
	return (((struct pt_regs___cs *)bpf_task_pt_regs(task))->cs & 0xffff) == USER32_CS;
}
#endif

#endif
