/* history: what each thread of a recording did, and when: the spans in which it ran, waited for a CPU or was
 * blocked, and its samples.
 *
 * It needs spans that were recorded one by one (RECORDING_SINGLE), at least the long ones.  When summed spans happened
 * is not known: in time that no single span covers, a thread is assumed to have done what its short spans did on
 * average. */
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
	uint32_t other;            /* blocked: the thread that woke it; waiting for a CPU: the one that had it */
	uint32_t stack;            /* number in a struct stacks; blocked spans and samples only */
	uint32_t cpu;
	uint8_t state; /* enum recording_state; 0: a sample */
	bool open;     /* had not ended when the recording did */
	bool guessed;  /* other is not from the recording, but likely: slices_join() */
	bool unasked;  /* it says something about others, but nobody asks about the span itself (history_ask()) */
};

/* Spans of one kind; once sorted, by thread, and in order of time. */
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

/* How urgent a thread is for the scheduler, where it was recorded (RECORDING_PRIORITIES). */
enum history_policy { HISTORY_POLICY_USUAL, HISTORY_POLICY_BATCH, HISTORY_POLICY_IDLE };

enum { HISTORY_GIVES_WAY = 10 }; /* at least so nice */

struct history_wakes {
	uint32_t waker, woken;
	uint64_t count;
};

struct history_thread {
	int pid, tid;
	uint32_t process; /* the first thread of the process ... */
	uint32_t name;    /* ... and the number of its name, for the caller to set: processes of one name do the same */
	uint32_t parent;  /* for the caller to set: the thread that started the process; HISTORY_NONE: not known */
	uint64_t born_ns; /* likewise: when it began, wall clock; 0: before the recording, or not known */
	bool ended;       /* it did so in the recording */
	uint64_t untaken; /* its summed blocks without a stack, so without a waker, to keep to a budget: their number */
	bool recorder;    /* for the caller: it is one that recorded this, ... */
	bool kernel;      /* ... one of the kernel's own, ... */
	bool stops_jvm;   /* ... or a JVM's "VM Thread", which does what the others are stopped for */
	uint8_t policy;   /* likewise: enum history_policy, and ... */
	int8_t niceness;
	uint64_t ran_ns, ready_ns; /* of all spans, single or not: it ran, or waited for a CPU, ... */
	uint64_t throttled_ns;     /* ... or its control group's limit stopped it */
	uint64_t sampled_ns;       /* on a CPU, by samples of a clock */
	uint32_t cpu;              /* the only one on which it ran; HISTORY_NONE: it ran on several */
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
	struct history_list waits; /* whole waits for a CPU whose short parts were summed; used until they are sorted */
	struct history_wakes *wakes; /* [wake_count] summed blocks that a thread ended */
	size_t wake_count, wake_cap;
	bool limited;       /* only some spans are asked about */
	uint64_t long_sums; /* samples that are sums of spans, some of which had HISTORY_LONG_NS or more */
};

/* The number of a thread, which is added if it is new. */
uint32_t history_thread(struct history *h, int pid, int tid);

/* Does a history use this sample?  Blocked spans come from offcpu, which has the stacks; the others from sched. */
bool history_wants(const struct recorded_sample *s);

/* Ask only about spans of which is_asked() says so, by their thread and time. */
typedef bool history_asked(const void *argument, const struct history_thread *thread, uint64_t begin_ns,
			   uint64_t end_ns);
void history_ask(struct history *h, history_asked *is_asked, const void *argument);

/* Is it anything but a span of sched, and so has a stack? */
bool history_has_stack(const struct recorded_sample *s);

/* The thread that had the CPU for which the sample's thread waited, or HISTORY_NONE: the record has its number, not its
 * process. */
uint32_t history_by(struct history *h, const struct comms *comms, const struct recorded_sample *s);

/* Add a sample of a recording, which began at begin_ns, wall clock; stack is the number of its stack; by is from
 * history_by(). */
void history_add(struct history *h, const struct recorded_sample *s, uint64_t begin_ns, uint32_t stack, uint32_t by);

/* The recording has something from that time. */
void history_cover(struct history *h, uint64_t begin_ns, uint64_t end_ns);

/* Call it once all spans are added: the functions below need them in order. */
void history_sort(struct history *h);

/* For how long did the thread run between from_ns and to_ns? */
uint64_t history_ran(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns);

/* For how long did its control group's limit of CPU time stop it in that time? */
uint64_t history_throttled(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns);

/* For how long did it wait for a CPU in that time?  *by is the thread that had it for more than half of the
 * wait, or HISTORY_NONE. */
uint64_t history_waited(const struct history *h, uint32_t thread, uint64_t from_ns, uint64_t to_ns, uint32_t *by);

/* When the thread first ran, waited for a CPU or was throttled after that moment; UINT64_MAX: there is none. */
uint64_t history_next_state(const struct history *h, uint32_t thread, uint64_t ns);

/* The block that took most of that time, or NULL. */
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

/* Does it ask to come after all others? */
static inline bool history_gives_way(const struct history_thread *t)
{
	return t->niceness >= HISTORY_GIVES_WAY || t->policy != HISTORY_POLICY_USUAL;
}

void history_free(struct history *h);

#endif
