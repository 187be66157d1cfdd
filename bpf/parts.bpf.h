/* parts: where the time of something goes that a thread is in: a page fault or a system call.
 *
 * Its state is kept with the thread, in a table, where two numbers lead to it; no other memory is accessed, and none is
 * shared between CPUs.  The source file that includes this defines struct going_own (further members of the state), and
 * calls
 *
 *     going_get(), going_begin(), going_started()    as it begins
 *     going_of(), going_here(), going_end()          as it goes on, ends
 *     going_switched()                               at each switch
 *     going_woken()                                  when a thread is woken
 *     going_so_far()                                 for what still goes on
 *
 * Time before begin_ns or after end_ns does not count. */
#ifndef BPF_PARTS_BPF_H
#define BPF_PARTS_BPF_H

#include "bpf/kernel.h"
#include "bpf/slots.bpf.h"
#include "bpf/span_control.bpf.h"
#include "bpf/states.bpf.h"

/* Since woken_ns, the thread has been throttled: when it left its CPU, or where it was woken. */
enum going_throttled { GOING_NOT_THROTTLED, GOING_LEFT_THROTTLED, GOING_WOKEN_THROTTLED };

/* The members that are written at each begin come first, in one cache line. */
struct going {
	__u64 begin_ns; /* 0: nothing is going on */
	__u64 mark_ns;  /* the time before this is in `parts`; 0: no time is yet */
	__u8 inside;    /* the enum recording_reason to which all time counts at the moment, or 0 */
	__u8 is_split;  /* parts has more than RECORDING_REASON_CPU */
	__u8 off;       /* while the thread is off the CPU: enum recording_reason for that time, else 0 */
	__u8 throttled; /* enum going_throttled */
	__u32 unused;
	struct going_own own;
	__u64 woken_ns; /* while the thread is off the CPU: since when it waits for a CPU, or is throttled, or 0 */
	__u64 throttled_queue, throttled_before_ns; /* queue_of(), queue_throttled_ns() at woken_ns */
	__u64 blocked_ns, waited_ns;                /* last time off the CPU: blocked, then waiting for a CPU */
	__u64 parts[PARTS];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* max_slots */
	__type(key, __u32);
	__type(value, struct going);
} slots SEC(".maps");

/* The place of a thread; NULL: it has none. */
static __always_inline struct going *going_of(__u32 tid)
{
	__u32 i = slot_known(tid);

	return i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);
}

/* The place of a thread, a new one if necessary; NULL: the thread is not a target. */
static __always_inline struct going *going_get(struct task_struct *task)
{
	bool fresh = false;
	__u32 i = slot_take(task, &fresh);
	struct going *g = i == NO_SLOT ? NULL : bpf_map_lookup_elem(&slots, &i);

	if (g && fresh)
		g->begin_ns = g->off = 0;
	return g;
}

/* A begin or an end was missed; those missed before the recording do not count. */
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

/* The time from here on is not in `parts` yet. */
static __always_inline __u64 going_since(const struct going *g)
{
	return g->mark_ns ? g->mark_ns : going_begun(g);
}

/* ns, or the end of the recording if it was earlier. */
static __always_inline __u64 going_until(__u64 ns)
{
	return ns > control.end_ns ? control.end_ns : ns;
}

static __always_inline void going_pass(struct going *g, __u64 until, __u32 reason)
{
	__u64 since = going_since(g);

	until = going_until(until);
	if (g->inside && reason != RECORDING_REASON_RUNNABLE && reason != PART_THROTTLED)
		reason = g->inside;
	if (until <= since)
		return;
	g->parts[reason & (PARTS - 1)] += until - since;
	g->is_split |= reason;
	g->mark_ns = until;
}

/* Something begins in the current thread.  The caller then fills g->own, and calls going_started(); until then, g
 * counts as unused, since in Linux 7.2 the program may be preempted, and a switch looks at g. */
static __always_inline void going_begin(struct going *g)
{
	if (g->begin_ns)
		going_missed();
	g->begin_ns = 0;
	barrier();
	if (g->mark_ns)
		__builtin_memset(g->parts, 0, sizeof(g->parts));
	g->mark_ns = 0;
	g->inside = g->is_split = g->off = g->throttled = 0;
}

static __always_inline void going_started(struct going *g, __u64 now)
{
	barrier();
	g->begin_ns = now;
}

static __always_inline void going_end(struct going *g)
{
	g->begin_ns = 0;
}

