/* offcpu_untaken: counts and sums, by thread, the blocks that get no stack because the budget does not allow one. */
#ifndef BPF_OFFCPU_OFFCPU_UNTAKEN_BPF_H
#define BPF_OFFCPU_OFFCPU_UNTAKEN_BPF_H

#include "bpf/offcpu/offcpu_record.bpf.h"
#include "bpf/stack_budget.bpf.h"
#include "core/format/recording.h"

/* The index of a state's tallies; OFFCPU_STATES: its blocks always get a stack. */
static __always_inline __u32 untaken_of(__u32 state)
{
	switch (state) {
	case RECORDING_SLEEPING: return 0;
	case RECORDING_BLOCKED_IO: return 1;
	case RECORDING_BLOCKED: return 2;
	default: return OFFCPU_STATES;
	}
}

/* Does the present block, which took ns, get no stack?  This is asked when the thread is woken and when it is back on a
 * CPU; the second answer is the same as the first. */
static __always_inline bool untaken_is(struct offcpu_slot *slot, __u64 ns, __u64 now)
{
	if (!rules.earn)
		return false;
	if (slot->choice == OFFCPU_UNDECIDED)
		slot->choice = untaken_of(slot->state) == OFFCPU_STATES || stack_budget_allows(ns, now) ? OFFCPU_TAKE
													: OFFCPU_TALLY;
	return slot->choice == OFFCPU_TALLY;
}

static __always_inline void untaken_add(struct offcpu_slot *slot, __u64 ns)
{
	__u32 i = untaken_of(slot->state);
	struct offcpu_tally *t;

	if (i >= OFFCPU_STATES)
		return;
	t = ns < BUDGET_LONG_NS ? &slot->untaken.brief[i] : &slot->untaken.long_[i];
	t->ns += ns;
	t->count++;
}

/* A block of this length that gets a stack stands for blocks of its thread and state that did not; which blocks get one
 * is left to chance. */
static __always_inline void untaken_stand_for(struct offcpu_record *r, struct offcpu_slot *slot, __u64 ns)
{
	__u32 i = untaken_of(slot->state);

	if (i >= OFFCPU_STATES || ns < BUDGET_LONG_NS)
		return;
	r->others = slot->untaken.long_[i];
	slot->untaken.long_[i] = (struct offcpu_tally){ 0 };
}

/* A thread has ended: send its tallies, since the collector will not see its slot again. */
static __always_inline void untaken_tell(struct offcpu_slot *slot)
{
	struct offcpu_record *r = bpf_offcpu_record_scratch(SCRATCH_SWITCH);
	__u64 count = 0;

	if (!slot || !r)
		return;
	for (int i = 0; i < OFFCPU_STATES; i++)
		count += slot->untaken.brief[i].count + slot->untaken.long_[i].count;
	if (!count)
		return;
	*(struct offcpu_tallies *)r->stack = slot->untaken;
	r->kind = OFFCPU_ENDED;
	r->pid = slot->pid;
	r->tid = slot->tid;
	r->since_ns = r->until_ns = 0;
	r->kernel_count = sizeof(slot->untaken) / sizeof(__u64);
	r->user_count = 0;
	r->copied = 0;
	bpf_offcpu_record_emit(r);
}

#endif
