/* stack_place: the place of a thread in its program, as a number: two stacks with the same place can share one. */
#ifndef BPF_STACK_PLACE_BPF_H
#define BPF_STACK_PLACE_BPF_H

#include "bpf/kernel.h"
#include "bpf/user_copy.bpf.h"

enum { PLACE_FRAME = 65536 }; /* a frame pointer is at most this far from the end of the stack */

static __always_inline __u64 hash_add(__u64 hash, __u64 word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 29;
}

static __always_inline __u64 user_word(__u64 address)
{
	__u64 word = 0;

	bpf_probe_read_user(&word, sizeof(word), (const void *)address);
	return word;
}

/* The place of the current thread, from its registers and from the caller of its function: in functions without a
 * frame, such as memcpy(), the return address is the word at the end of the stack.  seed: a hash of what else must be
 * equal. 0: unknown. */
static __always_inline __u64 stack_place(__u64 seed)
{
	struct user_place at;
	__u64 hash;

	if (!have_regs)
		return 0;
	at = user_place(bpf_get_current_task_btf());
	hash = hash_add(hash_add(seed, bpf_get_current_pid_tgid()), at.ip);
	hash = hash_add(hash_add(hash, at.sp), user_word(at.sp));
	if (at.bp - at.sp < PLACE_FRAME)
		hash = hash_add(hash, user_word(at.bp + sizeof(__u64)));
	return hash ? hash : 1;
}

#endif
