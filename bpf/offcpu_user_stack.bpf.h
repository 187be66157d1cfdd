/* offcpu_user_stack: the user stack of a record: followed by frame pointers, or copied with the registers to be
 * walked later. */
#ifndef BPF_OFFCPU_USER_STACK_BPF_H
#define BPF_OFFCPU_USER_STACK_BPF_H

#include "bpf/offcpu_record.bpf.h"
#include "bpf/states.bpf.h"

const volatile __u64 copy_below = 1 << 20; /* no stacks are copied when so much is in the ring: it then holds many
					    * short records instead */

const volatile __u64 copies_max = 0; /* on each CPU in each OFFCPU_COPY_NS; 0: all */

__u64 uncopied; /* stacks that were one too many: frame pointers were followed */

struct copies {
	__u64 since_ns, count;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct copies);
} copies SEC(".maps");

static __always_inline bool is_walked(void)
{
	return walks && have_regs;
}

/* Is there time and room for one more copy? */
static __always_inline bool may_copy(void)
{
	__u32 zero = 0;
	struct copies *c = bpf_map_lookup_elem(&copies, &zero);
	__u64 now = bpf_ktime_get_ns();

	if (bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) >= copy_below)
		return false;
	if (!c || !copies_max)
		return true;
	if (now - c->since_ns > OFFCPU_COPY_NS) {
		c->since_ns = now;
		c->count = 0;
	}
	return c->count++ < copies_max;
}

/* The place of the copy, after the kernel stack. */
static __always_inline struct offcpu_copy *copy_of(struct offcpu_record *r)
{
	__u32 used = r->kernel_count > 0 ? r->kernel_count : 0;

	if (used > OFFCPU_FRAMES)
		used = OFFCPU_FRAMES;
	return (void *)((char *)r + offsetof(struct offcpu_record, stack) + used * sizeof(__u64));
}

static __always_inline void copy_registers(struct task_struct *task, struct offcpu_record *r)
{
	struct offcpu_copy *copy = copy_of(r);

	r->user_count = 0;
	if (!bpf_probe_read_kernel(copy->regs, sizeof(copy->regs), (const void *)bpf_task_pt_regs(task)))
		r->copied = sizeof(*copy);
}

/* Copy the current thread's stack page by page: it may end at any page. */
static __always_inline void copy_stack(struct offcpu_record *r)
{
	struct offcpu_copy *copy = copy_of(r);
	__u32 done = 0, len;

	for (int i = 0; i <= OFFCPU_COPY_STACK / OFFCPU_PAGE && done < OFFCPU_COPY_STACK; i++) {
		len = OFFCPU_PAGE - ((r->sp + done) & (OFFCPU_PAGE - 1));
		if (bpf_probe_read_user(copy->stack + done, len, (const void *)(r->sp + done)))
			break;
		done += len;
	}
	r->copied += done;
}

/* Append the user stack of the current thread, by frame pointers. */
static __always_inline void follow_user_stack(void *context, struct offcpu_record *r)
{
	__u32 used = r->kernel_count > 0 ? r->kernel_count : 0;

	if (used > OFFCPU_FRAMES)
		used = OFFCPU_FRAMES;
	r->user_count =
		entries(bpf_get_stack(context, &r->stack[used], OFFCPU_FRAMES * sizeof(__u64), BPF_F_USER_STACK));
}

/* Add the registers.  Returns whether the thread is in a system call. */
static __always_inline bool add_registers(struct task_struct *task, struct offcpu_record *r)
{
	struct pt_regs *regs;

	r->ip = r->sp = r->bp = 0;
	if (!have_regs)
		return true;
	regs = (struct pt_regs *)bpf_task_pt_regs(task);
	r->sp = regs->sp;
#ifdef __TARGET_ARCH_arm64
	r->ip = regs->pc;
	r->bp = regs->regs[29];
	return regs->syscallno != -1;
#else
	r->ip = regs->ip;
	r->bp = regs->bp;
	return (long)regs->orig_ax != -1;
#endif
}

/* Append the user stack, or the copy for walking it. */
static __always_inline void add_user_stack(void *context, struct offcpu_record *r)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (!is_walked() || !may_copy()) {
		if (is_walked())
			__sync_fetch_and_add(&uncopied, 1);
		follow_user_stack(context, r);
		return;
	}
	add_registers(task, r);
	copy_registers(task, r);
	if (r->copied)
		copy_stack(r);
}

/* The same, of the current thread as a waker.  If it is not in a system call, it was interrupted, and the interrupt is the
 * waker: that is not worth a copy. */
static __always_inline void add_waker_user_stack(void *context, struct offcpu_record *r)
{
	struct task_struct *task = bpf_get_current_task_btf();

	if (task->flags & PF_KTHREAD)
		return;
	if (add_registers(task, r))
		add_user_stack(context, r);
	else
		follow_user_stack(context, r);
}

#endif
