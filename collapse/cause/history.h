/* history: what each thread of a recording did, and when: the spans in which it ran, waited for a CPU or was
 * blocked, and its samples.
 *
 * It needs recordings in which at least the long spans were recorded one by one (RECORDING_SINGLE).  For summed spans,
 * the time is unknown: where no single span covers a stretch of time, the thread is assumed to have spent it like its
 * short spans on average. */
#ifndef COLLAPSE_CAUSE_HISTORY_H
#define COLLAPSE_CAUSE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/comms.h"
#include "collapse/perfdata/sample.h"
#include "core/map.h"

/* In place of a thread's number. */
#define HISTORY_NONE UINT32_MAX            /* not known, or not one thread */
#define HISTORY_INTERRUPT (UINT32_MAX - 1) /* an interrupt woke it */

#define HISTORY_LONG_NS 1000000 /* shorter waits are not worth a question */

struct history_span {
	uint64_t begin_ns, end_ns; /* wall clock; equal for a sample */
	uint32_t thread;           /* number in history.threads */
	uint32_t other;            /* for a blocked span, the thread that woke this one; for a wait for a CPU, the one
				    * that had it */
	uint32_t stack;            /* number in a struct stacks; only blocked spans and samples have one */
	uint32_t cpu;
	uint8_t state; /* enum recording_state; 0: a sample */
	bool open;     /* had not ended when the recording did */
	bool guessed;  /* other is a guess, not from the recording: slices_join() */
	bool unasked;  /* the span is kept for what it says about other threads; nobody asks about it itself
		        * (history_ask()) */
};

/* Spans of one kind; once sorted, they are ordered by thread and time. */
struct history_list {
	struct history_span *items;
	size_t count, cap;
};

struct history_range {
	size_t first, count;
};

/* Time of spans that were summed. */
struct history_sums {
	uint64_t ran_ns, ready_ns, other_ns; /* ready: waited for a CPU */
};

/* The scheduling priority of a thread, where it was recorded (RECORDING_PRIORITIES). */
enum history_policy {
	HISTORY_POLICY_USUAL,
	HISTORY_POLICY_BATCH,
	HISTORY_POLICY_IDLE,
	HISTORY_POLICY_FIFO, /* these run before all of the others */
	HISTORY_POLICY_RR,
	HISTORY_POLICY_DEADLINE,
	HISTORY_POLICIES
};

enum { HISTORY_GIVES_WAY = 10 }; /* at least so nice */

struct history_wakes {
	uint32_t waker, woken;
	uint32_t stack; /* of the block */
	uint64_t count, ns;
};

struct history_thread {
	int pid, tid;
	uint32_t process; /* the first thread of the process ... */
	uint32_t name;    /* ... and the number of that process's name, set by the caller: processes of one name do the
			   * same work */
	uint32_t parent;  /* set by the caller: the thread that started the process; HISTORY_NONE: not known */
	uint64_t born_ns; /* set by the caller: when the thread began, wall clock; 0: before the recording, or not
			   * known */
	bool ended;       /* it did so in the recording */
	uint64_t untaken; /* number of its summed blocks that have no stack, and so no waker, because of the budget */
	bool recorder;    /* set by the caller: the thread belongs to the recorder, ... */
	bool kernel;      /* ... or is a kernel thread, ... */
	bool stops_jvm;   /* ... or is a JVM's "VM Thread", which does the work for which the other threads are
			   * stopped */
	uint8_t policy;   /* likewise: enum history_policy, and ... */
	int8_t niceness;
	uint64_t cpus_allowed;     /* set by the caller: the number of CPUs that it may use; 0: not known */
	uint64_t ran_ns, ready_ns; /* from all spans, single or summed: time in which the thread ran, or waited for a
				    * CPU, ... */
	uint64_t throttled_ns;     /* ... or was stopped by the limit of its control group */
	uint64_t sampled_ns;       /* time on a CPU, by samples of a clock */
	uint32_t cpu;              /* the only CPU on which the thread ran; HISTORY_NONE: it ran on several */
	struct history_sums summed;
	struct history_range states, blocks, samples;
};

