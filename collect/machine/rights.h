/* rights: what the kernel lets us do (collect/recording/refusal.h: why not, and what helps). */
#ifndef COLLECT_MACHINE_RIGHTS_H
#define COLLECT_MACHINE_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

/* Up to this value of kernel.perf_event_paranoid, the mainline default, every kernel lets users measure their own
 * processes and, with CAP_PERFMON, anything.  Debian and Ubuntu use 3 and 4; above 2 they require CAP_SYS_ADMIN for all
 * perf events (a patch: debian/features/all/security-perf-allow-further-restriction-...). */
enum { PARANOID_OPEN = 2 };

struct rights {
	int64_t paranoid;         /* kernel.perf_event_paranoid */
	bool admin, perfmon, bpf; /* effective capabilities; admin implies all */
	bool closed;              /* every perf event is refused, even a dummy event on ourselves */
};

struct rights rights_read(void);

/* Are perf events denied by the sysctl, rather than by seccomp or the like? */
bool rights_closed_by_sysctl(const struct rights *r);

/* May we load BPF programs for tracing? */
bool rights_may_load(const struct rights *r);

/* Uprobes require CAP_SYS_ADMIN; from Linux 5.8 to 6.15, except in late stable updates, CAP_PERFMON was enough ("perf:
 * Revert to requiring CAP_SYS_ADMIN for uprobes", 6.16).  So we try it out. */
enum uprobe_right { UPROBE_ALLOWED, UPROBE_FORBIDDEN, UPROBE_NONE /* the kernel has no uprobe events */ };
enum uprobe_right uprobe_right(void);

/* The type of uprobe events for perf_event_open(2); 0: the kernel has none. */
uint32_t uprobe_type(void);

/* Is CAP_... (linux/capability.h) in effect? */
bool have_capability(int capability);

/* May we sample the kernel?  If not, exclude_kernel must be set. */
bool may_sample_kernel(void);

/* Our own limits as they were before we changed them; a command that we start gets them back. */
struct limits {
	unsigned long files; /* RLIMIT_NOFILE, soft; 0: not known */
	int nice;
};

/* Use as many file descriptors as allowed.  Raise our priority above that of the targets, if we may: otherwise, with
 * hundreds of runnable threads, we would get the CPU too rarely to keep up. */
void limits_raise(struct limits *before);

/* Restore the limits, in a child. */
void limits_restore(const struct limits *before);

#endif
