/* detail: which spans of time a collector records one by one, with --events=MIN: those of at least MIN, within a
 * budget.  All others are summed.  BPF programs and collectors share this.
 *
 * The budget is credit in nanoseconds, which time earns, up to a second of it: each single span costs a fixed part.
 * Half of it is kept for spans of ten times MIN or more, so that a storm of shorter ones does not hide them, and a
 * quarter for whole spans: one that is divided may be single in part.  Spans of a second or more are free: a thread has
 * one a second at most, as often as its sums are written. */
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

/* May a span of so many ns, at least min_ns, be recorded by itself?  Then it is paid for. */
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
