/* sched_look: now and then has ongoing waits charged, while it is still known which threads had the CPU
 * (bpf/sched.h: the program keeps the last SCHED_SLICES of each CPU). */
#ifndef COLLECT_SCHED_SCHED_LOOK_H
#define COLLECT_SCHED_SCHED_LOOK_H

#include <stdint.h>

#include "collect/sched/sched_program.h"

enum { SCHED_LOOK_NS = 100000000 }; /* interval between calls of sched_look_busy() */

struct sched_looker { /* {0}, then program */
	struct sched_program *program;
	uint32_t *heads;            /* by CPU: the head of its slices at the last look */
	struct sched_look *batches; /* by CPU: the batch that is being filled */
	uint32_t *counts;           /* by CPU: number of threads in its batch */
	bool unknown;               /* the state of some threads is unknown */
};

/* Charge all waiting threads, before an epoch ends, so that it includes their time. */
void sched_look_all(struct sched_looker *l);

/* Charge the threads that wait for CPUs with so many switches that some would otherwise be forgotten. */
void sched_look_busy(struct sched_looker *l);

void sched_look_free(struct sched_looker *l);

#endif
