/* spinner: threads that do nothing but read the clock, one on each CPU, to see how long they are kept from doing so.
 *
 *     clock   | | | | |          | | | | | |      | | | |
 *     events           in softirq                          (noise_program_events())
 *                      `- gap -'            `gap-'
 *
 * If there is an event of software in a gap, the BPF program saw the cause.  Otherwise the cause is invisible to it:
 * the hypervisor or firmware had the CPU, or the hardware stopped.  The kernel's osnoise tracer tells hardware noise in
 * the same way (Documentation/trace/osnoise-tracer.rst). */
#ifndef COLLECT_NOISE_SPINNER_H
#define COLLECT_NOISE_SPINNER_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/machine/cpus.h"

struct spinner_gap {
	uint64_t begin_ns, end_ns; /* CLOCK_MONOTONIC */
	int cpu, tid;
	bool has_cause; /* in software */
};

/* What a CPU's thread saw. */
struct spinner_seen {
	int cpu, tid;
	uint64_t gaps, gaps_ns, longest_ns, longest_at_ns;
	uint64_t bare, bare_ns; /* of these, without a cause in software */
	uint64_t untold;        /* gaps that found no room until they were taken */
};

/* Start a thread on each of the CPUs, which looks for gaps of min_ns or more.  Returns 0, or -1 after a message. */
int spinners_start(const struct cpus *cpus, uint64_t min_ns);

/* Gaps count from the first time to the second (CLOCK_MONOTONIC); a gap that crosses one of these counts in part. */
void spinners_begin(uint64_t begin_ns);
void spinners_end(uint64_t end_ns);

/* Pass the gaps since the last call, in the order of their CPUs.  Gaps with a cause are passed if they are over_ns or
 * longer. */
void spinners_take(void (*take)(const struct spinner_gap *gap));

/* Gaps with a cause in software are reported from this length on; call this before the threads are started. */
void spinners_tell(uint64_t over_ns);

/* The thread on CPU number i of those given. */
const struct spinner_seen *spinner_seen(size_t i);

/* End the threads; gaps can still be taken. */
void spinners_stop(void);

void spinners_free(void);

#endif
