/* offcpu_options: the options of collect offcpu. */
#ifndef COLLECT_OFFCPU_OFFCPU_OPTIONS_H
#define COLLECT_OFFCPU_OFFCPU_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/bpf/detail.h"
#include "core/opts.h"

struct offcpu_options {
	uint64_t min_ns, max_ns; /* of a block; max_ns 0: no maximum */
	uint32_t states;         /* bits: 1 << enum recording_state */
	uint64_t single_ns;      /* blocks of this length are recorded one by one; 0: --events decides */
	uint64_t timeout_ns;     /* 0: none */
	uint64_t watch_ns;       /* 0: record */
	uint64_t wakers;         /* number of hops; 0: none */
	int64_t max_threads;
	struct detail detail; /* which blocks are recorded by themselves */
	bool at_return;       /* for tests: behave as on Linux before 6.16 */
	bool counts;          /* for tests: counts in the lines of --watch */
	const char *cgroup;
};

extern struct offcpu_options offcpu_options;
extern const struct opt offcpu_option_table[];

/* Check the options and set defaults; wrong usage exits 2.  command: NULL, or the COMMAND. */
void offcpu_options_check(char **command);

/* Was each block asked for by itself? */
bool offcpu_options_want_all(void);

/* collapse's name for a state of blocked threads ("sleeping", "blocked-io", ...); NULL for other states. */
const char *blocked_state_name(uint32_t state);

#endif
