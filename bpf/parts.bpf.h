/* parts: something that threads go through, a page fault or a system call, and where its time goes.
 *
 * While its thread runs, it is kept with the CPU, which costs least; while the thread does not run, in off_cpu_going.
 * The source file that includes this defines struct going_own, the members that only its thing has, and calls
 *
 *     going_begin(), going_here(), going_end()    as it begins, goes on, ends
 *     going_off(), going_back()                   at each switch
 *     going_woken()                               when a thread is woken
 *     going_so_far()                              for what still goes on
 *
 * Time before begin_ns or after end_ns does not count. */
#ifndef BPF_PARTS_BPF_H
#define BPF_PARTS_BPF_H

#include "bpf/kernel.h"
#include "bpf/parts.h"
#include "bpf/span_control.bpf.h"
#include "bpf/states.bpf.h"

/* What each begin writes comes first, in one cache line. */
struct going {
	__u64 task; /* address of the thread's task_struct, which remains over an exec; 0: nothing is going on */
	__u64 begin_ns;
	__u64 mark_ns;  /* parts has the time before this; 0: nothing yet */
	__u32 inside;   /* 0, or the enum recording_reason that all of its time counts for at the moment */
	__u32 is_split; /* parts has more than RECORDING_REASON_CPU */
	struct going_own own;
	__u64 woken_ns;              /* while the thread is off the CPU: 0, or since when it waits for one */
	__u64 blocked_ns, waited_ns; /* of the last time off the CPU: blocked, and then waiting for a CPU */
	__u64 parts[PARTS];
	__u32 blocked; /* enum recording_reason for the time off the CPU */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, struct going);
} off_cpu_going SEC(".maps");

__u64 off_cpu; /* entries of off_cpu_going */

/* An end, or a begin, was missed; misses before the recording do not count. */
static __always_inline void going_missed(void)
{
	if (bpf_ktime_get_ns() >= control.begin_ns)
		__sync_fetch_and_add(&control.unpaired, 1);
}

/* From when on it counts. */
static __always_inline __u64 going_begun(const struct going *g)
{
	return g->begin_ns < control.begin_ns ? control.begin_ns : g->begin_ns;
}

/* Its time is not in parts yet from this time on. */
static __always_inline __u64 going_since(const struct going *g)
{
	return g->mark_ns ? g->mark_ns : going_begun(g);
}

/* ns, or the end of the recording if that came first. */
static __always_inline __u64 going_until(__u64 ns)
{
	return ns > control.end_ns ? control.end_ns : ns;
}

static __always_inline void going_pass(struct going *g, __u64 until, __u32 reason)
{
	__u64 since = going_since(g);

	until = going_until(until);
	if (g->inside && reason != RECORDING_REASON_RUNNABLE)
		reason = g->inside;
	if (until <= since)
		return;
	g->parts[reason & (PARTS - 1)] += until - since;
	g->is_split |= reason;
	g->mark_ns = until;
}

/* Something begins in the current thread, on this CPU.  In Linux 7.2 the program may be preempted, and others then use
 * the place.  So it is first marked as this thread's: a switch then keeps, and later restores, what is written
 * afterwards.  The caller fills g->own after this. */
static __always_inline void going_begin(struct going *g, struct task_struct *task, __u64 now)
{
	if (g->task)
		going_missed();
	g->task = (__u64)task;
	barrier();
	if (g->mark_ns)
		__builtin_memset(g->parts, 0, sizeof(g->parts));
	g->begin_ns = now;
	g->mark_ns = 0;
	g->inside = g->is_split = 0;
	barrier();
}

static __always_inline void going_end(struct going *g)
{
	g->task = 0;
}

/* The thread is back on this CPU, whose place is g.  Returns false if nothing is going on in it. */
static __always_inline bool going_back(struct going *g, struct task_struct *task)
{
	__u64 key = (__u64)task, left_ns, until, ready, now;
	struct going *was = bpf_map_lookup_elem(&off_cpu_going, &key);

	if (!was)
		return false;
	*g = *was;
	bpf_map_delete_elem(&off_cpu_going, &key);
	__sync_fetch_and_add(&off_cpu, -1);
	now = going_until(bpf_ktime_get_ns());
	left_ns = going_since(g);
	until = g->woken_ns ? going_until(g->woken_ns) : now;
	if (g->woken_ns)
		going_pass(g, until, g->blocked);
	g->blocked_ns = until > left_ns ? until - left_ns : 0;
	ready = left_ns + g->blocked_ns;
	g->waited_ns = now > ready ? now - ready : 0;
	going_pass(g, now, g->woken_ns ? RECORDING_REASON_RUNNABLE : g->blocked);
	return true;
}

/* What goes on in the current thread; g: the place of this CPU.  NULL: nothing.  The kernel does not show every switch:
 * the thread may be back unseen. */
static __always_inline struct going *going_here(struct going *g, struct task_struct *task)
{
	if (g->task == (__u64)task)
		return g;
	return off_cpu && going_back(g, task) ? g : NULL;
}

/* Keep what goes on in a thread that leaves this CPU.  An entry that a missed switch left there is replaced. */
static __always_inline void going_keep(struct going *g, __u64 key)
{
	if (!bpf_map_update_elem(&off_cpu_going, &key, g, BPF_NOEXIST)) {
		__sync_fetch_and_add(&off_cpu, 1);
		return;
	}
	going_missed(); /* the entry replaced, or this one if the map is full */
	bpf_map_update_elem(&off_cpu_going, &key, g, BPF_EXIST);
}

/* A thread leaves this CPU, whose place is g.  Returns false if it ended in the midst of it. */
static __always_inline bool going_off(struct going *g, struct task_struct *prev, bool preempt, __u32 bits)
{
	__u64 now;
	__u32 state;

	if (!g->task || g->task != (__u64)prev)
		return true;
	if (!preempt && bits & TASK_DEAD_MASK) {
		g->task = 0;
		return false;
	}
	now = bpf_ktime_get_ns();
	going_pass(g, now, RECORDING_REASON_CPU);
	state = state_of(prev, preempt, bits);
	g->woken_ns = state < RECORDING_SLEEPING || state == RECORDING_THROTTLED ? now : 0;
	g->blocked = state == RECORDING_BLOCKED_IO ? RECORDING_REASON_IO : RECORDING_REASON_OTHER;
	going_keep(g, (__u64)prev);
	g->task = 0;
	return true;
}

/* Add to parts, a copy of those of g, the time since its last mark, as going_pass() would if it ended at until. */
static __always_inline void going_so_far(const struct going *g, bool is_off_cpu, __u64 until, uint64_t *parts)
{
	__u64 since = going_since(g), woken = g->woken_ns;
	__u32 reason = is_off_cpu ? g->blocked : RECORDING_REASON_CPU;

	if (g->inside)
		reason = g->inside;
	if (is_off_cpu && woken) {
		if (woken > until)
			woken = until;
		if (woken > since) {
			parts[reason & (PARTS - 1)] += woken - since;
			since = woken;
		}
		reason = RECORDING_REASON_RUNNABLE;
	}
	if (until > since)
		parts[reason & (PARTS - 1)] += until - since;
}

static __always_inline void going_woken(struct task_struct *task)
{
	__u64 key = (__u64)task;
	struct going *g = off_cpu ? bpf_map_lookup_elem(&off_cpu_going, &key) : NULL;

	if (g && !g->woken_ns)
		g->woken_ns = bpf_ktime_get_ns();
}

#endif
