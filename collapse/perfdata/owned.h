/* owned: whose processes are, in a recording (RECORDING_OWNERS): control groups, and their containers and pods. */
#ifndef COLLAPSE_PERFDATA_OWNED_H
#define COLLAPSE_PERFDATA_OWNED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "core/map.h"
#include "core/regexp.h"
#include "core/str.h"

struct owner_text { /* points into the recording; len 0: unknown */
	const char *text;
	size_t len;
};

struct owner_group {
	struct owner_text path;
	struct owner_text container_id, container; /* its name */
	struct owner_text pod_uid, space, pod;     /* its namespace and name */
	uint64_t quota_us, period_us;              /* CPU time that it may use in each period; 0: no limit */
	unsigned limit_version;                    /* the version of control groups with that limit; 0: not known */
	bool in_container, in_pod;
};

struct owned_span;

/* What an owner's frame says. */
enum owner_kind {
	OWNER_GROUP,
	OWNER_UNIT,
	OWNER_CONTAINER,
	OWNER_POD,
	OWNER_NAMESPACE,
	OWNER_CHOICES, /* an option selects each of those above */
	OWNER_CONTAINER_ID = OWNER_CHOICES,
	OWNER_POD_UID,
	OWNER_KINDS
};

struct owned {                      /* {0} is valid and empty */
	struct owner_group *groups; /* [group_count], by number */
	size_t group_count, group_cap;
	struct owned_span *spans; /* of processes, as in the recording */
	size_t span_count, span_cap;
	struct map by_pid;                    /* place of the last span of a process + 1 */
	struct regexp *wanted[OWNER_CHOICES]; /* patterns of --container and the like, owned; NULL: all */
	bool chooses;                         /* one of them is there */
	uint8_t *matches; /* [group_count], once it chooses: 0: not tried yet, 1: no match, 2: match */
};

void owned_read(struct owned *o, const struct perfdata *d);

/* The group that a process was in at a time; NULL: unknown.  Valid until o is freed. */
const struct owner_group *owned_find(const struct owned *o, int pid, uint64_t time_ns);

/* Append the group's name as a root of this kind shows it: "prod/shop-7f9c".  Returns false, and appends nothing, if
 * the group is not of this kind. */
bool owner_add(const struct owner_group *group, enum owner_kind kind, struct str *out);

/* Append whose it is in words, "pod shop-7f9c of namespace prod"; nothing if it is neither in a container nor in a unit
 * whose name tells more than the name of the program. */
void owner_add_words(const struct owner_group *group, const char *program, struct str *out);

/* Append what its CPU limit is, and whose it is: "0.5 CPUs, pod prod/shop-7f9c". */
void owner_add_limit(const struct owner_group *group, struct str *out);

/* Only processes whose owner matches pattern, which is freed with o. */
void owned_choose(struct owned *o, enum owner_kind kind, struct regexp *pattern);

/* Does a group match what was chosen?  NULL matches nothing. */
bool owned_group_is_wanted(const struct owned *o, const struct owner_group *group);

/* Does the owner of a process match what was chosen? */
bool owned_is_wanted(struct owned *o, int pid, uint64_t time_ns);

void owned_free(struct owned *o);

#endif
