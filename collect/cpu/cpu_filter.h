/* cpu_filter: the BPF program that runs at each sample (bpf/cpu_filter.bpf.c).  It copies what Python code the thread runs.
 * Where targets are sampled by events that sample all threads, it drops the samples of others. */
#ifndef COLLECT_CPU_CPU_FILTER_H
#define COLLECT_CPU_CPU_FILTER_H

#include "collect/run/collection.h"

enum cpu_filter_wish { CPU_FILTER_CHEAPER, CPU_FILTER_NEVER, CPU_FILTER_ALWAYS };

/* Turn the events of c from first on, already configured, into events of all threads.  This is done if they are timers
 * or cycle counters with a frequency of at most 999 Hz (CPU_FILTER_ALWAYS: any), and if we have the rights.  Otherwise
 * they stay events of single threads.  Then give them their program, if stacks are walked and we have the rights. */
void cpu_filter_prepare(struct collection *c, size_t first, enum cpu_filter_wish wish);

/* The same for a control group of version 1 that perf_event_open(2) does not know.  Returns 0, or -1 after a message. */
int cpu_filter_prepare_group(struct collection *c, size_t first, const char *cgroup);

/* Tell the program who the targets are.  Returns 0, or -1 after a message. */
int cpu_filter_start(struct collection *c);

/* Count what the program has lost. */
int cpu_filter_stop(struct collection *c, uint64_t end_ns);

void cpu_filter_free(void);

#endif
