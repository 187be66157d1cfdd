/* same_boot: was a recording made on this machine, since it was booted?
 *
 * Only then do kernel addresses, process numbers and paths mean the same here: otherwise names must
 * not be looked up on this machine.  The answer is no if any part of the recording does not match
 * this machine: host, kernel release, processor; the kernel's build-id and where it was loaded; times
 * later than now, a file written before this boot.  It is yes only if something proves it:
 *
 *     host and release                     as perf record notes them
 *     a pair (monotonic, wall clock)       in our recordings, and perf's with -k: this machine booted at that moment
 *     the time of the last sample          if it is as long ago as the last write to the file */
#ifndef COLLAPSE_PERFDATA_SAME_BOOT_H
#define COLLAPSE_PERFDATA_SAME_BOOT_H

#include <stdbool.h>

#include "collapse/perfdata/clock.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sideband.h"
#include "core/str.h"

/* If the answer is no, *why is set to the reason, with its consequences for names. */
bool is_same_boot(const struct perfdata *d, const struct sideband *s, const struct clock *clock, struct str *why);

#endif
