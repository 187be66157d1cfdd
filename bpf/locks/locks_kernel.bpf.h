/* locks_kernel: the kind of one of the kernel's locks, and the task that holds it. */
#ifndef BPF_LOCKS_LOCKS_KERNEL_BPF_H
#define BPF_LOCKS_LOCKS_KERNEL_BPF_H

#include "bpf/kernel.h"
#include "bpf/mmap_lock.bpf.h"
#include "core/format/recording.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct mutex {
	struct lock_word owner;
};

#pragma clang attribute pop

/* Flags of lock:contention_begin (include/trace/events/lock.h). */
enum { LCB_F_SPIN = 1, LCB_F_READ = 2, LCB_F_WRITE = 4, LCB_F_RT = 8, LCB_F_PERCPU = 16, LCB_F_MUTEX = 32 };

/* Do tasks always spin while they wait for such a lock? */
static __always_inline bool is_spin(__u32 flags)
{
	return !(flags & ~(LCB_F_SPIN | LCB_F_READ | LCB_F_WRITE)) && (!flags || flags & LCB_F_SPIN);
}

/* enum recording_lock */
static __always_inline __u32 lock_of(const void *lock, __u32 flags)
{
	__u32 access =
		(flags & LCB_F_READ ? RECORDING_LOCK_READ : 0) | (flags & LCB_F_WRITE ? RECORDING_LOCK_WRITE : 0);

	if (flags & LCB_F_RT)
		return RECORDING_LOCK_RTMUTEX | access;
	if (flags & LCB_F_MUTEX)
		return RECORDING_LOCK_MUTEX;
	if (flags & LCB_F_PERCPU)
		return RECORDING_LOCK_PERCPU | access;
	if (is_spin(flags))
		return (access ? RECORDING_LOCK_RWLOCK : RECORDING_LOCK_SPIN) | access;
	return RECORDING_LOCK_RWSEM | access | (is_mmap_lock(lock) ? RECORDING_LOCK_MMAP : 0);
}

/* A pointer to a task, with flags in its low bits. */
enum { OWNER_FLAGS = 7, OWNER_IS_READER = 1 };

/* The task that holds the lock; NULL: unknown, or readers hold it. */
static __always_inline struct task_struct *owner_of(const void *lock, __u32 kind)
{
	long word = 0;

	if ((kind & RECORDING_LOCK_KIND) == RECORDING_LOCK_MUTEX)
		word = BPF_CORE_READ((struct mutex *)lock, owner.counter);
	if ((kind & RECORDING_LOCK_KIND) == RECORDING_LOCK_RWSEM) {
		word = BPF_CORE_READ((struct rw_semaphore *)lock, owner.counter);
		if (word & OWNER_IS_READER)
			return NULL;
	}
	return (struct task_struct *)(word & ~(long)OWNER_FLAGS);
}

#endif
