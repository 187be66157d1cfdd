/* locks_futex: which futex a thread waits for, and who holds it, from the registers of its system call. */
#ifndef BPF_LOCKS_LOCKS_FUTEX_BPF_H
#define BPF_LOCKS_LOCKS_FUTEX_BPF_H

#include "bpf/compat.bpf.h"
#include "bpf/kernel.h"
#include "bpf/states.bpf.h"
#include "core/format/recording.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

#ifdef __TARGET_ARCH_arm64
struct pt_regs___call {
	__u64 regs[31];
	__u64 orig_x0;
	int syscallno;
};
#else
struct pt_regs___call {
	unsigned long bx, cx, di, si, dx, orig_ax;
};
#endif

struct pid___level {
	unsigned int level;
};

struct task_struct___level {
	struct pid___level *thread_pid;
};

#pragma clang attribute pop

/* Numbers of system calls. */
enum {
#ifdef __TARGET_ARCH_arm64
	CALL_FUTEX = 98,
	CALL_EXIT = 93,
	CALL_EXIT_GROUP = 94,
#else
	CALL_FUTEX = 202,
	CALL_EXIT = 60,
	CALL_EXIT_GROUP = 231,
#endif
	CALL_FUTEX_WAITV = 449,
	CALL_FUTEX_WAKE = 454,
	CALL_FUTEX_WAIT = 455,
	CALL_FUTEX_REQUEUE = 456,
};

/* Numbers of the system calls of 32-bit programs, i386 and arm; those of newer calls are the same everywhere. */
enum {
	COMPAT_EXIT = 1,
	COMPAT_FUTEX = 240,
	COMPAT_EXIT_GROUP_ARM = 248,
	COMPAT_EXIT_GROUP_386 = 252,
	COMPAT_FUTEX_TIME64 = 422,
};

/* include/uapi/linux/futex.h */
enum {
	FUTEX_WAIT = 0,
	FUTEX_LOCK_PI = 6,
	FUTEX_WAIT_BITSET = 9,
	FUTEX_LOCK_PI2 = 13,
	FUTEX_WAIT_REQUEUE_PI = 11,
	FUTEX_PRIVATE = 128,
	FUTEX_CLOCK = 256,
	FUTEX_TID_MASK = 0x3fffffff,
};

struct call {
	__u64 nr, a, b, c; /* its number, and the first arguments */
	bool compat;       /* the caller is a 32-bit program; nr is the number that 64-bit programs use */
};

/* Only of those that matter here. */
static __always_inline __u64 number_of_compat(__u64 nr)
{
	if (nr == COMPAT_FUTEX || nr == COMPAT_FUTEX_TIME64)
		return CALL_FUTEX;
	if (nr == COMPAT_EXIT)
		return CALL_EXIT;
#ifdef __TARGET_ARCH_arm64
	if (nr == COMPAT_EXIT_GROUP_ARM)
#else
	if (nr == COMPAT_EXIT_GROUP_386)
#endif
		return CALL_EXIT_GROUP;
	return nr >= CALL_FUTEX_WAITV ? nr : -1;
}

/* nr is larger than any call's number when the thread is not, or may not be, in a system call. */
static __always_inline struct call call_of(struct task_struct *task)
{
	struct pt_regs___call *regs;
	struct call call;

	if (!have_regs || task->flags & PF_KTHREAD)
		return (struct call){ .nr = -1 };
	regs = (struct pt_regs___call *)bpf_task_pt_regs(task);
#ifdef __TARGET_ARCH_arm64
	call = (struct call){ (__u64)(long)regs->syscallno, regs->orig_x0, regs->regs[1], regs->regs[2],
			      is_compat(task) };
#else
	if (is_compat(task))
		call = (struct call){ regs->orig_ax, (__u32)regs->bx, (__u32)regs->cx, (__u32)regs->dx, true };
	else
		call = (struct call){ regs->orig_ax, regs->di, regs->si, regs->dx, false };
#endif
	if (call.compat)
		call.nr = number_of_compat(call.nr);
	return call;
}

static __always_inline bool is_futex_wait(__u64 nr)
{
	return nr == CALL_FUTEX || nr == CALL_FUTEX_WAITV || nr == CALL_FUTEX_WAIT;
}

static __always_inline __u32 futex_op(const struct call *call)
{
	return call->nr == CALL_FUTEX ? call->b & ~(FUTEX_PRIVATE | FUTEX_CLOCK) : FUTEX_WAIT;
}

/* May the thread have to wait in this call? */
static __always_inline bool may_wait(const struct call *call)
{
	__u32 op = futex_op(call);

	return is_futex_wait(call->nr) && (op == FUTEX_WAIT || op == FUTEX_WAIT_BITSET || op == FUTEX_LOCK_PI ||
					   op == FUTEX_LOCK_PI2 || op == FUTEX_WAIT_REQUEUE_PI);
}

