/* sampler: open perf events and their rings. */
#ifndef COLLECT_SAMPLING_SAMPLER_H
#define COLLECT_SAMPLING_SAMPLER_H

#include "collect/machine/cpus.h"
#include "collect/machine/targets.h"
#include "collect/recording/event.h"
#include "collect/sampling/rings.h"

struct sampler { /* {0}: nothing is open */
	struct rings rings;
	struct rings watch_rings; /* rings of events that are only watched for their end; they stay empty */
	const struct cpus *cpus;  /* the CPUs that have rings */
	int *fds;
	size_t fd_count, fd_cap;
	int *leaders; /* one fd per target, which hangs up when the target and its children have ended; none if unwatched
		       * and only events on CPUs are open */
	size_t leader_count, leader_cap;
};

/* All targets have ended; nothing was printed. */
enum { SAMPLER_GONE = -2 };

/* Prepare to open events: make rings for all CPUs (`all` must outlive s), and drop attributes that an old kernel does
 * not know.  Slow.  Returns 0, SAMPLER_GONE, or -1 after a message.  Other parameters: see sampler_open(). */
int sampler_prepare(struct sampler *s, struct events *events, const struct cpus *all, const struct cpus *cpus,
		    const struct targets *targets, const struct sampling *how);

/* Open events, configured but stopped, on cpus (on all CPUs if e->everywhere), for all threads if targets is NULL
 * or e->everybody, else for the targets.  Fills in their ids.  Skips our own events and targets that have ended.
 * Returns 0, SAMPLER_GONE, or -1 after a message. */
int sampler_open(struct sampler *s, struct events *events, const struct cpus *cpus, const struct targets *targets,
		 const struct sampling *how);

/* A CPU came online: open and start events there. chosen: -C does not leave out this CPU.  New events keep the ids of
 * older ones.  Returns 0, or -1 if some could not be opened. */
int sampler_add_cpu(struct sampler *s, struct events *events, int cpu, bool chosen, const struct targets *targets);

/* Does this machine support the event?  Prints nothing. */
bool sampler_probe(const struct event *e);

/* May we open the event, as it is configured, for all threads on a CPU?  Prints nothing. */
bool sampler_probe_cpu(const struct event *e, int cpu);

void sampler_start(void);
void sampler_stop(void);

/* Records dropped since the start, as counted by the events (Linux 6.0).  LOST records do not suffice: they report a
 * loss only once another record follows. */
uint64_t sampler_dropped(const struct sampler *s);

void sampler_free(struct sampler *s);

#endif
