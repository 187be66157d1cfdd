#include "collect/cpu.h"

#include <inttypes.h>
#include <signal.h>

#include "collect/command.h"
#include "collect/cpu_options.h"
#include "collect/features.h"
#include "collect/rights.h"
#include "collect/sampler.h"
#include "collect/session.h"
#include "collect/summary.h"
#include "collect/symbolize.h"
#include "collect/synthesize.h"
#include "core/error.h"
#include "core/progress.h"
#include "core/wallclock.h"

enum { DEFAULT_HZ = 99, LOOK_NS = 50000000 };

/* A run of the collector: what is open, from the outermost in. */
struct collection {
	struct cpu_options opt;
	struct session session;
	unsigned long file_limit; /* before we raised it */
	struct cpus cpus;
	struct events events;
	struct targets targets;
	struct command command;
	struct sampler sampler;
	struct recording recording;
	struct jit_maps jit_maps;
	uint64_t start_ns, ns;
};

static int check_rate(const struct cpu_options *o)
{
	int64_t max = read_sysctl("kernel/perf_event_max_sample_rate", INT64_MAX);

	if (o->hz <= max)
		return 0;
	return error("-F %" PRId64 " is above kernel.perf_event_max_sample_rate (%" PRId64
		     "): lower -F, or sudo sysctl kernel.perf_event_max_sample_rate=%" PRId64,
		     o->hz, max, o->hz);
}

/* Hardware cycles where there are any, as precise as they come. */
static void choose_default_event(struct events *events)
{
	struct perf_event_attr *attr;

	events_add(events, "cycles");
	attr = &events->list[0].attr;
	for (attr->precise_ip = 3; !sampler_probe(&events->list[0]); attr->precise_ip--) {
		if (attr->precise_ip)
			continue;
		events_free(events);
		events_add(events, "cpu-clock");
		inform("no hardware cycle counter here: sampling cpu-clock, by timer");
		return;
	}
}

/* Or whatever runs on some of its CPUs. */
static bool whole_machine(const struct cpu_options *o)
{
	return o->all || !(o->command || selection_given(&o->selection));
}

/* Leave the kernel out when we have no right to look into it. */
static void limit_to_rights(struct cpu_options *o, const struct events *events)
{
	bool needed = o->kernel || whole_machine(o);

	for (size_t i = 0; i < events->count; i++)
		needed |= event_is_tracepoint(&events->list[i]) || events->list[i].attr.exclude_user;
	if (o->user || needed || may_sample_kernel())
		return;
	o->user = true;
	inform("no right to sample the kernel (kernel.perf_event_paranoid is %" PRId64
	       ", CAP_PERFMON is missing): user code only", read_sysctl("kernel/perf_event_paranoid", 2));
}

static int choose_events(struct collection *c)
{
	struct cpu_options *o = &c->opt;
	struct sampling how;

	for (size_t i = 0; i < o->events.count; i++) {
		if (events_add(&c->events, o->events.items[i]))
			return -1;
	}
	if (!c->events.count)
		choose_default_event(&c->events);
	limit_to_rights(o, &c->events);
	how = (struct sampling){
		.frequency_hz = o->hz ? (uint64_t)o->hz : DEFAULT_HZ,
		.frequency_chosen = o->hz,
		.period = (uint64_t)o->period,
		.user_only = o->user,
		.kernel_only = o->kernel,
		/* Events of a CPU, not of a task, see everybody anyhow. */
		.inherit = !o->no_inherit && !whole_machine(o),
		.on_exec = o->command && !o->all,
		.ring_size = rings_choose_size(o->ring_size, c->cpus.count),
	};
	events_configure(&c->events, &how);
	o->ring_size = how.ring_size;
	return 0;
}

/* Returns 1 when found, 0 when a signal or the time ended the waiting, -1 after a
 * message. */
static int find_targets(struct collection *c)
{
	const struct cpu_options *o = &c->opt;
	struct str wanted = {0};
	int wake = 0;

	if (!selection_given(&o->selection))
		return 1;
	if (!o->wait)
		return targets_find(&c->targets, &o->selection, true) ? 1 : -1;
	if (targets_find(&c->targets, &o->selection, false))
		return 1;
	selection_describe(&o->selection, &wanted);
	inform("waiting for %s", wanted.buf);
	str_free(&wanted);
	while (!targets_find(&c->targets, &o->selection, false)) {
		wake = session_wait(&c->session, LOOK_NS);
		if (wake & SESSION_OVER)
			return 0;
	}
	return 1;
}

