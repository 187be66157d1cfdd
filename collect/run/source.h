/* source: what fills a recording: "pyrograph collect NAME".  Several sources can fill one recording ("collect
 * cpu,sched,offcpu").  A source is a folder and a row in main.c; collection.c runs those that were chosen:
 *
 * check, prepare, { retarget }, start, begin, look, { drain, tick }, end, stop, verdict, free */
#ifndef COLLECT_RUN_SOURCE_H
#define COLLECT_RUN_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/opts.h"

struct collection;
struct recording;
struct span_program;

/* Functions for sources whose BPF program measures spans of time: collect/spans/span_program.h. */
struct source_life {
	const char *(*obstacle)(const struct span_program *p);
	const void *(*object)(const struct span_program *p, size_t *size);
	int (*start)(struct span_program *p, struct collection *c);
	void (*begin)(struct span_program *p, struct collection *c);
	int (*drain)(struct span_program *p, struct collection *c);
	int (*tick)(struct span_program *p, struct collection *c);
	uint64_t (*lost)(const struct span_program *p);
	uint64_t (*missed)(const struct span_program *p);
	void (*end)(struct span_program *p, uint64_t end_ns);
};

/* The cost of an event that a source looks at, for --dry-run, which counts such events. */
struct source_price {
	const char *event; /* as for -e: "page-faults", "sched:sched_waking"; NULL: samples, or the end of the list */
	uint32_t ns, stack_ns; /* measured on the development machine; stack_ns counts against --budget */
};

struct source {
	const char *name;          /* the word after "collect" */
	const char *about;         /* one line for --help */
	const char *examples;      /* whole lines for its own --help */
	const struct opt *options; /* its own options, besides the shared ones (options.c); ended by {0}; may be NULL.
				    * If several sources have an option of the same name ("min"), each gets the
				    * value. */
	uint64_t *single_ns; /* spans at least this long are recorded one by one; 0: none are.  NULL: the source has no
			      * spans */
	const char *const *cgroup; /* value of the source's --cgroup; NULL: it has no such option */
	bool looks_at_everybody;   /* needs names and mappings of all processes even when only some are recorded:
				    * for usurpers, wakers */

	bool has_account; /* has a budget for its stacks: --budget limits their cost (collect/spans/span_budget.h) */

	bool on_any_cpu; /* its records do not belong to a CPU, so -C does not limit it, and the user is told so */

	const struct source_price *prices; /* NULL: unknown */

	/* Defaults for functions that the source does not define; NULL: there are none. */
	const struct source_life *life;
	struct span_program *program;

	/* Why the source cannot be used on this machine with our rights, in a few words; NULL if it can.  Prints
	 * nothing; may be NULL. */
	const char *(*obstacle)(void);

	/* Its BPF program, which says what it needs of the kernel (collect/bpf/bpf_needs.h); NULL: it needs no more than
	 * perf events. */
	const void *(*object)(size_t *size);

	/* Any of these functions may be NULL.  Those returning int return 0, or -1 after a message, which ends the
	 * run. */

	/* Check that the options fit together; if not, wrong usage.  May set defaults. */
	void (*check)(struct collection *c);
	/* Targets are known now.  Prepare: add events to c->events, load the BPF program.  The recording does not
	 * exist yet. */
	int (*prepare)(struct collection *c);
	/* With --wait: the targets of prepare() ended before they could be opened, and others were found.
	 * c->events stay, except for their targets. */
	int (*retarget)(struct collection *c);
	/* The recording exists.  From now on, nothing may be missed. */
	int (*start)(struct collection *c);
	/* All sources have started.  Measure from c->begin_ns on, which is in the near future, so that all begin
	 * together; return at once.  Perf events begin at the same time.  The command still waits.  (A source with
	 * neither begin() nor look() measures from start() on.) */
	void (*begin)(struct collection *c);
	/* c->begin_ns has passed: look for spans that went on at that time. */
	int (*look)(struct collection *c);
	/* A recorded CPU is back, or new: open on it what is open on the other CPUs. */
	int (*add_cpu)(struct collection *c, int cpu);
	/* A file descriptor given to session_add_data() has something to read. */
	int (*drain)(struct collection *c);
	/* A second has passed: flush sums. */
	int (*tick)(struct collection *c);
	/* A snapshot is about to be written while the source goes on (watch, flight recorder): write open spans, too,
	 * if their rest can be added later. */
	int (*complete)(struct collection *c);
	/* c->recording.files has forgotten the files before its present generation: forget their numbers. */
	void (*forget_files)(struct collection *c);
	/* Number of spans lost so far because a ring was full; may be called while the source runs, and once it has
	 * stopped. */
	uint64_t (*lost)(void);
	/* Number of events so far at which the kernel did not run the source's BPF program, because it was already
	 * running on that CPU.  May be called whenever lost() may. */
	uint64_t (*missed)(void);
	/* Measure until end_ns (CLOCK_MONOTONIC), in the near future; return at once. */
	void (*end)(struct collection *c, uint64_t end_ns);
	/* Add the sections with names that samples refer to.  Called before a recording is finished. */
	void (*describe)(struct collection *c, struct recording *r);
	/* Stop measuring, as of end_ns, which was moments ago; flush everything. */
	int (*stop)(struct collection *c, uint64_t end_ns);
	/* The recording is written: report findings on stderr (stdout if the user asked for them).  Returns the
	 * exit status: 0, or the source's own. */
	int (*verdict)(struct collection *c);
	void (*free)(void);
};

/* The results of obstacle(), object(), lost() and missed(); NULL, NULL, 0 and 0 if the source lacks the function. */
const char *source_obstacle(const struct source *s);
const void *source_object(const struct source *s, size_t *size);
uint64_t source_lost(const struct source *s);
uint64_t source_missed(const struct source *s);

/* Losses of BPF programs up to now: sums of lost() and missed(). */
struct source_losses {
	uint64_t spans, events;
};

#endif
