/* noise_program: loads bpf/noise.bpf.c, and reads what it has summed up. */
#ifndef COLLECT_NOISE_NOISE_PROGRAM_H
#define COLLECT_NOISE_NOISE_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "bpf/noise.h"
#include "collect/machine/cpus.h"

struct noise_source {
	struct noise_key key;
	struct noise_sum sum;
};

/* {0} is empty.  The times of all sources of a CPU add up to wall_ns. */
struct noise_sources {
	struct noise_source *items; /* [count] */
	size_t count, cap;
	uint64_t wall_ns;
	uint64_t missed; /* events that came while a program was at work on their CPU: their time counts as another's */
	uint64_t unplaced; /* times that sources had no room for */
};

/* The id of a thread that is not known, since nothing happened on its CPU. */
#define NOISE_UNSEEN UINT64_MAX

/* Load, attach and begin.  budget_ns: for noise_sum.over; 0: none.  Returns 0, or -1 after a message. */
int noise_program_start(const struct cpus *cpus, uint64_t budget_ns);

/* Read the sums, once; what goes on is counted until now.  Returns 0, or -1 after a message. */
int noise_program_stop(const struct cpus *cpus, struct noise_sources *sources);

void noise_sources_free(struct noise_sources *sources);

#endif
