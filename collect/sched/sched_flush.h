/* sched_flush: turns the sums of the scheduler-state program into samples. */
#ifndef COLLECT_SCHED_SCHED_FLUSH_H
#define COLLECT_SCHED_SCHED_FLUSH_H

#include <stdint.h>

#include "collect/recording/sums.h"
#include "collect/sched/sched_isolated.h"
#include "collect/sched/sched_priorities.h"
#include "collect/sched/sched_program.h"

/* Unwritten time of a thread that stays in its state for long, and is therefore written only now and then. */
struct sched_pending {
	uint64_t begin_ns, end_ns, ns, longest_ns;
	uint32_t key;
};

struct sched_flush { /* {0}, then set the first five */
	struct sched_program *program;
	const struct event *event;     /* RECORDING_SCHED */
	bool events;                   /* spans are samples of their own, all or the long ones */
	struct isolated *isolated;     /* gets the time on CPUs; NULL: nobody does */
	bool some_cpus;                /* count only time on the chosen CPUs */
	struct sched_pending *pending; /* by slot */
	bool *busy;                    /* by CPU: a thread other than the idle one runs there */
	struct sched_priorities priorities;
	uint64_t flushes;
	struct sums sums[2]; /* sums of cells, by bank, until the next flush */
	uint32_t patience;   /* flushes between writes of an inactive thread */
	struct str out;      /* samples, for the recording */
	uint64_t open_spans;
	uint64_t awake_ns, waited_ns; /* totals over all samples: running or waiting for a CPU; waiting for a CPU */
	uint64_t others_ns;           /* time of open waits that was not attributed to a thread */
	uint64_t last_epoch_ns;       /* start of the epoch before the present one */
};

/* Append the epoch that ended when the present one, of `bank`, began to out. */
void sched_flush_epoch(struct sched_flush *f, unsigned bank, uint64_t begin_ns, uint64_t end_ns);

/* Once the program has stopped at end_ns, append the rest to out. */
void sched_flush_rest(struct sched_flush *f, uint64_t end_ns);

/* Append a record of the ring to out. */
void sched_flush_record(struct sched_flush *f, const struct sched_record *r);

void sched_flush_free(struct sched_flush *f);

#endif
