/* expense: what a recording costs the machine and the recorded programs: our own CPU time, the run time of our BPF
 * programs, and the interrupts that take samples.
 *
 * We have the kernel count the time of BPF programs only for a twentieth of the time (in short recordings, always),
 * since counting costs, too.  An interrupt's cost is measured on ourselves (collect/sampling/sample_cost.h).  Traps of
 * uprobes are not included, nor is what we do once the recording has ended. */
#ifndef COLLECT_RUN_EXPENSE_H
#define COLLECT_RUN_EXPENSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/machine/targets.h"
#include "collect/recording/tally.h"
#include "core/str.h"

struct expense_programs { /* what the kernel has counted of our BPF programs */
	uint64_t runs, ns;
};

/* Of one CPU. */
struct expense_pace {
	double own, bpf;
};

/* {0}, then expense_begin() */
struct expense {
	const struct targets *targets; /* NULL: the whole machine */
	pid_t command;                 /* a target, too; 0: none */
	uint64_t begin_ns, own_ns;     /* CLOCK_MONOTONIC, and our CPU time */
	uint64_t end_ns;               /* 0: it goes on */
	uint64_t recorded_ns;          /* CPU time of the targets, or of all, at the begin */
	uint64_t recorded_until_ns;    /* the same as last seen, since processes may end */

	int *programs; /* descriptors of our BPF programs */
	size_t program_count, program_cap;
	int stats;                  /* a descriptor that is open while the kernel counts; 0: it does not */
	bool always;                /* it counts in any case */
	bool denied;                /* it never does */
	bool counts;                /* now */
	uint64_t since_ns, next_ns; /* since when the kernel counts, or when to count again */
	struct expense_programs before, counted;
	uint64_t counted_ns; /* for how long it did, before since_ns */
	double bpf_share;    /* of one CPU, as last counted */

	uint64_t pace_ns, pace_own_ns; /* at the last expense_pace(): CLOCK_MONOTONIC, and our CPU time without
				        * children */

	/* As of expense_look(). */
	uint64_t wall_ns, cpus;
	uint64_t took_ns, bpf_ns, samples_ns; /* our own CPU time; estimated for the whole time */
	uint64_t used_ns;                     /* CPU time of the targets, or of all others; 0: unknown */
};

/* Count from now on or, unless expense_end() was called, from the last expense_look() on, so that what is done between
 * two windows belongs to one of them.  targets: valid until expense_free(). */
void expense_begin(struct expense *e, const struct targets *targets, pid_t command);

/* Call this now and then, ideally several times a second. */
void expense_turn(struct expense *e);

/* The latest time for the next expense_turn(), in ns from now; most_ns: the maximum. */
uint64_t expense_wait_ns(const struct expense *e, uint64_t most_ns);

/* What we took since the last call, or since expense_begin(), without our children; and what our BPF programs took, as
 * last counted. */
struct expense_pace expense_pace(struct expense *e);

/* The recording ends now, while the programs are still loaded. */
void expense_end(struct expense *e);

/* What was taken since expense_begin().  tally has counted the samples since then, each of which copied stack_bytes of
 * stack. */
void expense_look(struct expense *e, const struct tally *tally, uint64_t copied_bytes);

/* The share of one CPU that we and our BPF programs took, as of expense_look(). */
double expense_share(const struct expense *e);

/* Append, as of expense_look(): "1.8 % of the machine; the targets ran 0.6 % slower (estimated)". */
void expense_say(const struct expense *e, struct str *out);

/* Append, as of expense_look(), that BPF programs took more than the budget, which is a share of each CPU (0: none);
 * nothing if they did not. */
void expense_say_excess(const struct expense *e, double budget, struct str *out);

/* Append the section RECORDING_COST, as of expense_look(). */
void expense_format(const struct expense *e, struct str *out);

void expense_free(struct expense *e);

/* Our CPU time so far, with that of children who have ended, but for recorded commands, in ns. */
uint64_t own_cpu_ns(void);

#endif
