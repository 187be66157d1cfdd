/* perfmap: names of JIT-compiled code from /tmp/perf-PID.map, the text file
 * that JIT compilers write for profilers: "START SIZE NAME", hexadecimal
 * (linux/tools/perf/Documentation/jit-interface.txt). */
#ifndef CORE_SYMBOLS_PERFMAP_H
#define CORE_SYMBOLS_PERFMAP_H

#include <stddef.h>

#include "core/symbols/places.h"

/* Open the map of a process: in the process's own mount and pid namespace while
 * it lives, else in /tmp.  It must be a regular file with one link, owned by
 * the process's user, by root or by us, and not be reached through a symbolic
 * link.  Returns a descriptor, or -1 with *why in a few words (static). */
int perfmap_open(int pid, const char **why);

/* Name wanted[0..count), sorted by address, from the map fd; of entries that
 * overlap the last one wins.  *bad_lines counts lines that make no sense.
 * Returns 0, or -1 if fd could not be read. */
int perfmap_resolve(int fd, struct place *wanted, size_t count, struct arena *names,
		    size_t *bad_lines);

#endif
