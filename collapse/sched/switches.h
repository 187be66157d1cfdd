/* switches: derives from the scheduler's events what each thread did with its time: the states of
 * core/format/recording.h, and for each wait for a CPU the threads that had it.
 *
 * Unlike our own collectors, a trace cannot tell whether a thread was blocked on I/O (all is
 * RECORDING_BLOCKED) or has yielded (shown as RECORDING_QUANTUM).  A thread's state before its first event is unknown,
 * unless it ran.  A thread without events is not in the result.
 *
 * Each wait has a part for each thread that had the CPU during it, so the number of all parts can grow with the square
 * of the events.  Each event allows SWITCHES_PARTS_PER_EVENT parts (an eighth of that if all parts are kept).  If the
 * allowance is used up, a wait keeps only its last parts, and the parts before them are summed as RECORDING_BY_OTHERS.
 *
 * If threads were recorded, not CPUs (perf record -p, or of a command), each switch is seen from one side only: SCHED_OUT, or
 * the tracepoint sched_switch, and SCHED_IN.  Then it is not known which thread had the CPU during a wait. */
#ifndef COLLAPSE_SCHED_SWITCHES_H
#define COLLAPSE_SCHED_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/tracing.h"
#include "core/format/recording.h"
#include "core/map.h"

enum { SWITCHES_BY_NOBODY = -1 };

enum { SWITCHES_PARTS_PER_EVENT = 64, SWITCHES_PARTS_FREE = 1 << 22 };

/* A span of time, with the values that a sample has in our own recordings. */
struct switch_span {
	uint64_t begin_ns, ns;
	uint64_t longest_ns; /* ns; in the part that counts as the whole wait, the length of the whole wait */
	uint64_t record;     /* record of the event that began the span; it has a blocked thread's stack */
	uint64_t waking;     /* record of the sched_waking that ended the span; it has the waker's stack; 0: none */
	int32_t tid;         /* 0: the CPU's idle thread */
	int32_t by;          /* the thread that had the CPU; 0: the idle one; RECORDING_BY_OTHERS: not known;
			   * SWITCHES_BY_NOBODY: tid was not waiting for a CPU */
	uint32_t cpu;
	uint8_t state; /* enum recording_state */
	uint8_t count; /* 0 if the span is counted in another part of it */
	bool migrated; /* it runs on another CPU than before */
	bool open;     /* the span had not ended when the recording did; set in its last part */
};

typedef void switches_sink(const struct switch_span *span, void *argument);

/* {0} is empty.  Add events with switches_add(), and set begin_ns and end_ns before switches_run(). */
struct switches {
	struct sched_event *events; /* owned, any order; switches_run() sorts them */
	size_t count, cap;
	uint64_t begin_ns, end_ns;   /* the recording's */
	bool seen[SCHED_KIND_COUNT]; /* kinds of events that were added */
	bool by_thread;              /* threads were recorded, not CPUs */
	bool parts_kept;             /* sink receives each part, rather than sums of parts */
	bool whole_waits;            /* it does not matter which thread had the CPU, so a wait has one part, by
			   * RECORDING_BY_OTHERS */

	/* Results of switches_run(). */
	uint64_t switches;
	bool idle_left;    /* the idle thread of some CPU was switched out */
	uint64_t untimed;  /* events at time 0, which are left out */
	uint64_t repaired; /* missing switches whose time could be estimated */
	uint64_t unpaired; /* switches that end the run of a thread that, by earlier events, was not running; it is
			    * unknown when this run began */
	uint64_t parts;    /* switches examined to split waits into parts, */
	uint64_t cut;      /* waits with so many switches that not all parts were kept */

	struct switch_cpu *cpus; /* by number */
	size_t cpu_count, cpu_cap;
	struct switch_thread *threads;
	size_t thread_count, thread_cap;
	struct map by_tid;   /* -> number in threads + 1 */
	struct map recorded; /* tids -> 1, if by_thread */
	uint64_t waking;     /* see struct switch_span, while one ends */
	uint64_t parts_allowed;
	switches_sink *sink;
	void *argument;
};

void switches_add(struct switches *s, const struct sched_event *e);

/* Note that a thread runs on a CPU.  The first thread noted for each CPU is taken to have run there from the
 * beginning. */
void switches_running_first(struct switches *s, uint32_t cpu, int32_t tid);

/* Derive all spans, and pass each one to sink when it ends. */
void switches_run(struct switches *s, switches_sink *sink, void *argument);

void switches_free(struct switches *s);

#endif
