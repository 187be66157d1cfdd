/* seen: since when and until when a recording looked, at which CPUs, and which stretches of
 * that time it missed: what a chart over time must not show as if nothing had happened.
 *
 * A stretch is missed:
 * lost         The kernel found a CPU's ring full and says so (PERF_RECORD_LOST, and
 *              LOST_SAMPLES when it has a time) with the first record that has room again:
 *              from the CPU's sample before it to the one after it.  Or a BPF program did
 *              (RECORDING_GAPS): spans of time that ended in the stretch, on any CPU.
 * throttled    The event was paused, from PERF_RECORD_THROTTLE to UNTHROTTLE.
 * not-sampled  The clock that samples a CPU, also when it idles, did not tick for several
 *              periods: the CPU was off, or its host gave it to another machine.
 * unwritten    The disk was full: from the last sample on.
 *
 * A reader that came late lost nothing unless the ring was full: then there is a LOST
 * record.  Threads that a BPF program did not track are counted in the header only. */
#ifndef COLLAPSE_PERFDATA_SEEN_H
#define COLLAPSE_PERFDATA_SEEN_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/cpu_set.h"
#include "collapse/perfdata/perfdata.h"

enum { SEEN_ALL_CPUS = UINT32_MAX };

/* A stretch of time, in the clock of the records; end_ns is excluded. */
struct gap {
	uint64_t start_ns, end_ns;
	uint32_t cpu;  /* or SEEN_ALL_CPUS */
	uint64_t lost; /* records; 0: nobody knows how many */
	const char *why;
};

struct seen {                    /* {0} is empty */
	uint64_t from_ns, to_ns; /* of the records; to_ns is excluded; 0, 0: no record has a time */
	struct gap *gaps;        /* [count], by start; those of a CPU for one reason are apart */
	size_t count, cap;
	struct cpu_set cpus; /* that were looked at; none: that is not known */
};

/* Walk all records of d; event is the one that is used, NULL: several. */
void seen_read(struct seen *s, const struct perfdata *d, const struct recorded_event *event, const struct clock *clock);

void seen_free(struct seen *s);

#endif
