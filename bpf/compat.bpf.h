/* compat: is a task in a system call of a 32-bit program? */
#ifndef BPF_COMPAT_BPF_H
#define BPF_COMPAT_BPF_H

#include "bpf/kernel.h"

#ifdef __TARGET_ARCH_arm64
enum { TIF_32BIT = 22 };
static __always_inline bool is_compat(const struct task_struct *task)
{
	return task->thread_info.flags >> TIF_32BIT & 1;
}
#else
enum { TS_COMPAT = 2 };
static __always_inline bool is_compat(const struct task_struct *task)
{
	return task->thread_info.status & TS_COMPAT;
}
#endif

#endif
