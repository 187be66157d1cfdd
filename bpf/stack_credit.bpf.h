/* stack_credit: limits the stacks that are taken for summed spans: one in so many ns, and a few at once after a quiet
 * time. */
#ifndef BPF_STACK_CREDIT_BPF_H
#define BPF_STACK_CREDIT_BPF_H

#include "bpf/kernel.h"

/* Would stack_pay() allow one more stack? */
static __always_inline bool stack_is_due(const __u64 *paid_ns, __u64 now)
{
	return *paid_ns <= now;
}

/* May one more stack be taken?  If so, it is paid for.  *paid_ns: the time until which stacks are paid for; 0 at
 * first. */
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
