#include "collect/run/collection.h"

#include <errno.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/free_memory.h"
#include "collect/machine/procfs.h"
#include "collect/machine/rights.h"
#include "collect/python/python_threads.h"
#include "collect/recording/refusal.h"
#include "collect/run/completion.h"
#include "collect/run/dry_run.h"
#include "collect/run/opening.h"
#include "collect/run/side_band.h"
#include "collect/run/sources.h"
#include "collect/run/stack_choice.h"
#include "collect/run/summary.h"
#include "collect/run/target_end.h"
#include "core/amount.h"
#include "core/giving_way.h"
#include "core/error.h"
#include "core/progress.h"
#include "core/wallclock.h"

/* ---- why a run may have collected no samples ---- */

/* Are all of these processes stopped? */
static bool are_stopped(const struct pids *processes)
{
	for (size_t i = 0; i < processes->count; i++) {
		char state;
		pid_t parent;

		if (!read_stat(processes->list[i], &state, &parent) || state != 'T')
			return false;
	}
	return processes->count;
}

/* Append the reason.  Returns false if it is unknown. */
static bool no_samples_why(const struct collection *c, struct str *out)
{
	const char *threads = c->opt.threads ? c->opt.threads : c->opt.selection.thread;
	const struct pids *processes = &c->targets.processes;

	if (command_is_hidden(&c->command)) {
		str_addf(out,
			 "you may not read %s, or it is set-user-ID: the kernel samples such programs only for root "
			 "(or make a copy that you may read)",
			 c->command.name);
	} else if (!c->whole_machine && !c->opt.command && are_stopped(processes)) {
		str_addf(out, "process %d%s stopped: kill -CONT resumes it", (int)processes->list[0],
			 processes->count > 1 ? ", like all others, is" : " is");
	} else if (threads) {
		str_addf(out, "no thread whose name matches '%s' used any CPU time: does one exist?", threads);
	} else if (c->opt.command && !c->opt.all && c->ns < NS_PER_SEC) {
		str_puts(out, "the command ended after ");
		duration_add(out, c->ns);
	}
	return out->len;
}

/* ---- the collection ---- */

enum {
	/* Stacks are walked, and files kept open, while their processes live. */
	WALK_NS = 100000000,
};

/* ---- events ---- */

struct sampling collection_sampling(const struct collection *c)
{
	return (struct sampling){
		/* Events on CPUs see all processes in any case. */
		.inherit = !c->opt.no_inherit && !c->whole_machine,
		.on_exec = c->opt.command && !c->opt.all,
		.unwatched = c->opt.command || c->opt.until_exit || target_end_is_known(c),
		.ring_size = c->opt.ring_size,
	};
}

/* ---- while it runs ---- */

/* "3 of 10 s, 297 samples, 1.145 MiB, 0 lost" */
static void show_progress(const struct collection *c)
{
	const struct tally *t = &c->recording.tally;
	uint64_t seconds = (monotonic_ns() - c->begin_ns) / NS_PER_SEC, all = c->opt.duration_ns / NS_PER_SEC;
	char of[32] = "";

	if (all && seconds <= all)
		snprintf(of, sizeof(of), " of %" PRIu64, all);
	if (!c->wish.no_recording)
		progress("%" PRIu64 "%s s, %" PRIu64 " samples, %s, %" PRIu64 " lost", seconds, of,
			 t->losses[LOSS_total_samples], size_text(c->recording.data_end).text,
			 t->losses[LOSS_lost_samples]);
}

/* Write the contents of all rings in one round, so that readers can sort. */
static int collection_drain(struct collection *c)
{
	thread_names_hear(&c->names);
	if (sources_drain(c))
		return -1;
	if (c->wish.no_recording)
		return 0;
	gaps_look(&c->gaps, c->sources, c->source_count, monotonic_ns());
	opening_follow_cpus(c);
	if (rings_drain(&c->sampler.rings, &c->recording, c->walker))
		return -1;
	kept_files_update(&c->kept_files, c->recording.own_path, c->recording.data_end);
	thread_names_update(&c->names, c->recording.own_path, c->recording.data_end, false);
	owners_update(&c->owners, c->recording.own_path, c->recording.data_end);
	return 0;
}

