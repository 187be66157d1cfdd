/* taken_stack: the stack of the current thread: the kernel part, then the user part or a copy for walking it. */
#ifndef BPF_TAKEN_STACK_BPF_H
#define BPF_TAKEN_STACK_BPF_H

#include "bpf/user_copy.bpf.h"

/* Where a stack goes. */
struct taken_stack {
	__s32 *kernel_count, *user_count; /* number of entries; negative: the stack could not be taken */
	__u32 *copied;                    /* bytes of the struct user_copy after the kernel part; 0: there is none */
	uint64_t *stack;                  /* 2 * frames; in programs that walk, USER_COPY_MAX bytes follow */
};

static __always_inline __s32 taken_entries(long bytes)
{
	return bytes < 0 ? (__s32)bytes : (__s32)((__u64)bytes >> 3);
}

/* Take the user part of the stack, and the kernel part before it if in_kernel.  Returns the bytes from to->stack on. */
static __always_inline __u64 stack_take(void *context, void *ring, struct taken_stack to, __u32 frames, bool in_kernel)
{
	__u32 used;

	*to.user_count = *to.kernel_count = 0;
	*to.copied = 0;
	if (in_kernel)
		*to.kernel_count = taken_entries(bpf_get_stack(context, to.stack, frames * sizeof(__u64), 0));
	used = *to.kernel_count > 0 ? *to.kernel_count : 0;
	if (used > frames)
		used = frames;
	if (is_walked() && may_copy(ring)) {
		*to.copied = copy_user((void *)(to.stack + used));
		return used * sizeof(__u64) + *to.copied;
	}
	if (is_walked())
		__sync_fetch_and_add(&control.uncopied, 1);
	*to.user_count =
		taken_entries(bpf_get_stack(context, to.stack + used, frames * sizeof(__u64), BPF_F_USER_STACK));
	if (*to.user_count > 0)
		used += *to.user_count;
	if (used > 2 * frames)
		used = 2 * frames;
	return used * sizeof(__u64);
}

#endif
