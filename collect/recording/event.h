/* event: what is sampled, from "-e NAME" to a perf_event_attr(2). */
#ifndef COLLECT_RECORDING_EVENT_H
#define COLLECT_RECORDING_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct walked_sample; /* collect/sampling/stack_walk.h */

struct event {
	char *name; /* as the user spelled it */
	struct perf_event_attr attr;
	uint64_t *ids; /* the kernel's, one for each CPU and thread */
	size_t id_count, id_cap;
	struct event_fd {
		int fd, cpu;
	} *fds;          /* where the sampler opened it; the sampler's */
	size_t fd_count, fd_cap;
	bool everybody;  /* opened for all threads, whatever is selected */
	bool everywhere; /* on all CPUs, also those that -C left out */
	/* What becomes of each of its samples, which are walked; NULL: it is recorded as it is.  Returns
	 * whether it is recorded.  Called by the walker's thread. */
	bool (*made)(void *self, struct walked_sample *s);
	void *self;
	int output_map;  /* a BPF program writes to it by way of this map, by CPU; 0: none does */
	const char *recorded_as; /* NULL, or the event of ours as which it is recorded: RECORDING_ALLOC */
};

struct events {
	struct event *list;
	size_t count, cap;
	bool java_certain; /* of inlined Java methods those that are certain only */
	bool no_java; /* walked stacks of JVMs are as any program's */
};

struct sampling {
	uint64_t frequency_hz;  /* or */
	uint64_t period;        /* a sample every so many events; 0: by frequency */
	bool frequency_chosen;  /* asked for, so that it holds for tracepoints too */
	bool user_only, kernel_only;
	bool inherit;           /* follow new threads and children */
	bool on_exec;           /* start when the process calls exec */
	bool no_stacks;         /* neither of the kernel nor of user code */
	uint32_t stack_bytes;   /* of the user stack are taken, to be walked (collect/sampling/stack_walk.h); 0: the
				 * kernel follows frame pointers */
	size_t ring_size;       /* bytes; we are woken when a quarter is full */
};

/* The fields of every sample, in the kernel's order.  All events have these;
 * tracepoints have PERF_SAMPLE_RAW after them. */
#define EVENT_SAMPLE_TYPE                                                                 \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |   \
	 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

/* Add the event that text names: cycles, page-faults, cycles:u, r1a2,
 * sched:sched_switch.  An unknown name is wrong usage.  Returns 0, or -1 after a
 * message when this kernel does not have the tracepoint, or we may not look. */
int events_add(struct events *events, const char *text);

void events_drop_last(struct events *events);

/* Add one that counts nothing: for the side band.  Returns its number. */
size_t events_add_dummy(struct events *events);

/* Complete the attributes. */
void event_configure(struct event *e, const struct sampling *how);

/* Let e also report mappings, names, forks and exits: one event has to. */
void event_add_side_band(struct event *e);

bool event_is_tracepoint(const struct event *e);

/* Are registers and stacks taken with its samples, to be walked (collect/sampling/stack_walk.h)? */
bool event_is_walked(const struct event *e);

/* Have its samples no period, since all have the same?  With PERF_SAMPLE_PERIOD the kernel would take each
 * event for a sample, whatever the period (kernel/events/core.c, perf_swevent_event()). */
bool event_lacks_period(const struct event *e);

/* Its attribute as the recording has it: there, stacks were walked, and each sample has its period. */
struct perf_event_attr event_recorded(const struct event *e);

/* Does no PMU count it, but a program of ours, and we write its samples (collect/recording/spans.h)?  Those that the
 * kernel writes for a program are not meant (collect/sampling/output_event.h). */
bool event_is_ours(const struct event *e);

void event_add_id(struct event *e, uint64_t id);
void event_add_fd(struct event *e, int fd, int cpu);

/* None of them is open. */
void events_forget_fds(struct events *events);

void events_free(struct events *events);

#endif
