/* thread_pointer: the address of a thread's control block, by which C libraries know the thread (pthread_self()). */
#ifndef BPF_THREAD_POINTER_BPF_H
#define BPF_THREAD_POINTER_BPF_H

#include "bpf/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_struct {
#ifdef __TARGET_ARCH_arm64
	struct {
		unsigned long tp_value;
	} uw;
#else
	unsigned long fsbase;
#endif
};

struct task_struct___thread {
	struct thread_struct thread;
};

#pragma clang attribute pop

/* 0: unknown. */
static __always_inline __u64 thread_pointer(const struct task_struct *current)
{
	const struct task_struct___thread *task = (const void *)current;

#ifdef __TARGET_ARCH_arm64
	return bpf_core_field_exists(task->thread.uw.tp_value) ? BPF_CORE_READ(task, thread.uw.tp_value) : 0;
#else
	return bpf_core_field_exists(task->thread.fsbase) ? BPF_CORE_READ(task, thread.fsbase) : 0;
#endif
}

#endif
