/* mmap_lock: is a lock the mmap_lock of the current process? */
#ifndef BPF_MMAP_LOCK_BPF_H
#define BPF_MMAP_LOCK_BPF_H

#include "bpf/kernel.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct lock_word {
	long counter;
};

struct rw_semaphore {
	struct lock_word owner;
};

struct mm_struct {
	struct rw_semaphore mmap_lock;
};

struct task_struct___mm {
	struct mm_struct *mm;
};

#pragma clang attribute pop

static __always_inline bool is_mmap_lock(const void *lock)
{
	struct task_struct___mm *task = (void *)bpf_get_current_task_btf();
	struct mm_struct *mm = task->mm;

	return mm && (__u64)lock == (__u64)mm + bpf_core_field_offset(mm->mmap_lock);
}

#endif
