/* source: what fills a recording: "pyrograph collect NAME".  Several can fill one
 * ("collect cpu,sched,offcpu").  A source is a file of its own and a row in main.c;
 * collection.c runs those that were asked for:
 *
 *     check, prepare, { retarget }, start, begin, { drain, tick }, end, stop, verdict, free
 */
#ifndef COLLECT_RUN_SOURCE_H
#define COLLECT_RUN_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/opts.h"

struct collection;

struct source {
	const char *name;          /* the word behind "collect" */
	const char *about;         /* one line for --help */
	const char *examples;      /* whole lines for its own --help */
	const struct opt *options; /* its own, beside those of all (collection.c); ended by
				    * {0}; may be NULL.  A name may be in several sources
				    * ("min"): it is then given to each of them. */
	const char *const *cgroup; /* what its --cgroup was given; NULL: it has no such option */
	bool looks_at_everybody;   /* names and mappings of all processes are wanted, also
				    * when only some are recorded: usurpers, wakers */

	/* Why it cannot be used on this machine with the rights that we have, in a few
	 * words; NULL if it can.  Says nothing; may be NULL. */
	const char *(*obstacle)(void);

	/* Any of these may be NULL.  Those that return int return 0, or -1 after a
	 * message, which ends the run. */

	/* Do the options fit together?  If not, it is wrong usage.  May set defaults. */
	void (*check)(struct collection *c);
	/* Targets are known.  Get everything ready: add events to c->events, load the
	 * BPF program.  The recording does not exist yet. */
	int (*prepare)(struct collection *c);
	/* The targets of prepare() have ended before they could be opened, and others were found: --wait.  c->events stay,
	 * but for what they look at. */
	int (*retarget)(struct collection *c);
	/* The recording is there.  From here on nothing may be missed. */
	int (*start)(struct collection *c);
	/* All have started: measure from now on, so that they begin together.  The command
	 * waits still.  (One that needs no such thing measures since start().) */
	int (*begin)(struct collection *c);
	/* A file descriptor given to session_add_data() has something to read. */
	int (*drain)(struct collection *c);
	/* A second has passed: flush what was summed up. */
	int (*tick)(struct collection *c);
	/* So many of its spans of time have found no room in a ring, so far; while it runs
	 * and once it is stopped. */
	uint64_t (*lost)(void);
	/* Measure until end_ns (CLOCK_MONOTONIC), in the near future; come back at once. */
	void (*end)(struct collection *c, uint64_t end_ns);
	/* Stop measuring, at end_ns, which was some moments ago; flush all that there is. */
	int (*stop)(struct collection *c, uint64_t end_ns);
	/* The recording is written: say what there is to say, on stderr (or stdout if it
	 * is what the user asked for).  Returns the exit status: 0, or one of its own. */
	int (*verdict)(struct collection *c);
	void (*free)(void);
};

#endif
