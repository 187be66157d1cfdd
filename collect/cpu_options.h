/* cpu_options: what the command line of "collect cpu" says. */
#ifndef COLLECT_CPU_OPTIONS_H
#define COLLECT_CPU_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/targets.h"
#include "core/opts.h"

struct cpu_options {
	bool all, user, kernel, wait, until_exit, no_inherit;
	struct selection selection;
	const char *cpus, *output;  /* cpus: "0-3,5", NULL: all */
	struct text_list events;
	int64_t hz, period;         /* 0: not given */
	uint64_t duration_ns, ring_size; /* 0: not given */
	char **command;             /* NULL: none */
};

/* Parse, and check all that can be known without looking at the system; wrong
 * usage exits 2. */
void cpu_options_parse(struct cpu_options *o, int argc, char **argv);

#endif