/* Returns whether it lives. */
static bool watch(struct collection *c, pid_t id, bool thread)
{
	int fd = target_watch(id, thread);

	if (fd >= 0)
		session_add_end(&c->session, fd);
	return fd >= 0;
}

/* Whose end is the end of the recording.  For --until-exit, that of the targets
 * themselves; else of them and of all that they started. */
static void watch_targets(struct collection *c)
{
	struct cpu_options *o = &c->opt;
	bool threads = o->selection.tids.count || o->selection.thread, living = false;

	if (o->command) {
		watch(c, c->command.pid, false);
	} else if (!o->until_exit) {
		for (size_t i = 0; i < c->sampler.leader_count; i++)
			session_add_hangup(&c->session, c->sampler.leaders[i]);
	} else {
		for (size_t i = 0; threads && i < c->targets.count; i++)
			living |= watch(c, c->targets.list[i].tid, true);
		for (size_t i = 0; !threads && i < c->targets.processes.count; i++)
			living |= watch(c, c->targets.processes.list[i], false);
		if (!living)
			session_set_duration(&c->session, 0);
	}
}

/* The command is one more target: a task that is about to be something else. */
static int open_sampler(struct collection *c)
{
	struct cpu_options *o = &c->opt;
	struct target child = { c->command.pid, c->command.pid };
	struct targets just_child = { .list = &child, .count = 1 };
	const struct targets *targets = o->command ? &just_child : &c->targets;

	if (whole_machine(o))
		targets = NULL;
	return sampler_open(&c->sampler, &c->events, &c->cpus, targets, o->ring_size);
}

static int write_what_runs(struct collection *c)
{
	struct cpu_options *o = &c->opt;
	struct synthesis s = { .id = c->events.list[0].ids[0] };
	struct iovec records;
	int status;

	synthesize_kernel(&s);
	if (whole_machine(o))
		synthesize_processes(&s, NULL);
	else
		synthesize_processes(&s, &c->targets.processes);
	if (s.kernel_hidden && !o->user)
		warn("kernel addresses are hidden, so kernel frames get no names: "
		     "sudo sysctl kernel.kptr_restrict=0, or CAP_SYSLOG");
	records = (struct iovec){ s.out.buf, s.out.len };
	status = recording_append(&c->recording, &records, 1);
	synthesis_free(&s);
	return status;
}

static void show_progress(const struct collection *c)
{
	const struct tally *t = &c->recording.tally;

	progress("%" PRIu64 " s, %" PRIu64 " samples, %.1f MB, %" PRIu64 " lost",
		 (uint64_t)((monotonic_ns() - c->start_ns) / NS_PER_SEC), t->losses[LOSS_total_samples],
		 (double)c->recording.data_end / 1e6, t->losses[LOSS_lost_samples]);
}

/* Once a second. */
static void tick(struct collection *c)
{
	recording_anchor(&c->recording);
	jit_maps_update(&c->jit_maps, c->recording.path, c->recording.data_end);
}

/* Returns 0, or -1 after a message when the recording cannot be written any more. */
static int record(struct collection *c)
{
	int wake = 0;

	while (!(wake & SESSION_OVER)) {
		wake = session_wait(&c->session, 0);
		if (rings_drain(&c->sampler.rings, &c->recording))
			return -1;
		if (wake & SESSION_TICK)
			tick(c);
		show_progress(c);
	}
	sampler_stop();
	c->ns = monotonic_ns() - c->start_ns;
	recording_anchor(&c->recording);
	return rings_drain(&c->sampler.rings, &c->recording);
}

/* Losses that nobody was told of: those that no record followed. */
static void count_dropped(struct collection *c)
{
	uint64_t *lost = &c->recording.tally.losses[LOSS_lost_samples];
	uint64_t dropped = sampler_dropped(&c->sampler);

	if (dropped > *lost)
		*lost = dropped;
}