/* A pod or a container is joined by processes that no target has started. */
static int collection_find_more(struct collection *c)
{
	struct targets now = { 0 };
	int status = 0;

	if (c->opt.selection.belongs && c->add_targets && targets_find(&now, &c->opt.selection, false))
		status = c->add_targets(&now);
	targets_free(&now);
	return status;
}

/* Called once a second. */
static int collection_tick(struct collection *c)
{
	if (sources_tick(c) || collection_find_more(c))
		return -1;
	if (c->wish.no_recording)
		return 0;
	recording_anchor(&c->recording);
	jit_maps_update(&c->jit_maps, c->recording.own_path, c->recording.data_end, false);
	java_maps_look(&c->java_maps, &c->jit_maps.files);
	thread_names_update(&c->names, c->recording.own_path, c->recording.data_end, true);
	return 0;
}

/* How long to wait for data at most; 0: without limit. */
static uint64_t wait_ns(const struct collection *c)
{
	if (c->windows.plan)
		return watch_windows_wait_ns(c);
	return c->wish.no_recording ? 0 : flight_wait_ns(&c->flight, WALK_NS);
}

/* Call after each wait. */
static bool collection_is_harmful(struct collection *c)
{
	const struct tally *t = &c->recording.tally;
	struct watchdog_reading now = {
		.samples = t->losses[LOSS_total_samples] - t->samples_of_spans,
		.lost_samples = t->losses[LOSS_lost_samples],
	};

	watchdog_wake(&c->watchdog, c->session.late_ns);
	if (c->opt.no_watchdog || !watchdog_is_due(&c->watchdog))
		return false;
	now.lost_spans = sources_losses(c).spans;
	for (size_t i = 0; i < TALLY_EVENTS; i++)
		now.spans += t->spans[i];
	return watchdog_look(&c->watchdog, &now, c->begin_ns);
}

/* Record until the end.  Returns 0, or -1 after a message: the recording cannot be written any more, or a source
 * failed. */
static int collection_record(struct collection *c)
{
	int wake, turned;

	collection_is_harmful(c);
	for (;;) {
		wake = session_wait(&c->session, wait_ns(c));
		expense_turn(&c->expense);
		if (wake & SESSION_OVER || collection_is_harmful(c))
			return 0; /* without waiting: collection_stop() takes the rest */
		if ((collection_drain(c) || ((wake & SESSION_TICK) && collection_tick(c))) && !watch_windows_survive(c))
			return -1;
		if (c->flight.keep_ns && flight_turn(c, wake))
			return -1;
		turned = c->windows.plan ? watch_windows_turn(c) : 0;
		if (turned)
			return turned < 0 ? -1 : 0;
		show_progress(c);
	}
}

/* End the recording; frees everything, even after a failure. */
static int collection_stop(struct collection *c)
{
	uint64_t end_ns;
	int status;

	sampler_stop();
	end_ns = sources_end(c);
	expense_end(&c->expense);
	if (!c->wish.no_recording)
		recording_end(&c->recording, end_ns);
	c->ns = end_ns - c->begin_ns;
	status = c->windows.plan ? watch_windows_stop_sources(c, end_ns) : sources_stop(c, end_ns);
	if (c->wish.no_recording)
		return status;
	gaps_look(&c->gaps, c->sources, c->source_count, end_ns);
	hotplug_look(&c->hotplug, end_ns);
	hotplug_finish(&c->hotplug, end_ns);
	if (rings_drain(&c->sampler.rings, &c->recording, c->walker) ||
	    (c->walker && walker_finish(c->walker, &c->recording)))
		status = -1;
	kept_files_update(&c->kept_files, c->recording.own_path, c->recording.data_end);
	thread_names_complete(&c->names, c->recording.own_path, c->recording.data_end);
	owners_update(&c->owners, c->recording.own_path, c->recording.data_end);
	if (c->walker)
		walker_give_names(c->walker, &c->jit_maps.files, &c->recording.tally);
	walker_free(c->walker); /* this also closes its open files */
	c->walker = NULL;
	return status;
}