/* Does this system call wake waiters of futexes?  The end of a thread does, too: those that wait to join it. */
static __always_inline bool is_futex_wake(__u64 nr)
{
	return nr == CALL_FUTEX || nr == CALL_FUTEX_WAKE || nr == CALL_FUTEX_REQUEUE || nr == CALL_EXIT ||
	       nr == CALL_EXIT_GROUP;
}

/* The beginning of glibc's struct __pthread_mutex_s (sysdeps/nptl/bits/struct_mutex.h). */
struct futex_mutex {
	__u32 lock, count, owner;
	__u32 users; /* in a 32-bit program, this is the kind, followed by: */
	__u32 users_of_compat;
};

enum { MUTEX_CONTENDED = 2, MUTEX_USERS_MAX = 1 << 20 };

#define FUTEX_WAITERS 0x80000000u /* with the owner: a robust mutex */

/* The thread that owns the mutex at this address; 0 if it is unknown, or if no mutex is there. */
static __always_inline __u32 mutex_owner(__u64 address, __u32 expected, bool compat)
{
	struct futex_mutex m;
	__u32 users;

	if (expected != MUTEX_CONTENDED && !(expected & FUTEX_WAITERS))
		return 0;
	if (bpf_probe_read_user(&m, sizeof(m), (const void *)address) || !m.owner || m.owner > FUTEX_TID_MASK)
		return 0;
	users = compat ? m.users_of_compat : m.users;
	if (!users || users > MUTEX_USERS_MAX || m.lock != expected)
		return 0;
	return m.lock == MUTEX_CONTENDED || (m.lock & FUTEX_TID_MASK) == m.owner ? m.owner : 0;
}

/* The beginning of struct __pthread_rwlock_arch_t (glibc, sysdeps/nptl/bits/struct_rwlock.h). */
struct futex_rwlock {
	__u32 readers, writers;
	__u32 phase, is_written; /* these are waited for */
	__u32 pad[2];
	__u32 writer, shared; /* in a 32-bit program on x86, these are bytes of flags, and the writer */
};

enum {
	RWLOCK_AWAITED = 3, /* the value of a word that threads wait for: locked, and somebody waits */
	RWLOCK_WRITTEN = 3, /* in `readers`: a writer has it */
};

static __always_inline __u32 rwlock_at(__u64 address, bool compat)
{
	struct futex_rwlock l;
	__u32 writer;

	if (bpf_probe_read_user(&l, sizeof(l), (const void *)address) || (l.readers & RWLOCK_WRITTEN) != RWLOCK_WRITTEN)
		return 0;
	if ((l.phase & ~2u) != 1 || (l.is_written & ~2u) != 1 || l.pad[0] || l.pad[1] || (!compat && l.shared > 1))
		return 0;
	writer = compat ? l.shared : l.writer;
	return writer <= FUTEX_TID_MASK ? writer : 0;
}

/* The writer that holds the rwlock with this word, if the word belongs to an rwlock; 0: unknown, or readers hold it. */
static __always_inline __u32 rwlock_writer(__u64 address, __u32 expected, bool compat)
{
	__u32 writer;

	if (expected != RWLOCK_AWAITED)
		return 0;
	writer = rwlock_at(address - offsetof(struct futex_rwlock, phase), compat);
	return writer ? writer : rwlock_at(address - offsetof(struct futex_rwlock, is_written), compat);
}

/* Is the process in the initial PID namespace, so that its own thread ids are those that we use? */
static __always_inline bool is_of_first_namespace(struct task_struct *task)
{
	struct pid___level *pid = ((struct task_struct___level *)task)->thread_pid;

	return pid && !pid->level;
}

struct futex {
	__u64 address;
	__u32 lock;                 /* enum recording_lock */
	__u32 owner_pid, owner_tid; /* who has it; tid 0: unknown */
};

/* The futex that the current thread, `task`, waits for in this system call. */
static __always_inline struct futex futex_of(struct task_struct *task, const struct call *call)
{
	__u32 op = futex_op(call), word = 0;
	struct futex f = { .address = call->a };

	if (call->nr == CALL_FUTEX_WAITV) { /* the first futex: in struct futex_waitv, the address follows the value */
		bpf_probe_read_user(&f.address, sizeof(f.address), (const void *)(call->a + 8));
		return f;
	}
	if (op == FUTEX_LOCK_PI || op == FUTEX_LOCK_PI2) {
		f.lock = RECORDING_LOCK_PI;
		bpf_probe_read_user(&word, sizeof(word), (const void *)f.address);
		f.owner_tid = word & FUTEX_TID_MASK;
	} else {
		__u32 expected = call->nr == CALL_FUTEX ? call->c : call->b;

		f.owner_tid = mutex_owner(f.address, expected, call->compat);
		if (!f.owner_tid)
			f.owner_tid = rwlock_writer(f.address, expected, call->compat);
	}
	if (f.owner_tid && !is_of_first_namespace(task))
		f.owner_tid = 0;
	if (call->nr == CALL_FUTEX && call->b & FUTEX_PRIVATE)
		f.owner_pid = task->tgid;
	return f;
}

#endif
