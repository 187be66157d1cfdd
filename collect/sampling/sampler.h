/* sampler: perf events, opened and running, with their rings. */
#ifndef COLLECT_SAMPLING_SAMPLER_H
#define COLLECT_SAMPLING_SAMPLER_H

#include "collect/machine/cpus.h"
#include "collect/machine/targets.h"
#include "collect/recording/event.h"
#include "collect/sampling/rings.h"

struct sampler {                /* {0} is not open */
	struct rings rings;
	const struct cpus *cpus; /* of the rings */
	int *fds;
	size_t fd_count, fd_cap;
	int *leaders;           /* one fd for each target: it hangs up with its heirs */
	size_t leader_count, leader_cap;
};

/* All targets have ended: nothing was said. */
enum { SAMPLER_GONE = -2 };

/* Get ready to open events: rings for all CPUs (all must outlive s); attributes that an old kernel does not
 * know are left out.  Takes its time.  Returns 0, SAMPLER_GONE, or -1 after a message.  The rest as of sampler_open(). */
int sampler_prepare(struct sampler *s, struct events *events, const struct cpus *all,
		    const struct cpus *cpus, const struct targets *targets, const struct sampling *how);

/* Open events, configured and still stopped, on cpus (those for everywhere on all CPUs), for all
 * threads when targets is NULL or the event is for everybody, else for the targets.  Their ids are put
 * into them.  Events that are ours are passed over, and targets that have ended.  Returns 0, SAMPLER_GONE, or -1
 * after a message. */
int sampler_open(struct sampler *s, struct events *events, const struct cpus *cpus,
		 const struct targets *targets, const struct sampling *how);

/* A CPU came back, or is there for the first time: open there what has gone with it, or was not there, and start it.
 * chosen: not left out by -C.  New events have the ids of older ones.  Returns 0, or -1: not all could be. */
int sampler_add_cpu(struct sampler *s, struct events *events, int cpu, bool chosen, const struct targets *targets);

/* Does this machine have the event?  Nothing is said. */
bool sampler_probe(const struct event *e);

void sampler_start(void);
void sampler_stop(void);

/* Records that were dropped since the start, as the events count it (Linux 6.0);
 * LOST records tell only of losses that another record followed. */
uint64_t sampler_dropped(const struct sampler *s);

void sampler_free(struct sampler *s);

#endif