/* Is the file useless, because the disk was full before the first sample? */
static bool is_worthless(const struct recording *r)
{
	return r->failed && !r->tally.losses[LOSS_total_samples];
}

static void add_thread_names(struct collection *c, struct recording *r)
{
	struct str text = { 0 };

	r->tally.losses[LOSS_java_names_unread] = thread_names_format(&c->names, &text);
	if (text.len)
		recording_add_section(r, RECORDING_THREADS, text.buf, text.len);
	str_free(&text);
}

static void collection_add_owners(const struct collection *c, struct recording *r)
{
	struct str text = { 0 };

	r->tally.losses[LOSS_groups_unread] = c->owners.unread;
	owners_format(&c->owners, &text);
	if (text.len)
		recording_add_section(r, RECORDING_OWNERS, text.buf, text.len);
	str_free(&text);
}

static void collection_add_gaps(struct collection *c, struct recording *r, uint64_t from_ns)
{
	gaps_finish(&c->gaps, c->sources, c->source_count);
	hotplug_finish(&c->hotplug, monotonic_ns());
	str_add(&c->gaps.text, str_text(&c->hotplug.gaps), c->hotplug.gaps.len);
	hotplug_clear(&c->hotplug, monotonic_ns());
	gaps_cut(&c->gaps, from_ns);
	for (const char *at = str_text(&c->gaps.text); (at = strstr(at, " cpu-off ")); at++)
		r->tally.losses[LOSS_cpus_off]++;
	if (c->gaps.text.len)
		recording_add_section(r, RECORDING_GAPS, c->gaps.text.buf, c->gaps.text.len);
}

void collection_begin_expense(struct collection *c)
{
	expense_begin(&c->expense, collection_targets(c), c->opt.command && !c->opt.all ? c->command.pid : 0);
}

void collection_take_stock(struct collection *c)
{
	expense_look(&c->expense, &c->recording.tally, c->wish.stack_bytes);
}

static void collection_add_expense(struct collection *c, struct recording *r)
{
	struct str text = { 0 };

	expense_format(&c->expense, &text);
	if (text.len)
		recording_add_section(r, RECORDING_COST, text.buf, text.len);
	str_free(&text);
}

static void collection_say_expense(const struct collection *c)
{
	struct str text = { 0 };

	expense_say(&c->expense, &text);
	if (text.len)
		detail("recording took %s", text.buf);
	str_clear(&text);
	expense_say_excess(&c->expense, c->opt.budget, &text);
	if (text.len)
		detail("hint: %s", text.buf);
	str_free(&text);
}

void collection_describe(struct collection *c, struct recording *r, uint64_t from_ns)
{
	collection_add_gaps(c, r, from_ns);
	collection_add_expense(c, r);
	add_thread_names(c, r);
	collection_add_owners(c, r);
	sources_describe(c, r);
}

/* Advise this only if the choice to walk stacks was ours. */
static void give_java_hint(const struct collection *c)
{
	int pid = c->wish.choose_stacks && c->opt.jvm == JVM_CHOOSE ? java_maps_latecomer(&c->java_maps) : 0;

	if (pid)
		inform("hint: process %d is a JVM that started after the recording began: --call-graph dwarf also "
		       "walks its stacks",
		       pid);
}

static int collection_finish(struct collection *c)
{
	struct losses_by_source by = { 0 };
	struct str why = { 0 };
	int status = 0;

	if (!collection_is_always_on(c)) /* those leave it to others */
		give_way(GIVES_WAY);
	if (c->flight.keep_ns) {
		java_maps_finish(&c->java_maps);
		command_finish(&c->command);
		return flight_finish(c);
	}
	if (c->windows.plan) {
		java_maps_finish(&c->java_maps);
		return watch_windows_finish(c);
	}
	if (!c->wish.no_recording && is_worthless(&c->recording)) {
		recording_abandon(&c->recording);
		command_finish(&c->command);
		return -1;
	}
	java_maps_finish(&c->java_maps);
	if (!c->wish.no_recording) {
		collection_take_stock(c);
		collection_describe(c, &c->recording, 0);
		status = recording_complete(&c->recording, &c->recording, &c->sampler, &c->kept_files, &c->jit_maps);
	}
	command_finish(&c->command);
	if (!c->wish.no_recording) {
		sources_lost(c, &by);
		summarize(&c->recording, c->ns, no_samples_why(c, &why) ? why.buf : NULL, &by);
		collection_say_expense(c);
		give_java_hint(c);
		str_free(&why);
		losses_by_source_free(&by);
	}
	return status;
}

