/* stack_credit: how many stacks may be taken for spans that are summed: one in so many ns, and a few at once after a
 * quiet time. */
#ifndef BPF_STACK_CREDIT_BPF_H
#define BPF_STACK_CREDIT_BPF_H

#include "bpf/kernel.h"

/* May one more stack be taken, if it is paid for? */
static __always_inline bool stack_is_due(const __u64 *paid_ns, __u64 now)
{
	return *paid_ns <= now;
}

/* May one more be taken?  Then it is paid for.  *paid_ns: stacks were paid until then; 0 at first. */
static __always_inline bool stack_pay(__u64 *paid_ns, __u64 now, __u64 each_ns, __u64 at_once)
{
	__u64 earliest = now - each_ns * at_once;

	if (*paid_ns < earliest)
		*paid_ns = earliest;
	if (*paid_ns > now)
		return false;
	*paid_ns += each_ns;
	return true;
}

#endif
