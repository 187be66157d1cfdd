/* lane_diag: the queues of the targets' sockets where a BPF program may not look at them: their state at each look, by
 * socket_diag.h.
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
#include "collect/machine/targets.h"
#include "core/map.h"
#include "core/str.h"

struct lane_diag_rules {
	const struct targets *targets; /* NULL: all processes, or those of the control group */
	const char *cgroup;            /* --cgroup; NULL: none */
	bool inherit;                  /* what targets start are targets, too */
	bool (*is_target)(pid_t pid);  /* a program that sees each fork knows; NULL: there is none */
	pid_t command;                 /* a target; 0: none */
};

enum { DIAG_PROTOCOLS = 2 }; /* TCP, UDP */

struct diag_sockets {
	struct diag_socket *list;
	size_t count, cap;
};

struct lane_diag_space { /* a network namespace */
	uint64_t inode;
	int fd;                                    /* negative: it could not be opened, an errno */
	struct diag_sockets known[DIAG_PROTOCOLS]; /* of the targets, as the last dump found them */
};

/* Work that is repeated, the more rarely the longer it takes. */
struct lane_diag_turn {
	uint64_t from_ns; /* not earlier */
	uint64_t last_ns;
	uint64_t done, put_off;
};

struct lane_diag_protocol {
	struct lane_diag_turn dump, look;
	struct map asked; /* files that were there at the last dump, by inode: 1 */
	bool has_new;     /* targets have others */
};

struct lane_diag {
	struct lane_diag_rules rules;
	struct lane_diag_space *spaces;
	size_t space_count, space_cap;
	struct lane_diag_protocol protocols[DIAG_PROTOCOLS];
	struct lane_diag_turn scan;
	struct map targets, others; /* processes of the last scan: 1 */
	struct map owners;          /* of files that are sockets, by inode: the process */
	struct str cgroup;          /* its directory */
	int protocol;               /* that is being looked at, in ... */
	struct lane_diag_space *space;
	void (*take)(void *context, const struct lane_socket *s);
	void *context;
};

/* Begin; the targets of rules must outlive d.  Returns NULL, or why there will be nothing. */
const char *lane_diag_begin(struct lane_diag *d, const struct lane_diag_rules *rules);

/* A look: call take for each socket of the targets that is known; its id stays the same. */
void lane_diag_look(struct lane_diag *d, void (*take)(void *context, const struct lane_socket *s), void *context);

/* Looks that left out sockets, because their number made them expensive. */
uint64_t lane_diag_put_off(const struct lane_diag *d);

/* Namespaces of targets that we may not enter. */
size_t lane_diag_closed_spaces(const struct lane_diag *d);

void lane_diag_free(struct lane_diag *d);

#endif