/* ---- the run ---- */

/* Start the events, the sources and the command.  Returns 0, or -1 after a message. */
static int collection_start(struct collection *c)
{
	for (size_t i = 0; i < c->sampler.rings.count; i++)
		session_add_data(&c->session, c->sampler.rings.list[i].fd);
	if (target_end_watch(c) < 0)
		return -1;
	c->start_ns = monotonic_ns();
	if (sources_start(c))
		return -1;
	sources_begin(c);
	if (!c->opt.command || c->opt.all)
		sampler_start();
	collection_begin_expense(c);
	if (sources_look(c) || (c->opt.command && command_start(&c->command)))
		return -1;
	if (!c->wish.no_recording) {
		recording_begin(&c->recording);
		hotplug_begin(&c->hotplug, &c->all_cpus);
		hotplug_look(&c->hotplug, monotonic_ns());
		gaps_look(&c->gaps, c->sources, c->source_count, monotonic_ns());
	}
	if (c->opt.duration_ns && !c->session.end_ns)
		session_set_duration(&c->session, c->opt.duration_ns);
	return 0;
}

/* Runtimes that name their threads, beside JVMs. */
static const struct thread_reader *const thread_readers[] = { &python_thread_reader, NULL };

static void prepare_java(struct collection *c)
{
	c->events.java_certain = c->opt.jvm_certain;
	c->events.no_java = c->opt.jvm == JVM_PERFMAP || c->opt.jvm == JVM_OFF;
	c->names.off = c->opt.jvm == JVM_OFF;
	c->names.readers = thread_readers;
	c->java_maps.way = c->opt.jvm;
	c->java_maps.walked = c->wish.stack_bytes;
	c->java_maps.roots = &c->targets.processes;
	c->java_maps.command = c->opt.command ? c->command.pid : 0;
	c->java_maps.everybody = c->whole_machine;
	java_maps_begin(&c->java_maps, &c->targets.processes);
}

/* Give large buffers, which bursts need, back to the system as soon as they are freed: by default malloc() keeps such
 * memory, which soon becomes fragmented. */
static void return_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 1 << 20);
	mallopt(M_TRIM_THRESHOLD, 1 << 20);
}

static int collection_find(struct collection *c)
{
	cpus_online(&c->all_cpus);
	if (c->opt.cpus)
		cpus_parse(&c->cpus, c->opt.cpus);
	else
		cpus_online(&c->cpus);
	return opening_find(c);
}

static void collection_share_memory(struct collection *c)
{
	uint64_t bytes = free_memory("/proc/meminfo", "/proc/self/cgroup", "/sys/fs/cgroup");

	if (!c->opt.ring_size) /* otherwise the user has chosen their size */
		c->wish.rings = ring_share_of(bytes, c->all_cpus.count, c->source_count);
}

static int collection_prepare(struct collection *c)
{
	struct collect_options *o = &c->opt;

	collection_share_memory(c);
	if (c->wish.choose_stacks)
		c->wish.stack_bytes = stack_choice(c);
	o->ring_size = stack_choice_ring(c);
	if (o->command && command_prepare(&c->command, o->command, &c->session.old_mask, &c->limits))
		return -1;
	if (sources_prepare(c))
		return -1;
	if (c->wish.no_recording)
		return 0;
	prepare_java(c);
	side_band_add(c);
	if (opening_sampler(c))
		return -1;
	if (collection_is_always_on(c))
		return_memory();
	if (c->windows.plan)
		return watch_windows_create(c);
	return c->flight.keep_ns ? recording_create_in_memory(&c->recording, &c->events)
				 : recording_create(&c->recording, o->output, &c->events);
}

