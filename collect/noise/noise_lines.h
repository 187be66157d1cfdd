/* noise_lines: what collect noise prints: a summary, and folded lines as collapse --noise writes them from a recording.
 *
 *     # pyrograph: host=db1 event=noise start=... end=... root=cpu,state,source columns=time,count,longest unit=ns
 *     cpu3;running;worker-8530 9957000000 1211 99870000
 *     cpu3;interrupt;24:eth0 81200 7 15100 */
#ifndef COLLECT_NOISE_NOISE_LINES_H
#define COLLECT_NOISE_NOISE_LINES_H

#include "collect/machine/cpus.h"
#include "collect/noise/noise_program.h"
#include "collect/noise/noise_sources.h"

struct noise_summary {
	const struct noise_sources *sources; /* sorted */
	const struct cpus *cpus;
	uint64_t start_ns, end_ns; /* CLOCK_MONOTONIC */
	const uint64_t *steal_ns;  /* [cpus.count] the time that the hypervisor took, as reported to the kernel */
	bool spins;
	uint64_t min_ns;
	struct noise_losses lost;
};

/* Write the lines to stdout.  Returns 0, or -1 after a message. */
int noise_lines_write(const struct noise_summary *s);

/* Summarise each CPU on stderr. */
void noise_lines_tell(const struct noise_summary *s);

/* Name on stderr all sources of noise that exceeded the budget at least once.  Returns whether there were any. */
bool noise_lines_over(const struct noise_summary *s);

/* Append the wall-clock time of a moment of CLOCK_MONOTONIC. */
void noise_time_add(struct str *out, uint64_t ns);

#endif
