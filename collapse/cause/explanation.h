/* explanation: what is written about the findings in a recording, as text for people or as JSON for programs.
 *
 *     2 CPUs, 4.013 s from 2026-11-22T22:39:46.732991434Z on: 0.53 CPUs were busy, 0.48 of them with faults-5408
 *
 *     1. request-1 and 2 others waited for a lock, caused by cache-refresher: with_the_book > rebuild_index,
 *        which ran meanwhile
 *        18 waits of faults-5408, 3.492 s in all; the longest: request-1, 290 ms, at 2026-11-22T22:40:11.433636831Z
 *        Look at: what with_the_book > rebuild_index does while it holds what others need
 *
 * A function has the one that called it before it. */
#ifndef COLLAPSE_CAUSE_EXPLANATION_H
#define COLLAPSE_CAUSE_EXPLANATION_H

#include <stdio.h>

#include "collapse/cause/findings.h"
#include "collapse/fold/names.h"
#include "collapse/perfdata/sideband.h"
#include "core/str.h"

struct explanation {
	struct sideband *sideband; /* names of threads */
	const struct names *names; /* ... and of functions */
	const struct history *history;
	const struct findings *findings;
	size_t shown; /* at most so many findings */
};

/* Those that are worth a person's time: they cost at least a hundredth of the recording's. */
size_t explanation_count(const struct explanation *e);

/* Append the name of a thread, "cache-refresher", and of its process, "faults-5408". */
void explanation_thread(const struct explanation *e, uint32_t thread, struct str *out);
void explanation_process(const struct explanation *e, uint32_t thread, struct str *out);

/* Append "with_the_book > rebuild_index". */
void explanation_function(const struct explanation *e, struct frames_function f, struct str *out);

/* Append a finding in one sentence, without a full stop. */
void explanation_headline(const struct explanation *e, const struct finding *f, struct str *out);

/* CPUs that were seen, and CPU time of all threads of the process of this thread, or of all threads (HISTORY_NONE). */
size_t explanation_cpus(const struct explanation *e);
uint64_t explanation_ran(const struct explanation *e, uint32_t thread);

/* The process that used most CPU time: one of its threads; HISTORY_NONE: nobody did. */
uint32_t explanation_busiest(const struct explanation *e);

void explanation_text_write(FILE *out, const struct explanation *e);

/* One object: {"from":..., "to":..., "cpus":2, "busy_cpus":0.53, "findings":[{"kind":"ran", "wait":"lock",
 * "headline":..., "guilty":{...}, "function":..., ...}]}.  Times are wall-clock times, lengths of time are in ns. */
void explanation_json_write(FILE *out, const struct explanation *e);

#endif
