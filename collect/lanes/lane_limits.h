/* lane_limits: control groups that limit CPU time: what each allows, and how long it has stopped its threads. */
#ifndef COLLECT_LANES_LANE_LIMITS_H
#define COLLECT_LANES_LANE_LIMITS_H

#include "collect/lanes/lane_list.h"
#include "collect/machine/procfs.h"
#include "core/str.h"

struct lane_limit_rules {
	const char *mounts;         /* /sys/fs/cgroup */
	const char *cgroup;         /* the directory of a group: those in it and above it; NULL: none */
	const struct pids *targets; /* the groups of these processes, and those above them; NULL: none */
	pid_t command;              /* likewise; 0: none */
	bool everybody;             /* all groups */
};

struct lane_limits { /* {0} is valid and empty */
	struct limited_group {
		struct str directory;
		uint32_t limit, throttled, periods; /* lanes */
		uint64_t throttled_ns, times;       /* of cpu.stat, at time_ns */
		uint64_t time_ns;
		bool lives;
	} * groups;
	size_t count, cap;
	uint64_t found_ns, looked_ns;
	struct str text; /* of the last file read */
};

/* Note the values at time_ns.  Called more often than ten times a second, it does nothing. */
void lane_limits_look(struct lane_limits *g, struct lane_list *l, const struct lane_limit_rules *rules,
		      uint64_t time_ns);

void lane_limits_free(struct lane_limits *g);

#endif
