/* sched_priorities: which threads have another policy or niceness than most: the section RECORDING_PRIORITIES. */
#ifndef COLLECT_SCHED_SCHED_PRIORITIES_H
#define COLLECT_SCHED_SCHED_PRIORITIES_H

#include "bpf/sched.h"
#include "core/map.h"
#include "core/str.h"

struct sched_priorities { /* {0} is valid and empty */
	struct map known; /* tid, pid -> policy and static_prio */
};

/* What a thread has now; to be said again from time to time, as those that were described are forgotten. */
void sched_priorities_note(struct sched_priorities *p, const struct sched_thread *t);

/* Append the section, in order, and forget what is in it. */
void sched_priorities_describe(struct sched_priorities *p, struct str *out);

void sched_priorities_free(struct sched_priorities *p);

#endif
