/* options: the options of "pyrograph collect" that all sources share. */
#ifndef COLLECT_RUN_OPTIONS_H
#define COLLECT_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/java/java_maps.h"
#include "collect/machine/targets.h"
#include "collect/owners/owner_choice.h"
#include "collect/run/source.h"

struct collect_options {
	bool all, wait, until_exit, no_inherit, dry_run, no_watchdog, force;
	bool lanes;          /* already handled when the sources were chosen: collect_options_look(); ... */
	const char *between; /* ... as was this; NULL: not given */
	const char *between_of;
	struct selection selection;
	struct owner_choice owners;          /* part of selection */
	const char *cpus, *output;           /* cpus: "0-3,5", NULL: all */
	const char *threads;                 /* a regular expression; NULL: all threads */
	uint64_t duration_ns, ring_size;     /* 0: not given */
	uint64_t keep_ns, after_ns, rest_ns; /* of the flight recorder; 0: not given */
	int64_t most;
	const char *min_word;    /* --min of the sources; NULL: not given */
	const char *budget_word; /* NULL: not given ... */
	double budget;           /* set from it by collect_options_check(): share of each CPU for stacks of spans; 0:
				  * take all stacks */
	const char *then;
	bool report;
	struct text_list whens, when_lines;
	char **command;         /* NULL: none */
	const char *jvm_word;   /* NULL: not given ... */
	enum jvm_way jvm;       /* ... set by collect_options_check() */
	const char *jvm_inline; /* NULL: not given ... */
	bool jvm_certain;       /* set in the same way: show only inlined methods that are certain */
};

/* Parse the shared options into o, and the options of each source into the variables that its table names.  An option
 * that several sources have is set in all of them.  Wrong usage exits 2. */
void collect_options_parse(struct collect_options *o, const struct source *const *sources, size_t count, int argc,
			   char **argv);

/* Sources that a shared option adds, and this option. */
#define COLLECT_LANES "lanes"
#define COLLECT_LANES_OPTION "lanes"
#define COLLECT_WINDOWS "windows"
#define COLLECT_WINDOWS_OPTION "between"

/* The flight recorder's option, which adds the sources that see its conditions. */
#define COLLECT_WHEN_OPTION "when"

/* Looks up an option before parsing, like opts_look() in core/opts.h, to learn whether it adds sources.  sources: all
 * that may be added. */
const char *collect_options_look(const char *option, const struct source *const *sources, size_t count, int argc,
				 char **argv, int *at);

/* Check what can be checked without looking at the system; wrong usage exits 2. */
void collect_options_check(struct collect_options *o);

#endif
