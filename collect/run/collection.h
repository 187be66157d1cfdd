/* collection: a run of "pyrograph collect": the sources that were asked for
 * (collect/run/source.h), the recording that they fill, and what they share. */
#ifndef COLLECT_RUN_COLLECTION_H
#define COLLECT_RUN_COLLECTION_H

#include "collect/java/java_maps.h"
#include "collect/java/jit_maps.h"
#include "collect/java/thread_filter.h"
#include "collect/java/thread_names.h"
#include "collect/machine/command.h"
#include "collect/machine/cpus.h"
#include "collect/machine/rights.h"
#include "collect/machine/session.h"
#include "collect/machine/targets.h"
#include "collect/recording/event.h"
#include "collect/recording/kept_files.h"
#include "collect/recording/spans.h"
#include "collect/recording/writer.h"
#include "collect/run/gaps.h"
#include "collect/run/options.h"
#include "collect/run/source.h"
#include "collect/sampling/hotplug.h"
#include "collect/sampling/sampler.h"

/* What the sources' check() may set. */
struct source_wishes {
	bool no_recording;         /* nothing is written, and there are no names and mappings, only what the source
				    * itself does (opt.output is NULL unless given) */
	bool choose_stacks;        /* whether user stacks are copied, stack_choice.h says ... */
	int64_t stack_hz;          /* ... at so many samples a second; 0: not known */
	bool frame_pointers;       /* no stack is to be walked */
	uint32_t stack_bytes;      /* of the user stacks that are copied; later what was chosen */
	uint32_t ring_stack_bytes; /* rings hold many samples of so much stack */
};

/* What is open, from the outermost in. */
struct collection {
	const struct source *const *sources;
	size_t source_count;
	struct collect_options opt; /* as given; opt.all also when an option of a source chooses; ring_size is
				     * known once prepare() is called */
	struct source_wishes wish;
	bool whole_machine;       /* or whatever runs on some of its CPUs: no targets */
	struct session session;
	struct limits limits;     /* before we raised them */
	struct cpus all_cpus;     /* that run */
	struct cpus cpus;         /* those that -C chose, else all that run */
	bool waits_again;         /* --wait: it was said that what was found has ended */
	struct targets targets;   /* of -p, -t, --name; a COMMAND is not among them */
	struct command command;   /* forked, and waiting, when prepare() is called */
	struct events events;     /* prepare() adds to it; complete afterwards */
	size_t side_band;         /* the number of the one that tells of mappings, names, ... */
	struct sampler sampler;
	struct recording recording;
	struct walker *walker;    /* NULL: nothing is to be walked */
	struct kept_files kept_files;
	struct jit_maps jit_maps;
	struct java_maps java_maps;
	struct gaps gaps;
	struct hotplug hotplug;
	struct thread_names names;
	struct thread_filter *filter; /* of --threads; NULL: all are kept */
	uint64_t start_ns;        /* CLOCK_MONOTONIC; set when start() is called */
	uint64_t ns;              /* how long; set when stop() is called */
};

/* "pyrograph collect NAME,NAME ..." with those sources.  Returns the exit status. */
int collection_run(const struct source *const *sources, size_t count, int argc, char **argv);

/* For event_configure(): targets and rings as they are; rate and such are left to
 * the source. */
struct sampling collection_sampling(const struct collection *c);

/* Whom to look at, as long as c lives; NULL is everybody. */
static inline const struct targets *collection_targets(const struct collection *c)
{
	return c->whole_machine ? NULL : &c->targets;
}

#endif
