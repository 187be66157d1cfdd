/* owners: the owners of the recorded processes: the control group of each, and what the group stands for: a container,
 * a pod, a unit of systemd (RECORDING_OWNERS).
 *
 * A process's group is read when a record first names the process, and when it executes a program, since service
 * managers and container runtimes move a process before that.  A process that is gone by then gets the group of its
 * parent, unless the parent has children in groups other than its own, since no owner is better than a wrong one. */
#ifndef COLLECT_OWNERS_OWNERS_H
#define COLLECT_OWNERS_OWNERS_H

#include <stddef.h>
#include <stdint.h>

#include "collect/recording/living.h"
#include "collect/recording/records.h"
#include "core/intern.h"
#include "core/map.h"
#include "core/str.h"

struct owners { /* {0} is valid and empty */
	struct new_records records;
	struct intern groups; /* their paths */
	struct str *names;    /* [name_count], by group: its lines of the section, except the path */
	size_t name_count, name_cap;
	struct owned_process *processes; /* in the order in which they were met */
	size_t count, cap;
	struct map by_pid;             /* pid -> place in processes of its last entry, + 1 */
	uint64_t allowed;              /* how many groups may be read now: reading must not slow a storm of processes */
	uint64_t unread;               /* how often a group was not read because of that */
	uint64_t allowed_ns;           /* when `allowed` was last raised, CLOCK_MONOTONIC; 0: never */
	uint64_t last_ns, repeated_ns; /* time of the last record; records up to it are repeated in the next window */
};

/* Note what was appended to the recording at path, which has size bytes. */
void owners_update(struct owners *o, const char *path, uint64_t size);

/* The next window begins with records that were seen already. */
void owners_begin_window(struct owners *o);

/* Append the section RECORDING_OWNERS. */
void owners_format(const struct owners *o, struct str *out);

/* Forget processes that nothing refers to any more. */
void owners_forget(struct owners *o, const struct living *living);

void owners_free(struct owners *o);

/* The most telling path in the text of /proc/PID/cgroup: that of version 2, else that of systemd, else the one that
 * limits CPU time, else the longest.
 * Returns its length; 0: there is none. */
size_t owners_group_path(const char *text, const char **path);

#endif
