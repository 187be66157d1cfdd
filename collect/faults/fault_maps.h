/* fault_maps: the path of the file that a process has mapped at an address.  Since Linux 6.11 the kernel is asked about
 * this one address.  With older kernels, or if another file is mapped there by now, /proc/PID/maps is read: once for
 * all files in it, and no more than a tenth of the time if new files keep being mapped. */
#ifndef COLLECT_FAULTS_FAULT_MAPS_H
#define COLLECT_FAULTS_FAULT_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"
#include "core/str.h"

/* The file that a page belongs to, as BPF saw it. */
struct fault_place {
	int pid;
	uint64_t address, inode;
	uint32_t device;  /* as in the kernel: major << 20 | minor */
	const char *name; /* of the file, without directories; cut at FAULTS_NAME - 1 bytes; "": unknown */
};

struct fault_maps {             /* {0} is empty */
	bool cannot_ask;        /* the kernel is older */
	int pid;                /* what follows is of this process */
	struct str text;        /* its maps; lines refer to them */
	struct map_line *lines; /* by address, those with files */
	size_t count, cap;
	struct intern inodes; /* uint64_t, by number */
	uint32_t *line_of;    /* [inodes.count] a line */
	size_t inode_cap;
	uint64_t rest_until_ns; /* not read again before; CLOCK_MONOTONIC */
	uint64_t reads, asked;
};

enum fault_maps_answer {
	FAULT_MAPS_FOUND,
	FAULT_MAPS_NONE,  /* not there, or its process has ended */
	FAULT_MAPS_LATER, /* not to be read again so soon: call again at the next fault */
};

/* Append the path of the file at the page.  A filesystem in layers, as in containers, shows other inodes here than to BPF:
 * then address and name decide. */
enum fault_maps_answer fault_maps_path(struct fault_maps *m, const struct fault_place *place, struct str *path);

void fault_maps_free(struct fault_maps *m);

#endif
