/* sched_flush: what the program of scheduler states has summed up, as samples. */
#ifndef COLLECT_SCHED_SCHED_FLUSH_H
#define COLLECT_SCHED_SCHED_FLUSH_H

#include <stdint.h>

#include "collect/recording/sums.h"
#include "collect/sched/sched_isolated.h"
#include "collect/sched/sched_program.h"

/* A thread that stays in its state for long is written only now and then; meanwhile: */
struct sched_pending {
	uint64_t begin_ns, end_ns, ns, longest_ns;
	uint32_t key;
};

struct sched_flush {                    /* {0}, then the first five */
	struct sched_program *program;
	const struct event *event;      /* RECORDING_SCHED */
	bool events;                    /* each span is a sample of its own */
	struct isolated *isolated;      /* is told of time on CPUs; NULL: none */
	bool some_cpus;                 /* only time on the CPUs that are wanted counts */
	struct sched_pending *pending;  /* by slot */
	bool *busy;                     /* by CPU: a thread that is not the idle one runs there */
	uint64_t flushes;
	struct sums sums[2];            /* of cells, by bank, until the next flush */
	uint32_t patience;              /* a thread that does nothing is written each so many */
	struct str out;                 /* samples, for the recording */
	uint64_t open_spans;
	uint64_t awake_ns, waited_ns;   /* in all samples: running or waiting for a CPU; waiting */
	uint64_t others_ns;             /* of open waits, that no thread could be told for */
	uint64_t last_epoch_ns;         /* when the epoch before the present one began */
};

/* Append the epoch that ended with the beginning of the present one, bank, to out. */
void sched_flush_epoch(struct sched_flush *f, unsigned bank, uint64_t begin_ns, uint64_t end_ns);

/* Append all that is left, once the program has stopped at end_ns. */
void sched_flush_rest(struct sched_flush *f, uint64_t end_ns);

/* Append a record of the ring. */
void sched_flush_record(struct sched_flush *f, const struct sched_record *r);

void sched_flush_free(struct sched_flush *f);

#endif
