/* sched: "pyrograph collect sched": time in scheduler states, by BPF. */
#ifndef COLLECT_SCHED_SCHED_H
#define COLLECT_SCHED_SCHED_H

#include "collect/run/source.h"

extern const struct source sched_source;

#endif
