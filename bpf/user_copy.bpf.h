/* user_copy: copies the user stack of the current thread with its registers (struct user_copy), within a budget. */
#ifndef BPF_USER_COPY_BPF_H
#define BPF_USER_COPY_BPF_H

#include "bpf/kernel.h"
#include "bpf/python/python_copy.bpf.h"
#include "bpf/span_control.bpf.h"
#include "bpf/states.bpf.h"
#include "bpf/thread_pointer.bpf.h"
#include "bpf/user_copy.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct mm_struct___stack {
	unsigned long start_stack;
};

struct task_struct___stack {
	struct mm_struct___stack *mm;
};

#pragma clang attribute pop

struct copies {
	__u64 since_ns, count;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct copies);
} copies SEC(".maps");

/* The address of a thread's user code; 0: it has none, or its registers are unknown. */
struct user_place {
	__u64 ip, sp, bp;
	bool in_system_call; /* or perhaps */
};

static __always_inline struct user_place user_place(struct task_struct *task)
{
	struct pt_regs *regs;

	if (!have_regs)
		return (struct user_place){ .in_system_call = true };
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
#ifdef __TARGET_ARCH_arm64
	return (struct user_place){ regs->pc, regs->sp, regs->regs[29], regs->syscallno != -1 };
#else
	return (struct user_place){ regs->ip, regs->sp, regs->bp, (long)regs->orig_ax != -1 };
#endif
}

static __always_inline bool is_walked(void)
{
	return rules.walks && have_regs;
}

/* Is there time for one more copy, and room in the ring? */
static __always_inline bool may_copy(void *ring)
{
	__u32 zero = 0;
	struct copies *c = bpf_map_lookup_elem(&copies, &zero);
	__u64 now = bpf_ktime_get_ns();

	if (bpf_ringbuf_query(ring, BPF_RB_AVAIL_DATA) >= rules.copy_below)
		return false;
	if (!c || !rules.copies_max)
		return true;
	if (now - c->since_ns > USER_COPY_NS) {
		c->since_ns = now;
		c->count = 0;
	}
	return c->count++ < rules.copies_max;
}

/* Returns the bytes of the copy so far; 0: there are none. */
static __always_inline __u32 copy_registers(struct task_struct *task, struct user_copy *copy)
{
	copy->python = thread_pointer(task);
	return bpf_probe_read_kernel(copy->regs, sizeof(copy->regs), (const void *)bpf_task_pt_regs(task))
		       ? 0
		       : sizeof(*copy);
}

/* How many bytes of the current thread's stack to copy.  C libraries put the arguments of main() at the end of the
 * first thread's stack, and a control block at the end of each other thread's.  Any other stack is copied up to the
 * maximum. */
static __always_inline __u32 copy_wanted(struct task_struct *current, __u64 sp)
{
	struct task_struct___stack *task = (void *)current;
	struct mm_struct___stack *mm = task->mm;
	__u64 first = mm ? mm->start_stack - sp : USER_COPY_STACK, other = USER_COPY_STACK;
	__u64 pointer = thread_pointer(current);

	if (pointer)
		other = pointer - sp;
	if (other > first)
		other = first;
	return other < USER_COPY_STACK ? other : USER_COPY_STACK;
}

/* Copy the current thread's stack page by page, since any page may be the last one.  Returns the bytes copied. */
static __always_inline __u32 copy_stack(struct user_copy *copy, struct task_struct *task, __u64 sp)
{
	__u32 done = 0, len, wanted = copy_wanted(task, sp);

	for (int i = 0; i <= USER_COPY_STACK / USER_COPY_PAGE && done < wanted; i++) {
		len = USER_COPY_PAGE - ((sp + done) & (USER_COPY_PAGE - 1));
		if (len > wanted - done)
			len = wanted - done;
		asm volatile("" : "+r"(len)); /* the compiler knows a bound that the verifier of Linux 6.1 does not */
		if (!len || len > USER_COPY_PAGE || done > USER_COPY_STACK)
			break;
		if (bpf_probe_read_user(copy->stack + done, len, (const void *)(sp + done)))
			break;
		done += len;
	}
	return done;
}

/* Append the frames of the current thread's Python code, if it runs any.  Returns the bytes copied. */
static __always_inline __u32 copy_python(struct user_copy *copy, __u32 done)
{
	struct python_copy *python = python_copy();
	__u32 bytes;

	if (!python || done > USER_COPY_STACK + USER_COPY_PAGE)
		return 0;
	bytes = python_copy_bytes(python) - (sizeof(*python) - sizeof(python->frames));
	asm volatile("" : "+r"(bytes)); /* as in copy_stack() */
	if (!bytes || bytes > USER_COPY_PYTHON || bpf_probe_read_kernel(copy->stack + done, bytes, python->frames))
		return 0;
	copy->python = bytes | !!python->is_cut;
	return bytes;
}

/* Copy the current thread's registers, stack and Python frames.  Returns the bytes of the copy. */
static __always_inline __u32 copy_user(struct user_copy *copy)
{
	struct task_struct *task = bpf_get_current_task_btf();
	__u32 bytes = copy_registers(task, copy), done;

	if (!bytes)
		return 0;
	copy->python = 0;
	done = copy_stack(copy, task, user_place(task).sp);
	return bytes + done + copy_python(copy, done);
}

#endif
