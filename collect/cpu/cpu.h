/* cpu: the source that samples stacks with perf_event_open(2). */
#ifndef COLLECT_CPU_CPU_H
#define COLLECT_CPU_CPU_H

#include "collect/run/source.h"

extern const struct source cpu_source;

#endif
