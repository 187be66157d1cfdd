/* stack_budget: which spans of time get a stack, so that stacks cost no more than a share of each CPU's time.
 *
 * A CPU earns time at that share, and saves up to BUDGET_SAVED_NS; each stack is paid with what it cost.  Short spans get a
 * stack while there is something left; longer ones may go into debt, which later ones pay; those of a second, and those
 * that the flight recorder waits for, always get one.
 * The price varies at random, so that a program's own rhythm cannot choose which of its spans are seen. */
#ifndef BPF_STACK_BUDGET_BPF_H
#define BPF_STACK_BUDGET_BPF_H

#include "bpf/kernel.h"
#include "bpf/span_control.bpf.h"
#include "bpf/stack_credit.bpf.h"

enum stack_budget_times {
	BUDGET_SAVED_NS = 50000000, /* wall time whose earnings are kept */
	BUDGET_LONG_NS = 1000000,   /* spans that may go into debt */
	BUDGET_LONG_DEBT_NS = 250000000,
	BUDGET_LONGER_NS = 10000000,
	BUDGET_LONGER_DEBT_NS = 1000000000,
	BUDGET_FREE_NS = 1000000000, /* spans of this length always get a stack */
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct stack_account);
} stack_accounts SEC(".maps");

static __always_inline struct stack_account *stack_account(void)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&stack_accounts, &zero);
}

static __always_inline __u64 stack_budget_debt(__u64 span_ns)
{
	if (span_ns >= BUDGET_LONGER_NS)
		return BUDGET_LONGER_DEBT_NS;
	return span_ns >= BUDGET_LONG_NS ? BUDGET_LONG_DEBT_NS : 0;
}

/* May a span of ns have a stack? */
static __always_inline bool stack_budget_allows(__u64 span_ns, __u64 now)
{
	struct stack_account *a;

	if (!rules.earn || span_ns >= BUDGET_FREE_NS || span_ns >= rules.urgent_ns)
		return true;
	a = stack_account();
	return !a || a->paid_ns <= now + stack_budget_debt(span_ns);
}

/* May a sum of short spans have the stack of its last span?  If so, the stack is paid for.  each_ns and at_once limit
 * these stacks to so few that they may go into debt. */
static __always_inline bool stack_budget_allows_sum(__u64 *paid_ns, __u64 now, __u64 each_ns, __u64 at_once)
{
	return stack_is_due(paid_ns, now) && stack_budget_allows(BUDGET_LONGER_NS, now) &&
	       stack_pay(paid_ns, now, each_ns, at_once);
}

/* A stack was taken since begun_ns. */
static __always_inline void stack_budget_pay(__u64 begun_ns, bool copied)
{
	__u64 now = bpf_ktime_get_ns(), cost = now - begun_ns, earliest = now - BUDGET_SAVED_NS;
	struct stack_account *a = stack_account();

	if (!a)
		return;
	cost += copied ? STACK_COPIED_NS : STACK_FOLLOWED_NS;
	a->spent_ns += cost;
	a->stacks++;
	if (!rules.earn)
		return;
	cost = cost * rules.earn * (512 + (bpf_get_prandom_u32() & 1023)) >> 10;
	a->paid_ns = (a->paid_ns > earliest ? a->paid_ns : earliest) + cost;
}

#endif