static __always_inline void going_throttle(struct going *g, struct task_struct *task, enum going_throttled how)
{
	g->throttled = how;
	g->throttled_queue = queue_of(task);
	g->throttled_before_ns = queue_throttled_ns(g->throttled_queue);
}

/* The thread was throttled since g->woken_ns, and is back on this CPU.  Returns until when. */
static __always_inline __u64 going_unthrottle(struct going *g, struct task_struct *task, __u64 now)
{
	__u64 until;

	/* A thread that was woken may have gone into another queue. */
	if (g->throttled == GOING_WOKEN_THROTTLED && g->throttled_queue != queue_of(task))
		return g->woken_ns;
	until = throttled_until(task, g->throttled_queue, g->woken_ns, g->throttled_before_ns, now);
	going_pass(g, until, PART_THROTTLED);
	return until;
}

/* The thread, task, is back on a CPU. */
static __always_inline void going_back(struct going *g, struct task_struct *task, __u64 now)
{
	__u64 left_ns = going_since(g), until, ready;
	__u32 off = g->off;

	now = going_until(now);
	until = g->woken_ns ? going_until(g->woken_ns) : now;
	if (g->woken_ns)
		going_pass(g, until, off);
	g->blocked_ns = until > left_ns ? until - left_ns : 0;
	ready = left_ns + g->blocked_ns;
	if (g->throttled) {
		until = going_until(going_unthrottle(g, task, now));
		ready = until > ready ? until : ready;
		g->throttled = 0;
	}
	g->waited_ns = now > ready ? now - ready : 0;
	going_pass(g, now, g->woken_ns ? RECORDING_REASON_RUNNABLE : off);
	g->off = 0;
}

/* Is something going on in g, the place of the current thread?  The kernel does not show every switch, so this may be
 * the first sign that the thread is back. */
static __always_inline bool going_here(struct going *g)
{
	if (g->off)
		going_back(g, bpf_get_current_task_btf(), bpf_ktime_get_ns());
	return g->begin_ns;
}

/* A thread leaves its CPU while something is going on in it. */
static __always_inline void going_off(struct going *g, struct task_struct *prev, bool preempt, __u32 bits, __u64 now)
{
	__u32 state = state_of(prev, preempt, bits);

	going_pass(g, now, RECORDING_REASON_CPU);
	if (state == RECORDING_THROTTLED)
		going_throttle(g, prev, GOING_LEFT_THROTTLED);
	g->woken_ns = state < RECORDING_SLEEPING || state == RECORDING_THROTTLED ? now : 0;
	g->off = state == RECORDING_BLOCKED_IO ? RECORDING_REASON_IO : RECORDING_REASON_OTHER;
}

/* A thread has ended: return its place if something was going on in it, else NULL.  The place is already free, so the
 * caller must finish with it before another thread begins. */
static __always_inline struct going *going_dead(struct task_struct *task)
{
	struct going *g = going_of(task->pid);
	bool goes_on = g && g->begin_ns;

	if (g)
		slot_give_back(task->pid);
	return goes_on ? g : NULL;
}

/* A thread that executes a program gets the id of its process. */
SEC("tp_btf/sched_process_exec")
int BPF_PROG(going_exec, struct task_struct *task, int old_tid)
{
	struct target_thread *from = target_thread(old_tid), *to = target_thread(task->pid);

	if (!from || !to || from == to || !from->slot)
		return 0;
	slot_give_back(task->pid);
	to->slot = from->slot;
	from->slot = 0;
	return 0;
}

/* Add the time since g's last mark to `parts`, a copy of g's, as going_pass() would at an end at `until`. */
static __always_inline void going_so_far(const struct going *g, __u64 until, uint64_t *parts)
{
	__u64 since = going_since(g), woken = g->woken_ns;
	__u32 off = g->off, reason = off;

	if (g->inside)
		reason = g->inside;
	if (off && woken) {
		if (woken > until)
			woken = until;
		if (woken > since) {
			parts[reason & (PARTS - 1)] += woken - since;
			since = woken;
		}
		reason = g->throttled ? PART_THROTTLED : RECORDING_REASON_RUNNABLE;
	}
	if (until > since)
		parts[reason & (PARTS - 1)] += until - since;
}

static __always_inline void going_woken(struct task_struct *task)
{
	struct going *g = going_of(task->pid);

	if (!g || !g->off || g->woken_ns)
		return;
	if (wakes_throttled(task))
		going_throttle(g, task, GOING_WOKEN_THROTTLED);
	g->woken_ns = bpf_ktime_get_ns();
}

#endif
