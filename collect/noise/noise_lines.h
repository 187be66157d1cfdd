/* noise_lines: what collect noise writes: folded lines, one for each source on each CPU, and a summary.
 *
 *     # pyrograph: host=db1 event=noise root=cpu columns=time,count,longest unit=ns
 *     cpu3;noise;interrupt;24:eth0 81200 7 15100
 *     cpu3;noise;softirq;timer 12345 10 4711
 *     cpu3;run;idle 9987000000 4711 1000200
 *
 * Run is the thread that had the CPU longest, and idle time; all else is noise. */
#ifndef COLLECT_NOISE_NOISE_LINES_H
#define COLLECT_NOISE_NOISE_LINES_H

#include <stdio.h>

#include "collect/noise/noise_program.h"

/* Decide what is run, and sort: by CPU, run or noise, kind, and name.  Call it before the others. */
void noise_lines_prepare(struct noise_sources *sources);

void noise_lines_write(FILE *out, const void *sources);

/* Summarise each CPU on stderr. */
void noise_lines_tell(const struct noise_sources *sources, const struct cpus *cpus);

/* Name on stderr all noise that was once longer than budget_ns.  Returns whether there was any. */
bool noise_lines_over(const struct noise_sources *sources, uint64_t budget_ns);

#endif