/* {0} is valid and empty. */
struct history {
	struct history_list states;  /* running, waiting for a CPU, or throttled */
	struct history_list blocks;  /* blocked */
	struct history_list samples; /* of what ran */
	struct history_thread *threads;
	size_t count, cap;
	struct map by_tid;          /* (tid, pid) -> number + 1 */
	struct map processes;       /* pid -> number of the first thread + 1 */
	uint64_t first_ns, last_ns; /* of all that was added */
	uint64_t *idle_ns;          /* [cpu_count]: of each CPU's idle thread */
	size_t cpu_count, idle_cap;
	struct history_list waits;   /* whole waits for a CPU whose short parts were summed; needed until the spans are
				    * sorted */
	struct history_wakes *wakes; /* [wake_count] summed blocks that a thread ended */
	size_t wake_count, wake_cap;
	bool limited;       /* only some spans are asked about */
	uint64_t long_sums; /* how many samples are sums that include a span of HISTORY_LONG_NS or more */
};

/* The number of a thread, which is added if it is new. */
uint32_t history_thread(struct history *h, int pid, int tid);

/* Does a history use this sample?  Blocked spans come from offcpu, which has the stacks; the others from sched. */
bool history_wants(const struct recorded_sample *s);

/* Ask only about the spans for which is_asked(), given their thread and time, returns true. */
typedef bool history_asked(const void *argument, const struct history_thread *thread, uint64_t begin_ns,
			   uint64_t end_ns);
void history_ask(struct history *h, history_asked *is_asked, const void *argument);

/* Is the sample anything but a span from sched?  Then it has a stack. */
bool history_has_stack(const struct recorded_sample *s);

/* The thread that had the CPU while the sample's thread waited, or HISTORY_NONE.  (The record has only its tid, not its
 * process.) */
uint32_t history_by(struct history *h, const struct comms *comms, const struct recorded_sample *s);

/* Add a sample whose span began at begin_ns, wall clock; stack is the number of its stack; by is from history_by(). */
void history_add(struct history *h, const struct recorded_sample *s, uint64_t begin_ns, uint32_t stack, uint32_t by);

/* The recording has something from that time. */
void history_cover(struct history *h, uint64_t begin_ns, uint64_t end_ns);

/* Sort the spans, as all functions below need.  Call this once all spans are added. */
void history_sort(struct history *h);

/* For how long did the thread run between from_ns and to_ns? */
uint64_t history_ran(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns);

/* For how long did the CPU limit of its control group stop the thread in that time? */
uint64_t history_throttled(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns);

/* For how long did the thread wait for a CPU in that time?  *by is the thread that had the CPU for more than half of
 * the wait, or HISTORY_NONE. */
uint64_t history_waited(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns, uint32_t *by);

/* When the thread first ran, waited for a CPU or was throttled after that moment; UINT64_MAX: there is none. */
uint64_t history_next_state(const struct history *h, uint32_t thread, uint64_t ns);

/* The block that covers most of that time, or NULL. */
const struct history_span *history_block(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns);

/* How much of the span is between from_ns and to_ns. */
static inline uint64_t history_overlap(const struct history_span *s, uint64_t from_ns, uint64_t to_ns)
{
	uint64_t begin = s->begin_ns > from_ns ? s->begin_ns : from_ns, end = s->end_ns < to_ns ? s->end_ns : to_ns;

	return begin < end ? end - begin : 0;
}

static inline uint64_t history_length(const struct history_span *span)
{
	return span->end_ns - span->begin_ns;
}

/* Has the thread asked for a lower priority than all others? */
static inline bool history_gives_way(const struct history_thread *t)
{
	return t->niceness >= HISTORY_GIVES_WAY || t->policy == HISTORY_POLICY_BATCH ||
	       t->policy == HISTORY_POLICY_IDLE;
}

/* Did the thread begin or end in the recording?  Processes of a build do; that of a service does not. */
static inline bool history_passes(const struct history *h, const struct history_thread *t)
{
	return t->born_ns > h->first_ns || t->ended;
}

void history_free(struct history *h);

#endif
