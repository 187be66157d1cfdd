/* output_event: samples that a BPF program has the kernel write, by bpf_perf_event_output(): they come
 * into our rings with registers and a copy of the stack, as those of any event, are walked, and go to
 * the event's made() with what the program said, as RAW.
 *
 * A uprobe could be an event of its own, but not for a process that starts threads: with
 * inherit, clone(2) fails in the process (seen with Linux 6.18), as the kernel looks for the probe's path in
 * its memory; without, new threads are not seen.  A program on the uprobe sees them all. */
#ifndef COLLECT_SAMPLING_OUTPUT_EVENT_H
#define COLLECT_SAMPLING_OUTPUT_EVENT_H

#include "collect/recording/event.h"

/* Add one, of all CPUs that are recorded, whatever runs there: the program chooses.  recorded_as:
 * RECORDING_ALLOC or the like; how: rings, and bytes of stack.  Returns its number. */
size_t output_event_add(struct events *events, const char *recorded_as, const struct sampling *how);

/* The sampler is open: let programs write to e by way of the map (BPF_MAP_TYPE_PERF_EVENT_ARRAY, one entry
 * for each CPU there can be).  Returns 0, or -1 with errno. */
int output_event_start(struct event *e, int map_fd);

/* The same for one that was opened later, as fd. */
int output_event_start_on(const struct event *e, int cpu, int fd);

#endif
