/* options: what the command line of "pyrograph collect" says, to all sources alike. */
#ifndef COLLECT_RUN_OPTIONS_H
#define COLLECT_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/java/java_maps.h"
#include "collect/machine/targets.h"
#include "collect/run/source.h"

struct collect_options {
	bool all, wait, until_exit, no_inherit;
	struct selection selection;
	const char *cpus, *output;  /* cpus: "0-3,5", NULL: all */
	const char *threads;        /* a regular expression; NULL: all */
	uint64_t duration_ns, ring_size; /* 0: not given */
	char **command;             /* NULL: none */
	const char *jvm_word;       /* NULL: not given ... */
	enum jvm_way jvm;           /* ... set by collect_options_check() */
	const char *jvm_inline;     /* NULL: not given ... */
	bool jvm_certain;           /* ... likewise: of inlined methods those that are certain only */
};

/* Parse what is for all into o, and what is for the sources into where their tables
 * say.  A name that several have is set in each of them.  Wrong usage exits 2. */
void collect_options_parse(struct collect_options *o, const struct source *const *sources,
			   size_t count, int argc, char **argv);

/* Check all that can be known without looking at the system; wrong usage exits 2. */
void collect_options_check(struct collect_options *o);

#endif
