/* collection: a run of "pyrograph collect": the sources chosen (collect/run/source.h), the recording that they
 * fill, and what they share. */
#ifndef COLLECT_RUN_COLLECTION_H
#define COLLECT_RUN_COLLECTION_H

#include "collect/java/java_maps.h"
#include "collect/java/jit_maps.h"
#include "collect/java/thread_filter.h"
#include "collect/java/thread_names.h"
#include "collect/owners/owners.h"
#include "collect/machine/command.h"
#include "collect/machine/cpus.h"
#include "collect/machine/rights.h"
#include "collect/machine/session.h"
#include "collect/machine/targets.h"
#include "collect/recording/event.h"
#include "collect/recording/kept_files.h"
#include "collect/recording/spans.h"
#include "collect/recording/writer.h"
#include "collect/run/expense.h"
#include "collect/run/flight.h"
#include "collect/run/gaps.h"
#include "collect/run/options.h"
#include "collect/run/ring_share.h"
#include "collect/run/source.h"
#include "collect/run/watch_windows.h"
#include "collect/run/watchdog.h"
#include "collect/sampling/hotplug.h"
#include "collect/sampling/sampler.h"

/* What the check() of a source may set. */
struct source_wishes {
	bool no_recording;         /* do only the source's own work: write nothing, and collect no names and mappings
				    * (opt.output is NULL unless given) */
	bool choose_stacks;        /* stack_choice.h decides whether user stacks are copied */
	int64_t stack_hz;          /* samples per second, for stack_choice.h; 0: unknown */
	bool frame_pointers;       /* walk no stacks: the user said so */
	uint32_t stack_bytes;      /* bytes of each user stack to copy: at first as asked for, later as chosen */
	uint32_t ring_stack_bytes; /* rings hold many samples with this much stack */
	/* Not set by a source: */
	uint32_t bpf_ring_most;  /* maximum bytes of the ring of a BPF program; 0: no limit */
	struct ring_share rings; /* what memory is free for them */
};

/* Everything that is open, outermost first. */
struct collection {
	const struct source *const *sources;
	size_t source_count, added_count; /* added: number of the last ones, which the user did not name */
	struct collect_options opt;       /* as given; a source's option that selects targets also sets opt.all;
					   * ring_size is known once prepare() is called */
	struct source_wishes wish;
	bool whole_machine; /* record all processes, or all on some CPUs, so there are no targets */
	struct session session;
	struct limits limits;   /* as they were before we raised them */
	struct cpus all_cpus;   /* CPUs that are online */
	struct cpus cpus;       /* CPUs chosen by -C, else all that are online */
	bool waits_again;       /* --wait: it was reported that the earlier targets have ended */
	struct targets targets; /* targets from -p, -t, --name, without COMMAND */
	struct command command; /* forked and waiting when prepare() is called */
	struct events events;   /* prepare() adds events; complete after that */
	size_t side_band;       /* index of the event that reports mappings, names and so on */
	struct sampler sampler;
	struct recording recording;
	struct walker *walker; /* NULL: no stacks are walked */
	struct kept_files kept_files;
	struct jit_maps jit_maps;
	struct java_maps java_maps;
	struct gaps gaps;
	struct hotplug hotplug;
	struct thread_names names;
	struct owners owners;
	/* Set likewise: more threads are targets from now on. */
	int (*add_targets)(const struct targets *targets);
	bool (*is_target)(uint32_t tid); /* set by a source's prepare(): asks a BPF program that follows targets; NULL:
				       * there is none */
	struct thread_filter *filter;    /* from --threads; NULL: all threads are kept */
	struct expense expense;          /* with --keep those since the begin, else those of the present recording */
	struct flight flight;            /* with --keep */
	struct watch_windows windows;    /* pyrograph watch */
	struct watchdog watchdog;        /* unless opt.no_watchdog */
	uint64_t start_ns;               /* CLOCK_MONOTONIC; set when start() is called */
	uint64_t begin_ns;               /* the time from which all sources measure; set when begin() is called */
	uint64_t ns;                     /* duration of the recording; set when stop() is called */
};

/* Run "pyrograph collect NAME,NAME ..." with these sources, the last of which were added because of conditions of the
 * flight recorder.  Returns the exit status. */
int collection_run(const struct source *const *sources, size_t count, size_t added, int argc, char **argv);

/* The same for "pyrograph watch", in windows according to plan.  If the recording ended because the plan's level has to
 * change, then the level is changed, *again is true, and the caller should start the recording anew. */
int collection_watch(struct watch_plan *plan, bool *again, const struct source *const *sources, size_t count, int argc,
		     char **argv);

/* For event_configure(): targets and rings; each source sets its rate and the like. */
struct sampling collection_sampling(const struct collection *c);

/* Add facts to a recording that are not in its records: names of threads, of system calls, and so on.  from_ns: leave
 * out gaps that ended earlier. */
void collection_describe(struct collection *c, struct recording *r, uint64_t from_ns);

/* Write what the present recording has cost so far into r. */
void collection_take_stock(struct collection *c);

/* Another recording begins, whose expense is counted from now on. */
void collection_begin_expense(struct collection *c);

/* The targets, valid as long as c; NULL: all processes. */
static inline const struct targets *collection_targets(const struct collection *c)
{
	return c->whole_machine ? NULL : &c->targets;
}

/* Does the run go on for weeks, as a flight recorder or a watch does?  Then its memory must be bounded. */
static inline bool collection_is_always_on(const struct collection *c)
{
	return c->flight.keep_ns || c->windows.plan;
}

#endif
