/* seen: the time and the CPUs that a recording observed, and the gaps in it: periods whose samples are
 * missing, so that a chart over time does not show them as if nothing had happened.
 *
 * Reasons for a gap:
 * lost         A CPU's ring was full, which the kernel reports with the first record that fits
 *              again (PERF_RECORD_LOST, and LOST_SAMPLES if it has a time): the gap lasts from the
 *              CPU's sample before that record to the one after it.  Or the ring of a BPF program
 *              was full (RECORDING_GAPS): spans of time that ended in the gap are missing, on any CPU.
 * throttled    The event was paused, from PERF_RECORD_THROTTLE to UNTHROTTLE.
 * not-sampled  The clock that samples a CPU, even an idle one, did not tick for several of its
 *              periods: the CPU was off, or its host gave it to another machine.
 * unwritten    The disk was full: from the last sample on.
 *
 * Late reads are not gaps: if a ring became full, there is a LOST record, too.  Threads that a BPF
 * program did not track are counted only in the header. */
#ifndef COLLAPSE_PERFDATA_SEEN_H
#define COLLAPSE_PERFDATA_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/record.h"
#include "core/str.h"

/* A set of CPU numbers. */

enum { CPUS_MAX = 1 << 16 }; /* numbers from here on are not CPUs */

struct cpu_set {   /* {0} is empty */
	bool *has; /* [count] */
	size_t count, cap;
};

void cpu_set_add(struct cpu_set *s, uint32_t cpu);

/* Add the CPUs of a PERF_RECORD_CPU_MAP: those that perf observed. */
void cpu_set_add_map(struct cpu_set *s, const struct record *r);

/* Append the set as text, "0-3,6". */
void cpu_set_write(const struct cpu_set *s, struct str *out);

void cpu_set_free(struct cpu_set *s);

enum { SEEN_ALL_CPUS = UINT32_MAX };

/* A period of time, in the clock of the records; its end, end_ns, is excluded. */
struct gap {
	uint64_t start_ns, end_ns;
	uint32_t cpu;  /* or SEEN_ALL_CPUS */
	uint64_t lost; /* records; 0: unknown number */
	const char *why;
};

struct seen {                    /* {0} is empty */
	uint64_t from_ns, to_ns; /* the observed time, without to_ns itself; 0, 0: no record has a time */
	struct gap *gaps;        /* [count], by start; gaps of one CPU with the same reason do not overlap */
	size_t count, cap;
	struct cpu_set cpus; /* that were observed; empty: not known */
};

/* Walk all records of d; event is the chosen event, NULL: several. */
void seen_read(struct seen *s, const struct perfdata *d, const struct recorded_event *event, const struct clock *clock);

void seen_free(struct seen *s);

#endif
