/* lane_diag: the queues of the targets' sockets at each look, by socket_diag.h, for when a BPF program may not look at
 * them.
 *
 *     scan    which processes are targets, and which files of theirs are sockets (/proc/PID/fd)
 *     dump    all sockets of their network namespaces: finds those that are new
 *     look    asks for each socket that is known */
#ifndef COLLECT_LANES_LANE_DIAG_H
#define COLLECT_LANES_LANE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/lanes.h"
#include "collect/lanes/socket_diag.h"
#include "collect/machine/cgroup.h"
#include "collect/machine/targets.h"
#include "core/map.h"
#include "core/str.h"

struct lane_diag_rules {
	const struct targets *targets; /* pids; NULL: all processes, or those of the control group */
	const char *cgroup;            /* --cgroup; NULL: none */
	bool inherit;                  /* what targets start are targets, too */
	bool (*is_target)(pid_t pid);  /* asks a BPF program that sees each fork; NULL: there is none */
	pid_t command;                 /* a target; 0: none */
};

enum { DIAG_PROTOCOLS = 2 }; /* TCP, UDP */

struct diag_sockets {
	struct diag_socket *list;
	size_t count, cap;
};

struct lane_diag_space { /* a network namespace */
	uint64_t inode;
	int fd;                                    /* negative: an errno, as it could not be opened */
	struct diag_sockets known[DIAG_PROTOCOLS]; /* sockets of the targets, as the last dump found them */
};

/* Work that is repeated; the longer it takes, the more rarely. */
struct lane_diag_turn {
	uint64_t from_ns; /* not earlier */
	uint64_t last_ns;
	uint64_t done, put_off;
};

struct lane_diag_protocol {
	struct lane_diag_turn dump, look;
	struct map asked; /* inode -> 1, for files that were there at the last dump */
	bool has_new;     /* targets have others */
};

struct lane_diag {
	struct lane_diag_rules rules;
	struct lane_diag_space *spaces;
	size_t space_count, space_cap;
	struct lane_diag_protocol protocols[DIAG_PROTOCOLS];
	struct lane_diag_turn scan;
	struct map targets, others; /* processes of the last scan: 1 */
	struct map owners;          /* inode -> process, for files that are sockets */
	struct cgroup_found cgroup;
	int protocol; /* that is being looked at, in ... */
	struct lane_diag_space *space;
	void (*take)(void *context, const struct lane_socket *s);
	void *context;
};

/* Begin; the targets of rules must outlive d.  Returns NULL, or why there will be nothing. */
const char *lane_diag_begin(struct lane_diag *d, const struct lane_diag_rules *rules);

/* A look: call take for each known socket of the targets.  The id of a socket stays the same. */
void lane_diag_look(struct lane_diag *d, void (*take)(void *context, const struct lane_socket *s), void *context);

/* Number of looks that left out sockets, because there were too many to look at. */
uint64_t lane_diag_put_off(const struct lane_diag *d);

/* Number of the targets' namespaces that we may not enter. */
size_t lane_diag_closed_spaces(const struct lane_diag *d);

void lane_diag_free(struct lane_diag *d);

#endif
