/* offcpu_options: what the command line says to collect offcpu. */
#ifndef COLLECT_OFFCPU_OFFCPU_OPTIONS_H
#define COLLECT_OFFCPU_OFFCPU_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/opts.h"

struct offcpu_options {
	uint64_t min_ns, max_ns;   /* of a block; max_ns 0 in the table: not given */
	uint32_t states;           /* 1 << enum recording_state */
	uint64_t timeout_ns;       /* 0: none */
	uint64_t watch_ns;         /* 0: record */
	uint64_t wakers;           /* hops; 0: none */
	int64_t max_threads;
	bool events;               /* each block for itself */
	bool at_return;            /* for tests: as Linux before 6.16 */
	bool counts;               /* for tests: of the lines of --watch */
	const char *cgroup;
};

extern struct offcpu_options offcpu_options;
extern const struct opt offcpu_option_table[];

/* Check them and set defaults; wrong usage exits 2.  command: NULL, or the COMMAND. */
void offcpu_options_check(char **command);

/* "sleeping", "blocked-io", ...: what collapse calls an enum recording_state that is
 * one of a blocked thread; NULL for others. */
const char *blocked_state_name(uint32_t state);

#endif
