/* same_boot: was a recording made on this machine, since it was booted?
 *
 * Addresses of the kernel, numbers of processes and paths mean something only then: names must not come from
 * this machine for what another one recorded.  It is not, when anything that the recording says is not true
 * here: host, kernel release, processor; the kernel's build-id and where it was loaded; times later than now,
 * a file written before this boot.  And it is only, when something shows it:
 *
 *     host and release                     as perf record notes them
 *     a pair (monotonic, wall clock)       ours has, with -k perf's: this machine booted at that moment
 *     the time of the last sample          is when the file was written, if it was now that many seconds ago */
#ifndef COLLAPSE_PERFDATA_SAME_BOOT_H
#define COLLAPSE_PERFDATA_SAME_BOOT_H

#include <stdbool.h>

#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sideband.h"
#include "core/str.h"

/* When it is not, why gets what contradicts it, and what follows for names. */
bool is_same_boot(const struct perfdata *d, const struct sideband *s, const struct clock *clock, struct str *why);

#endif
