/* event: an event of a recording: its name, and the layout of its samples, both from its
 * perf_event_attr. */
#ifndef COLLAPSE_PERFDATA_EVENT_H
#define COLLAPSE_PERFDATA_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

/* Where the fields of a sample are, in bytes; -1: not recorded. */
struct sample_layout {
	int id, ip, tid, time, cpu, period;
	int fixed;                                     /* size of all fields before READ and CALLCHAIN */
	int time_from_end, cpu_from_end, tid_from_end; /* in records that are not samples, counted back from the
						        * record's end */
};

struct recorded_event {
	char *name;                  /* "cpu-clock"; owned */
	struct perf_event_attr attr; /* fields that the version of perf which wrote the file did not know are 0 */
	struct sample_layout layout;
	uint64_t sample_count; /* filled by sideband_read() */
	bool derived;          /* the event is not in the file: see collapse/sched/derived.h ... */
	bool from_states;      /* ... and is derived from another event's states, so that its samples have no stacks */
	bool walked;           /* the recorder walked the user part of its chains, which may end in a label
			        * (core/format/recording.h) */
	bool allocations;      /* its samples stand for allocated objects and their bytes */
	bool lanes;            /* its samples are values of quantities over time: EVENT_VALUES */
	bool processes;        /* its samples are spans of processes: EVENT_PROCESSES */
	bool windows;          /* its samples are windows, to which samples of other events are limited:
			        * EVENT_WINDOWS */
	bool spans;            /* its samples are sums of spans of time: see event_has_spans() */
};

/* Where the fields of a sample are (perf_event_open(2), PERF_RECORD_SAMPLE). */
struct sample_layout event_layout(const struct perf_event_attr *attr);

/* A name made from the type and config, for files without names:
 * "cpu-clock", "cycles", "tracepoint:314", "raw:1c2".  The caller frees it. */
char *event_name(const struct perf_event_attr *attr);

/* The unit of an event's values if each sample weighs its period: "ns" for clocks, otherwise the event's name. */
const char *event_unit(const struct recorded_event *event);

/* Is the event a clock, so that every sample stands for the same span of time? */
bool event_is_clock(const struct recorded_event *event);

/* Is it one of our events (not a PMU's), with a struct recording_span in its samples (core/format/recording.h)? */
bool event_has_spans(const struct recorded_event *event);

/* Is it one of our events for allocations (EVENT_ALLOCATIONS, core/format/events.h)?  A recording may have several of
 * these, which count as one event. */
bool event_has_allocations(const struct recorded_event *event);

/* ... of EVENT_VALUES? */
bool event_has_lanes(const struct recorded_event *event);

/* ... of EVENT_PROCESSES? */
bool event_has_processes(const struct recorded_event *event);

/* ... of EVENT_WINDOWS? */
bool event_has_windows(const struct recorded_event *event);

/* Did we walk the user part of its chains while recording (struct recorded_event, walked)? */
bool event_was_walked(const struct recorded_event *event);

#endif
