/* rights: what the kernel lets us do.  Why not, and what helps: collect/recording/refusal.h. */
#ifndef COLLECT_MACHINE_RIGHTS_H
#define COLLECT_MACHINE_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

/* Up to this kernel.perf_event_paranoid, a plain kernel's default, all kernels give perf events of their own
 * processes to anybody, and the others for CAP_PERFMON.  Debian's and Ubuntu's have 3 and 4, and above 2 they
 * want CAP_SYS_ADMIN for all of them (a patch: debian/features/all/security-perf-allow-further-restriction-...). */
enum { PARANOID_OPEN = 2 };

struct rights {
	int64_t paranoid;         /* kernel.perf_event_paranoid */
	bool admin, perfmon, bpf; /* capabilities in effect; admin is all of them */
	bool closed;              /* any perf event is refused, even one that counts nothing, of ourselves */
};

struct rights rights_read(void);

/* Closed by the sysctl: not by seccomp, ... */
bool rights_closed_by_sysctl(const struct rights *r);

/* BPF programs that look at the kernel. */
bool rights_may_load(const struct rights *r);

/* For uprobes Linux wants CAP_SYS_ADMIN; from 5.8 to 6.15, but for late updates of these, CAP_PERFMON did ("perf:
 * Revert to requiring CAP_SYS_ADMIN for uprobes", 6.16).  So the kernel is asked. */
enum uprobe_right { UPROBE_ALLOWED, UPROBE_FORBIDDEN, UPROBE_NONE /* no such events */ };
enum uprobe_right uprobe_right(void);

/* The type of such events for perf_event_open(2); 0: the kernel has none. */
uint32_t uprobe_type(void);

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
