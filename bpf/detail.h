/* detail: which spans of time a collector records one by one, with --events=MIN: those of at least MIN, within a
 * budget.  All others are summed.  BPF programs and collectors share this.
 *
 * The budget is a credit in nanoseconds that grows with time, up to one second; each single span costs a fixed amount.
 * Half of the credit is reserved for spans of ten times MIN or more, so that a storm of shorter ones does not hide
 * them.  A quarter is reserved for whole spans, since of a divided span only some parts may be recorded one by one.
 * Spans of a second or more are free: a thread has at most one a second, and its sums are written as often. */
#ifndef BPF_DETAIL_H
#define BPF_DETAIL_H

#include <linux/types.h>
#include <stdbool.h>

#define DETAIL_FREE_NS 1000000000ll
#define DETAIL_CREDIT_NS 1000000000ll /* at most */
#define DETAIL_LONG 10                /* times MIN */

struct detail_budget {
	__s64 credit_ns;
	__u64 since_ns; /* when credit was last earned; 0: full */
};

static inline __attribute__((always_inline)) void detail_earn(struct detail_budget *b, __u64 now_ns)
{
	__u64 earned = now_ns > b->since_ns ? now_ns - b->since_ns : 0;

	if (b->credit_ns < DETAIL_CREDIT_NS && earned)
		b->credit_ns = earned < (__u64)(DETAIL_CREDIT_NS - b->credit_ns) ? b->credit_ns + (__s64)earned
										 : DETAIL_CREDIT_NS;
	if (earned)
		b->since_ns = now_ns;
}

enum detail_kind { DETAIL_WHOLE, DETAIL_PART };

/* May a span of this many ns, at least min_ns, be recorded by itself?  If so, its cost is taken off the credit. */
static inline __attribute__((always_inline)) bool detail_pay(struct detail_budget *b, enum detail_kind kind, __u64 ns,
							     __u64 min_ns, __s64 cost_ns, __u64 now_ns)
{
	__s64 kept = ns / DETAIL_LONG < min_ns ? DETAIL_CREDIT_NS / 2 : 0;

	if (kind == DETAIL_PART)
		kept += DETAIL_CREDIT_NS / 4;
	if (ns >= DETAIL_FREE_NS)
		return true;
	detail_earn(b, now_ns);
	if (b->credit_ns < kept + cost_ns)
		return false;
	b->credit_ns -= cost_ns;
	return true;
}

#endif
