/* rights: why the kernel refuses to sample, and the command that changes it. */
#ifndef COLLECT_RIGHTS_H
#define COLLECT_RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>

#include "collect/event.h"

/* Explain errno err of perf_event_open(2) for event e on a CPU (or -1) and a
 * thread (-1: all threads).  Returns -1. */
int explain_open_failure(const struct event *e, pid_t tid, int cpu, int err);

/* Explain what collector NAME needs to load its BPF program.  Returns -1. */
int explain_bpf_rights(const char *name);

/* Is CAP_... (linux/capability.h) in effect? */
bool have_capability(int capability);

/* May we sample the kernel?  No means that exclude_kernel must be set. */
bool may_sample_kernel(void);

/* What we had when we were started, and what a command that we start gets. */
struct limits {
	unsigned long files; /* RLIMIT_NOFILE, soft; 0: not known */
	int nice;
};

/* Use as many file descriptors as we are allowed to.  Be served before those who are looked at, if we may:
 * with hundreds that want a CPU our turn would come too rarely to keep up. */
void limits_raise(struct limits *before);

/* In a child: as it was. */
void limits_restore(const struct limits *before);

#endif