static void add_symbols(struct collection *c, struct str *build_ids)
{
	struct recording *r = &c->recording;
	uint64_t found[LOSS_COUNT] = {0}; /* counts some of what the tally has, too */
	struct str text = {0};

	jit_maps_update(&c->jit_maps, r->path, r->data_end);
	if (!symbolize(r->path, &c->jit_maps, &text, build_ids, found)) {
		recording_add_section(r, RECORDING_SYMBOLS, str_text(&text), text.len);
		r->tally.losses[LOSS_total_frames] = found[LOSS_total_frames];
		r->tally.losses[LOSS_unresolved_frames] = found[LOSS_unresolved_frames];
		r->tally.losses[LOSS_short_stacks] = found[LOSS_short_stacks];
	}
	str_free(&text);
}

/* Everything that comes after the data. */
static int complete(struct collection *c)
{
	struct recording *r = &c->recording;
	struct str text = {0}, build_ids = {0};
	int status;

	recording_flush(r); /* symbolize() reads the file */
	count_dropped(c);
	r->tally.losses[LOSS_clock_steps] = r->anchors.steps;
	add_symbols(c, &build_ids);
	features_add(r, &build_ids);
	losses_format(r->tally.losses, &text);
	recording_add_section(r, RECORDING_LOSSES, text.buf, text.len);
	recording_add_section(r, RECORDING_CLOCKS, r->anchors.text.buf, r->anchors.text.len);
	status = recording_finish(r);
	str_free(&text);
	str_free(&build_ids);
	return status;
}

/* Start the events, and with them the command.  Returns 0, or -1 after a message. */
static int start(struct collection *c)
{
	for (size_t i = 0; i < c->sampler.rings.count; i++)
		session_add_data(&c->session, c->sampler.rings.list[i].fd);
	watch_targets(c);
	if (!c->opt.command || c->opt.all)
		sampler_start();
	c->start_ns = monotonic_ns();
	if (c->opt.command && command_start(&c->command))
		return -1;
	if (c->opt.duration_ns && !c->session.end_ns)
		session_set_duration(&c->session, c->opt.duration_ns);
	return 0;
}

static int prepare(struct collection *c)
{
	struct cpu_options *o = &c->opt;
	int found;

	if (o->cpus)
		cpus_parse(&c->cpus, o->cpus);
	else
		cpus_online(&c->cpus);
	found = find_targets(c);
	if (found < 0)
		return -1;
	if (!found)
		return error("nothing was recorded: no such process appeared");
	if (choose_events(c))
		return -1;
	if (o->command && command_prepare(&c->command, o->command, &c->session.old_mask, c->file_limit))
		return -1;
	return open_sampler(c) || recording_create(&c->recording, o->output, &c->events) ? -1 : 0;
}

/* The disk was full before the first sample: what is there would be of no use. */
static bool is_worthless(const struct recording *r)
{
	return r->failed && !r->tally.losses[LOSS_total_samples];
}

static int finish(struct collection *c)
{
	int status;

	if (is_worthless(&c->recording)) {
		recording_abandon(&c->recording);
		command_finish(&c->command);
		return -1;
	}
	status = complete(c);
	command_finish(&c->command);
	summarize(&c->recording, c->ns);
	return status;
}

static int collect(struct collection *c)
{
	int status;

	if (check_rate(&c->opt) || prepare(c))
		return -1;
	if (start(c)) {
		recording_abandon(&c->recording);
		return -1;
	}
	status = write_what_runs(c) || record(c) ? -1 : 0;
	if (!c->ns) { /* the disk is full */
		sampler_stop();
		c->ns = monotonic_ns() - c->start_ns;
	}
	progress_clear();
	return finish(c) ? -1 : status;
}

int collect_cpu(int argc, char **argv)
{
	struct collection c = {0};
	int status = 1;

	cpu_options_parse(&c.opt, argc, argv);
	signal(SIGXFSZ, SIG_IGN); /* a file too large is a failed write */
	raise_file_limit(&c.file_limit);
	session_open(&c.session);
	if (!collect(&c))
		status = 0;
	command_abandon(&c.command);
	sampler_free(&c.sampler);
	recording_free(&c.recording);
	jit_maps_free(&c.jit_maps);
	targets_free(&c.targets);
	events_free(&c.events);
	cpus_free(&c.cpus);
	session_close(&c.session);
	return status;
}
