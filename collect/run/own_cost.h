/* own_cost: what recording costs: our own CPU time, with that of children who have ended, and that of our BPF programs,
 * where the kernel lets us count it.  Not in it: interrupts that take samples. */
#ifndef COLLECT_RUN_OWN_COST_H
#define COLLECT_RUN_OWN_COST_H

#include <stdbool.h>
#include <stdint.h>

struct own_cost {                     /* {0}, then own_cost_begin() */
	uint64_t begin_ns, cpu_ns;    /* CLOCK_MONOTONIC, and our CPU time, at the begin of a window */
	uint64_t end_ns, end_cpu_ns;  /* when its share was taken; 0: not yet */
	int stats;                    /* open while the kernel counts the time of BPF programs; -1: it does not */
	uint64_t counted_ns, bpf_ns;  /* since when the kernel counts, and what it had counted then */
	double bpf_share;             /* of one CPU, as last counted */
	bool bpf_counted, bpf_denied; /* was it counted; or may we not */
};

/* A window begins at the time when the share of the one before was taken, so that the cost of completing that one
 * belongs to this one. */
void own_cost_begin(struct own_cost *o);

/* Call now and then.  The time of BPF programs is counted between two calls in each window: counting costs, too. */
void own_cost_tick(struct own_cost *o);

/* The share of one CPU since own_cost_begin(). */
double own_cost_share(struct own_cost *o);

/* Our CPU time so far, in ns. */
uint64_t own_cpu_ns(void);

/* Our resident memory that no file backs, in bytes; 0: unknown. */
uint64_t own_memory(void);

void own_cost_end(struct own_cost *o);

#endif
