/* watchdog: ends a recording that does more harm than good: its collector gets no CPU, it loses more than it keeps, or
 * the machine swaps.  What was recorded until then is kept. */
#ifndef COLLECT_RUN_WATCHDOG_H
#define COLLECT_RUN_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"

/* Exit status of a recording that was ended. */
enum { WATCHDOG_ENDED = 4 };

/* Sums, as of now_ns (CLOCK_MONOTONIC). */
struct watchdog_reading {
	uint64_t now_ns;
	uint64_t late_ns; /* delays of waits that ended much later than asked for */
	uint64_t samples, lost_samples, spans, lost_spans;
	uint64_t pages_in, pages_out; /* swapped */
	uint64_t stalled_ns;          /* time in which no program ran, since all waited for memory */
	bool stalls_known;            /* the kernel counts that */
};

enum { WATCHDOG_SECONDS = 10, WATCHDOG_LOSING_SECONDS = 5 };

/* {0} */
struct watchdog {
	uint64_t late_ns;                                   /* so far */
	struct watchdog_reading past[WATCHDOG_SECONDS + 1]; /* the oldest first, a second apart at least */
	unsigned count, losing; /* readings; seconds in a row that lost more than they kept */
	struct str why;         /* empty: the recording goes on */
};

/* A wait has ended late_ns later than asked for. */
void watchdog_wake(struct watchdog *w, uint64_t late_ns);

/* Judge the last seconds.  Returns whether the recording has to end; if so, `why` has the reason and what to do. */
bool watchdog_judge(struct watchdog *w, const struct watchdog_reading *now);

/* Read how much the machine has swapped, from vmstat (/proc/vmstat) and pressure (/proc/pressure/memory). */
void watchdog_read_machine(struct watchdog_reading *r, const char *vmstat, const char *pressure);

/* Has a second passed since the last reading? */
bool watchdog_is_due(const struct watchdog *w);

/* now: has the samples and spans since begin_ns.  Read the other figures, and judge.  Returns whether the recording has
 * to end, after a message that says why. */
bool watchdog_look(struct watchdog *w, struct watchdog_reading *now, uint64_t begin_ns);

void watchdog_free(struct watchdog *w);

#endif