/* Write the state before the recording.  With --threads, names must be known before the first samples are read.
 * Without it, the rings, which are filling, are drained first. */
static int begin_recording(struct collection *c)
{
	struct recording *r = &c->recording;

	if (c->wish.no_recording)
		return 0;
	if (side_band_begin(c) || recording_flush(r))
		return -1;
	if (c->flight.keep_ns)
		flight_begin(c);
	if (c->windows.plan)
		watch_windows_begin(c);
	if (c->opt.threads) {
		thread_names_complete(&c->names, r->own_path, r->data_end);
		c->filter = thread_filter_new(c->opt.threads, &c->names);
		r->keep = thread_filter_records;
		r->keeper = c->filter;
	} else if (rings_drain(&c->sampler.rings, r, c->walker)) {
		return -1;
	} else {
		thread_names_update(&c->names, r->own_path, r->data_end, true);
	}
	owners_update(&c->owners, r->own_path, r->data_end);
	return 0;
}

/* Collect.  Returns the exit status. */
static int collection_collect(struct collection *c)
{
	int status;

	if (collection_find(c))
		return 1;
	if (c->opt.dry_run)
		return dry_run(c);
	if (collection_prepare(c))
		return 1;
	if (collection_start(c)) {
		recording_abandon(&c->recording);
		return 1;
	}
	status = begin_recording(c) || collection_record(c) ? -1 : 0;
	if (collection_stop(c))
		status = -1;
	progress_clear();
	if (collection_finish(c) || status)
		return 1;
	if (c->watchdog.why.len)
		return WATCHDOG_ENDED;
	return c->windows.plan && c->windows.plan->again ? 0 : sources_verdict(c);
}

static void collection_check(struct collection *c)
{
	flight_check(c);
	watch_windows_check(c);
	sources_check(c);
	collect_options_check(&c->opt);
	if (c->flight.keep_ns && c->wish.no_recording)
		die_usage("--keep is for recordings: not with --print or --watch alone");
	if (!c->opt.output)
		c->opt.output = "pyrograph.data";
	c->whole_machine = c->opt.all || !(c->opt.command || selection_given(&c->opt.selection));
}

static void collection_release(struct collection *c)
{
	sources_free(c);
	command_abandon(&c->command);
	walker_free(c->walker);
	sampler_free(&c->sampler);
	recording_free(&c->recording);
	kept_files_free(&c->kept_files);
	jit_maps_free(&c->jit_maps);
	java_maps_free(&c->java_maps);
	gaps_free(&c->gaps);
	hotplug_free(&c->hotplug);
	thread_names_free(&c->names);
	owners_free(&c->owners);
	expense_free(&c->expense);
	watchdog_free(&c->watchdog);
	thread_filter_free(c->filter);
	flight_free(&c->flight);
	watch_windows_free(&c->windows);
	targets_free(&c->targets);
	events_free(&c->events);
	cpus_free(&c->cpus);
	cpus_free(&c->all_cpus);
	session_close(&c->session);
}

static int collection_run_command(struct collection *c, int argc, char **argv)
{
	int status;

	collect_options_parse(&c->opt, c->sources, c->source_count, argc, argv);
	collection_check(c);
	signal(SIGXFSZ, SIG_IGN); /* exceeding the file size limit shall be just a failed write */
	limits_raise(&c->limits);
	session_open(&c->session);
	if (c->flight.keep_ns)
		session_hear_users(&c->session);
	status = collection_collect(c);
	collection_release(c);
	return status;
}

int collection_run(const struct source *const *sources, size_t count, size_t added, int argc, char **argv)
{
	struct collection c = { .sources = sources, .source_count = count, .added_count = added };

	return collection_run_command(&c, argc, argv);
}

int collection_watch(struct watch_plan *plan, bool *again, const struct source *const *sources, size_t count, int argc,
		     char **argv)
{
	struct collection c = { .sources = sources, .source_count = count, .windows.plan = plan };
	int status;

	plan->again = false;
	status = collection_run_command(&c, argc, argv);
	*again = plan->again;
	return status;
}
