/* wallclock: times as people read and write them.
 * Instants are nanoseconds since 1970-01-01T00:00:00Z. */
#ifndef CORE_WALLCLOCK_H
#define CORE_WALLCLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "core/str.h"

#define NS_PER_SEC 1000000000ull

/* Append e.g. "2026-11-21T10:15:02.000000000Z". */
void wallclock_add(struct str *out, uint64_t epoch_ns);

/* Append e.g. "1795342502.000000000": seconds and nanoseconds. */
void wallclock_add_seconds(struct str *out, uint64_t ns);

/* What a clock of clock_gettime(2) shows. */
uint64_t clock_ns(int clock);

/* A point in time, as in --from and --to. */
struct instant {
	enum { INSTANT_NONE, INSTANT_EPOCH, INSTANT_FROM_START, INSTANT_BEFORE_END, INSTANT_CLOCK } kind;
	uint64_t ns; /* counted since the epoch; since the start; before the end; since local midnight */
};

/* Accepts "2026-11-21T10:15:02.5Z" (also +01:00, or local without a zone, or a
 * blank for the T), "@1795342502.5" and "1795342502.5" (seconds since the
 * epoch), "10:15:02.5" (that day, local), "2.5", "1500ms", "+3s" (after the
 * start), "-10s" (before the end).  A clock time may lack its seconds.
 * Returns false if text is anything else. */
bool instant_parse(const char *text, struct instant *when);

/* The meaning of when, as epoch_ns, for a recording of start_ns..end_ns. */
uint64_t instant_resolve(const struct instant *when, uint64_t start_ns, uint64_t end_ns);

#endif
