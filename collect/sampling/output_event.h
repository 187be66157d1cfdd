/* output_event: samples that a BPF program emits by bpf_perf_event_output().  Like those of any event, they reach our
 * rings with registers and a copy of the stack, and are walked; then they go to the event's made() with the program's
 * data as RAW.
 *
 * A uprobe could be an event of its own, but not for a process that starts threads: with inherit, clone(2) fails in the
 * process (seen with Linux 6.18), as the kernel looks for the probe's path in the process's memory; without inherit,
 * new threads are not seen.  A program on the uprobe sees all threads. */
#ifndef COLLECT_SAMPLING_OUTPUT_EVENT_H
#define COLLECT_SAMPLING_OUTPUT_EVENT_H

#include "collect/recording/event.h"

/* Add one event for all recorded CPUs and all threads, which the program filters.
 * recorded_as: RECORDING_ALLOC or the like; how: rings, and bytes of stack.  Returns the event's number. */
size_t output_event_add(struct events *events, const char *recorded_as, const struct sampling *how);

/* Call this once the sampler is open.  It lets programs write to e through the map (BPF_MAP_TYPE_PERF_EVENT_ARRAY, one
 * entry per possible CPU).  Returns 0, or -1 with errno. */
int output_event_start(struct event *e, int map_fd);

/* The same for an event that was opened later on one CPU, as fd. */
int output_event_start_on(const struct event *e, int cpu, int fd);

#endif
