/* switch_spans: the state of CPUs and threads while switches.c walks through the events, and the
 * spans of time that it emits. */
#ifndef COLLAPSE_SCHED_SWITCH_SPANS_H
#define COLLAPSE_SCHED_SWITCH_SPANS_H

#include "collapse/sched/switches.h"

enum { NO_THREAD = -1 }; /* in place of a thread: it is not known which one is on the CPU */

struct loss {
	uint64_t from_ns, to_ns;
};

struct switch_cpu {
	bool known;        /* the thread that ran at the beginning is known: ... */
	int32_t first;     /* ... this one */
	int32_t current;   /* the thread that runs, or NO_THREAD */
	uint32_t last;     /* index of its last switch + 1; each switch has a link to the one before it */
	uint64_t since_ns; /* when current came */
	uint64_t last_ns;  /* of its last event */
	struct loss *losses;
	size_t loss_count, loss_cap;
};

struct switch_thread {
	int32_t tid;
	uint32_t cpu; /* where it runs, waits, or was last */
	uint64_t since_ns;
	uint64_t begun_ns;  /* for a thread that waits: when the wait began, perhaps for another CPU; else since_ns */
	uint64_t waking_ns; /* when another thread began to wake this one while it was still running; 0: none did */
	uint64_t record;    /* of the event at since_ns */
	uint64_t ran_ns;    /* time on the CPU since it was last switched in or out, by sched_stat_runtime */
	uint8_t state;
	uint32_t ran_on; /* CPU on which it ran last + 1; 0: it has not run */
	bool migrated;   /* it runs on another CPU than before */
	bool fresh;      /* no event has shown its state yet */
	bool dead;
};

static inline bool switch_is_wait(uint8_t state)
{
	return state >= RECORDING_PREEMPTED && state <= RECORDING_WOKEN;
}

static inline bool switch_is_blocked(uint8_t state)
{
	return state >= RECORDING_SLEEPING && state <= RECORDING_IDLE;
}

/* Make room for the CPU with this number. */
void switches_add_cpu(struct switches *s, uint32_t number);

/* The thread with this tid, valid until the next call.  A new thread is assumed to have existed since the beginning,
 * with cpu as its last CPU. */
struct switch_thread *switches_thread(struct switches *s, int32_t tid, uint32_t cpu);

/* The time before to_ns from which on the thread's state is unknown because events were lost; to_ns if it is known
 * throughout.  cpu is the CPU of the thread's next event. */
uint64_t switches_lost_from(const struct switches *s, const struct switch_thread *t, uint32_t cpu, uint64_t to_ns);

/* Emit the thread's state from since_ns to to_ns; count as in struct switch_span. */
void switches_emit(struct switches *s, const struct switch_thread *t, uint64_t to_ns, uint8_t count, bool open);

/* The same for the idle thread, which runs on cpu. */
void switches_emit_idle(struct switches *s, uint32_t cpu, uint64_t to_ns, bool open);

/* End the thread's state at to_ns, with an event on cpu. */
void switches_end_state(struct switches *s, struct switch_thread *t, uint32_t cpu, uint64_t to_ns);

/* Begin the thread's next state with e. */
void switch_thread_begin(struct switch_thread *t, uint8_t state, uint32_t cpu, const struct sched_event *e);

#endif
