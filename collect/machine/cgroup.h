/* cgroup: which control groups there are, and where their files are, in versions 1 and 2. */
#ifndef COLLECT_MACHINE_CGROUP_H
#define COLLECT_MACHINE_CGROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* A line of /proc/PID/cgroup, "HIERARCHY:CONTROLLERS:PATH": "4:cpu,cpuacct:/docker/5f" in version 1, "0::/a" in version
 * 2. */
struct cgroup_line {
	const char *controllers, *path;
	size_t controllers_len, path_len; /* controllers_len 0: version 2 */
	unsigned int hierarchy;           /* its number; 0: version 2 */
};

/* Take the next line from text, and skip what is none.  Returns false at the end. */
bool cgroup_next(const char **text, struct cgroup_line *line);

/* Is the controller, such as "cpu", one of those of the line's hierarchy? */
bool cgroup_has_controller(const struct cgroup_line *line, const char *controller);

/* Call look() with the directory of each group that may limit a process by the controller: its groups in that
 * controller's hierarchy and in that of version 2, and the groups above them, up to and including the mount point.
 * groups: text of /proc/PID/cgroup; mounts: where the hierarchies are mounted, /sys/fs/cgroup. */
void cgroup_walk_up(const char *groups, const char *mounts, const char *controller,
		    void (*look)(void *argument, const char *directory), void *argument);

/* Set root to where the hierarchy of a controller is mounted: its own, or that of version 2.  groups: the file
 * /proc/self/cgroup.  Returns false if there is none. */
bool cgroup_controller_root(const char *groups, const char *mounts, const char *controller, struct str *root);

/* Read the file of a group to text.  Returns false if there is none, or it is empty. */
bool cgroup_read(const char *directory, const char *file, struct str *text);

struct cpu_limit { /* quota_us 0: none */
	uint64_t quota_us, period_us;
	unsigned int version; /* of control groups */
};

/* The CPU time that a group allows: cpu.max of version 2, cpu.cfs_quota_us of version 1
 * (Documentation/admin-guide/cgroup-v2.rst, Documentation/scheduler/sched-bwc.rst). */
struct cpu_limit cgroup_cpu_limit(const char *directory);

/* A control group that was asked for. */
struct cgroup_found {           /* {0} is valid and empty */
	struct str path;        /* its directory */
	unsigned int hierarchy; /* the number of its hierarchy, of version 1; 0: version 2 */
};

/* Find a control group by its directory, or by its path below the mount point of version 2, of the controller cpu, or of
 * another one of version 1.  Returns 0, or -1 after a message. */
int cgroup_find(const char *name, struct cgroup_found *found);

/* Set path to the same group for perf_event_open(2), which wants that of its own hierarchy.  Returns false if there is
 * none. */
bool cgroup_for_perf(const struct cgroup_found *found, struct str *path);

void cgroup_found_free(struct cgroup_found *found);

#endif
