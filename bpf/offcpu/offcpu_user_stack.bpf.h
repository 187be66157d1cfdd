/* offcpu_user_stack: the user stack of a record: followed by frame pointers, or copied with the registers to be
 * walked later. */
#ifndef BPF_OFFCPU_OFFCPU_USER_STACK_BPF_H
#define BPF_OFFCPU_OFFCPU_USER_STACK_BPF_H

#include "bpf/offcpu/offcpu_record.bpf.h"
#include "bpf/user_copy.bpf.h"

/* The place of the copy, after the kernel stack. */
static __always_inline struct user_copy *copy_of(struct offcpu_record *r)
{
	__u32 used = r->kernel_count > 0 ? r->kernel_count : 0;

	if (used > OFFCPU_FRAMES)
		used = OFFCPU_FRAMES;
	return (void *)((char *)r + offsetof(struct offcpu_record, stack) + used * sizeof(__u64));
}

/* Begin the copy, which the collector completes. */
static __always_inline void add_registers_copy(struct task_struct *task, struct offcpu_record *r)
{
	r->user_count = 0;
	r->copied = copy_registers(task, copy_of(r));
}

/* Append the user stack of the current thread, by frame pointers. */
static __always_inline void follow_user_stack(void *context, struct offcpu_record *r)
{
	__u32 used = r->kernel_count > 0 ? r->kernel_count : 0;

	if (used > OFFCPU_FRAMES)
		used = OFFCPU_FRAMES;
	r->user_count = bpf_offcpu_record_entries(
		bpf_get_stack(context, &r->stack[used], OFFCPU_FRAMES * sizeof(__u64), BPF_F_USER_STACK));
}

/* Add the registers.  Returns whether the thread is in a system call. */
static __always_inline bool add_registers(struct task_struct *task, struct offcpu_record *r)
{
	struct user_place place = user_place(task);

	r->ip = place.ip;
	r->sp = place.sp;
	r->bp = place.bp;
	return place.in_system_call;
}

/* Append the user stack, or the copy for walking it. */
static __always_inline void bpf_offcpu_user_stack_add_user_stack(void *context, struct offcpu_record *r)
{
	if (!is_walked() || !may_copy(&ring)) {
		if (is_walked())
			__sync_fetch_and_add(&control.uncopied, 1);
		follow_user_stack(context, r);
		return;
	}
	add_registers(bpf_get_current_task_btf(), r);
	r->user_count = 0;
	r->copied = copy_user(copy_of(r));
}

/* The same, for the current thread as a waker.  If the thread is not in a system call, an interrupt did the waking, and
 * its stack is not worth a copy. */
static __always_inline void add_waker_user_stack(void *context, struct offcpu_record *r)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (task->flags & PF_KTHREAD)
		return;
	if (add_registers(task, r))
		bpf_offcpu_user_stack_add_user_stack(context, r);
	else
		follow_user_stack(context, r);
}

#endif
