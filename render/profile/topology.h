/* topology: a machine's CPUs by core, package and node, from the folded header (FOLDED_TOPOLOGY,
 * core/format/folded.h):
 *
 *     0 package=0 core=0 node=0; 1 package=0 core=1 node=0 isolated nohz_full irqs=24:eth0-rx-0 */
#ifndef RENDER_PROFILE_TOPOLOGY_H
#define RENDER_PROFILE_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

enum { TOPOLOGY_CPUS_MAX = 8192 }; /* CPUs beyond that are left out */

struct topology_cpu {
	uint32_t number;
	uint32_t package, core, node; /* 0 if not given */
	bool isolated, nohz_full;
	char *irqs; /* "24:eth0-rx-0,25:eth0-tx-0"; NULL: none */
};

struct topology {                  /* {0} has no CPUs */
	struct topology_cpu *cpus; /* by node, package, core and number */
	size_t count, cap;
};

/* Read the header's value; NULL: the header has none.  Invalid entries, and further ones for the same CPU, are
 * ignored. */
void topology_read(struct topology *t, const char *text);

/* The CPU with this number, or NULL. */
const struct topology_cpu *topology_find(const struct topology *t, uint32_t number);

/* Append "node 0, package 1". */
void topology_place_add(struct str *out, const struct topology_cpu *cpu);

/* Append "package 0, core 3, node 0, isolated, nohz_full, interrupts 24:eth0-rx-0". */
void topology_words_add(struct str *out, const struct topology_cpu *cpu);

/* The number in a frame of root `cpu`: "cpu3".  Returns false if it has none. */
bool topology_cpu_number(const char *frame, size_t len, uint32_t *number);

void topology_free(struct topology *t);

#endif
