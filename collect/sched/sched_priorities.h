/* sched_priorities: which threads have a policy or niceness that differs from that of most, or may use fewer CPUs: the
 * sections RECORDING_PRIORITIES and RECORDING_AFFINITIES. */
#ifndef COLLECT_SCHED_SCHED_PRIORITIES_H
#define COLLECT_SCHED_SCHED_PRIORITIES_H

#include "bpf/sched.h"
#include "core/map.h"
#include "core/str.h"

struct sched_priorities {    /* {0} is valid and empty */
	struct map known;    /* tid, pid -> policy and static_prio */
	struct map affinity; /* tid, pid -> number of CPUs that it may use */
	uint32_t cpus;       /* number of CPUs of the machine; 0: the affinity does not matter */
};

/* Note a thread's present policy and niceness; call this again from time to time, as described threads are
 * forgotten. */
void sched_priorities_note(struct sched_priorities *p, const struct sched_thread *t);

/* Append a section, in order, and forget the threads in it. */
void sched_priorities_describe(struct sched_priorities *p, struct str *out);
void sched_priorities_describe_affinity(struct sched_priorities *p, struct str *out);

void sched_priorities_free(struct sched_priorities *p);

#endif
