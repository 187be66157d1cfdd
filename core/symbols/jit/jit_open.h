/* jit_open: opens the files that JIT compilers write for profilers, /tmp/perf-PID.map and jit-PID.dump.
 *
 * Anybody can write to /tmp.  The file must be a regular one with one link, owned by the
 * process's user, by root or by us, and not be reached through a symbolic link.  Pids are
 * reused, quickly in containers: it must not be older than its process. */
#ifndef CORE_SYMBOLS_JIT_JIT_OPEN_H
#define CORE_SYMBOLS_JIT_JIT_OPEN_H

#include <stdbool.h>
#include <stdint.h>

extern const char JIT_NOT_THERE[];

/* Open the perf map of a process (path NULL), or the dump that it has mapped from path: in the
 * process's own mount and pid namespace while it lives, else here.  born_ns: when the process was
 * forked, by CLOCK_MONOTONIC, or 0; it is needed only if the process is gone.  Returns a descriptor, or -1
 * with *why in a few words (static): JIT_NOT_THERE, or why it is not trusted. */
int jit_open(int pid, const char *path, uint64_t born_ns, const char **why);

/* The pid of a process as it sees itself. */
int jit_own_pid(int pid);

/* May the process still write to its file? */
bool jit_maker_lives(int pid);

#endif
