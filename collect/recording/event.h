/* event: what is sampled: from "-e NAME" to struct perf_event_attr (perf_event_open(2)). */
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
	uint64_t *ids; /* ids from the kernel, one for each CPU and thread */
	size_t id_count, id_cap;
	struct event_fd {
		int fd, cpu;
	} * fds; /* descriptors, as the sampler opened them; owned by the sampler */
	size_t fd_count, fd_cap;
	int cgroup;     /* directory of the control group whose threads are sampled; not owned; 0: not limited to one */
	bool everybody; /* opened for all threads, whichever were selected */
	bool everywhere; /* opened on all CPUs, including those that -C left out */
	/* Called by the walker's thread for each walked sample, which it may change; returns whether to record it.
	 * NULL: record all unchanged. */
	bool (*made)(void *self, struct walked_sample *s);
	void *self;
	int filter;              /* BPF program that runs at each sample, and decides whether it is kept; 0: none */
	int output_map;          /* map, by CPU, through which a BPF program writes samples to the event; 0: none */
	const char *recorded_as; /* the name of our own event under which it is recorded: RECORDING_ALLOC; NULL: its own
				  * name */
};

/* A slot on a thread's stack in which the kernel has replaced a return address by its own, because the return is probed
 * (kernel/events/uprobes.c). */
struct return_slot {
	uint64_t slot, address; /* where; what was there */
	uint64_t since_ns;      /* CLOCK_MONOTONIC */
};

enum { RETURN_SLOTS_MAX = 64 };

struct events {
	struct event *list;
	size_t count, cap;
	bool java_certain; /* show inlined Java methods only if they are certain */
	bool no_java;      /* stacks of JVMs are walked like those of any program */
	int python_processes, python_texts,
		python_ring; /* maps of BPF programs (collect/python/python_feed.h); 0: none */
	/* The slots of a thread, the latest first; returns how many.  Any thread may call it.  NULL: no return is probed. */
	size_t (*return_slots)(uint32_t tid, struct return_slot slots[RETURN_SLOTS_MAX]);
};

struct sampling {
	uint64_t frequency_hz; /* or */
	uint64_t period;       /* one sample per so many events; 0: by frequency */
	bool frequency_chosen; /* the user gave the frequency, so it also applies to tracepoints */
	bool user_only, kernel_only;
	bool inherit;         /* follow new threads and children */
	bool on_exec;         /* events start when the process calls exec */
	bool unwatched;       /* end without waiting for the targets and all processes that they started */
	bool no_stacks;       /* record neither kernel nor user stacks */
	uint32_t stack_bytes; /* bytes of user stack to copy and walk (collect/sampling/stack_walk.h); 0: the kernel
			       * follows frame pointers */
	size_t ring_size;     /* bytes; we are woken when a quarter is full */
};

/* The fields of every sample, in the kernel's order.  All events have these;
 * tracepoints have PERF_SAMPLE_RAW after them. */
#define EVENT_SAMPLE_TYPE                                                                                 \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN)

/* Add the event named by text: cycles, page-faults, cycles:u, r1a2, sched:sched_switch.  An unknown name is wrong
 * usage.  Returns 0, or -1 after a message if this kernel lacks the tracepoint, or we may not look. */
int events_add(struct events *events, const char *text);

void events_drop_last(struct events *events);

/* Add a dummy event, which counts nothing, for the side band.  Returns its number. */
size_t events_add_dummy(struct events *events);

/* Complete the event's attributes. */
void event_configure(struct event *e, const struct sampling *how);

/* Make e also report mappings, names, forks and exits, which exactly one event of a recording must do. */
void event_add_side_band(struct event *e);

bool event_is_tracepoint(const struct event *e);

/* Do the event's samples have registers and stacks for walking (collect/sampling/stack_walk.h)? */
bool event_is_walked(const struct event *e);

/* Do the event's samples lack a period, because all have the same one?  With PERF_SAMPLE_PERIOD, the kernel would take
 * a sample at each event, whatever the period (kernel/events/core.c, perf_swevent_event()). */
bool event_lacks_period(const struct event *e);

/* The attributes of the event as recorded: of samples whose stacks were walked, each with its period. */
struct perf_event_attr event_recorded(const struct event *e);

/* Is the event counted by a BPF program of ours rather than by a PMU, with samples that we write
 * (collect/recording/spans.h)?  False if the kernel writes the samples for a program
 * (collect/sampling/output_event.h). */
bool event_is_ours(const struct event *e);

void event_add_id(struct event *e, uint64_t id);
void event_add_fd(struct event *e, int fd, int cpu);

/* Mark all descriptors as closed. */
void events_forget_fds(struct events *events);

void events_free(struct events *events);

#endif
