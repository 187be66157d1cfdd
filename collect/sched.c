#include "collect/sched.h"

#include <inttypes.h>

#include "collect/bpf.h"
#include "collect/sched_flush.h"
#include "collect/sched_program.h"
#include "core/error.h"
#include "core/outfile.h"

enum { MAX_MAX_THREADS = 1 << 22, NOT_ISOLATED = 3 };

static struct sched_settings settings;
static int64_t max_threads;
static struct sched_program program;
static struct sched_flush flush;
static struct isolated isolated;
static const char *isolated_cpus; /* NULL: no assertion */
static size_t event; /* its number */

static const struct opt options[] = {
	{ 0, "events", NULL, "each span of time by itself, not sums of a second", .flag = &settings.events },
	{ 0, "cgroup", "GROUP", "what is in this control group (v2), or below", .text = &settings.cgroup },
	{ 0, "assert-isolated", "CPUS", "who ran there [isolcpus, nohz_full]; several: exit 3",
	  .text = &isolated_cpus, .optional = true },
	{ 0, "own-cost", NULL, "measure what the measuring costs", .flag = &settings.cost },
	{ 0, "max-threads", "N", "room for so many at a time [65536; 16384 of targets]",
	  .num = &max_threads, .min = 1, .max = MAX_MAX_THREADS },
	{0}
};

static void check(struct collection *c)
{
	settings.max_threads = (uint32_t)max_threads;
	if (settings.cgroup && (c->opt.command || selection_given(&c->opt.selection)))
		die_usage("--cgroup and -p, -t, --name or a COMMAND exclude each other");
	if (isolated_cpus && (settings.cgroup || selection_given(&c->opt.selection)))
		die_usage("--assert-isolated looks at everybody: no --cgroup, -p, -t, --name");
	if (isolated_cpus && !*isolated_cpus && c->opt.command)
		isolated_check_word(c->opt.command[0]);
	if (isolated_cpus) {
		isolated_choose(&isolated, isolated_cpus);
		settings.guarded = &isolated.cpus;
		c->no_recording = !c->opt.output && c->source_count == 1;
	}
	if (settings.cgroup) /* the program knows better */
		c->one_cgroup = true;
	if (settings.cgroup || isolated_cpus)
		c->opt.all = true;
}

static void take(void *context, const struct sched_record *r)
{
	if (r->kind == SCHED_ENTRY)
		isolated_add_entry(&isolated, (const struct sched_entry *)r);
	else
		sched_flush_record(context, r);
}

static int prepare(struct collection *c)
{
	event = spans_add_event(&c->events, RECORDING_SCHED);
	return sched_program_load(&program, c, &settings, take, &flush);
}

static int start(struct collection *c)
{
	flush.program = &program;
	flush.event = &c->events.list[event];
	flush.events = settings.events;
	flush.isolated = isolated_cpus ? &isolated : NULL;
	flush.some_cpus = c->opt.cpus != NULL;
	session_add_data(&c->session, sched_program_fd(&program));
	return sched_program_start(&program, c);
}

static int write_out(struct collection *c)
{
	struct iovec records = { flush.out.buf, flush.out.len };
	int status = flush.out.len && !c->no_recording ? recording_append(&c->recording, &records, 1) : 0;

	str_clear(&flush.out);
	return status;
}

static int tick(struct collection *c)
{
	uint64_t begin_ns = program.epoch_ns;
	unsigned bank = sched_program_next_epoch(&program);

	sched_program_drain(&program);
	sched_flush_epoch(&flush, bank, begin_ns, program.epoch_ns);
	return write_out(c);
}

static int drain(struct collection *c)
{
	sched_program_drain(&program);
	return program.wants_flush ? tick(c) : write_out(c);
}

static int stop(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses;
	const struct sched_control *control = program.control;

	(void)end_ns; /* the program ends when it has heard of it */
	sched_flush_rest(&flush, sched_program_stop(&program));
	losses_raise(losses, LOSS_open_spans, flush.open_spans);
	losses_raise(losses, LOSS_untracked_threads, control->untracked_threads);
	losses_raise(losses, LOSS_untracked_switches, control->untracked_switches);
	losses[LOSS_missed_switches] += control->missed_switches + sched_program_cost(&program).missed;
	losses[LOSS_lost_spans] += control->lost_spans;
	losses[LOSS_other_usurpers] += control->other_usurpers;
	return write_out(c);
}

static void tell_cost(const struct collection *c)
{
	struct bpf_cost cost = sched_program_cost(&program);

	inform("sched: %.1f MB of kernel memory, for %" PRIu32 " threads", (double)program.memory / 1e6,
	       program.thread_limit);
	if (cost.runs)
		inform("sched: its BPF program ran %" PRIu64 " times, %.0f ns on average, %.2f %% of one CPU",
		       cost.runs, (double)cost.ns / (double)cost.runs,
		       100.0 * (double)cost.ns / (double)(c->ns ? c->ns : 1));
}

static int tell_isolated(void)
{
	struct anchors now = {0};
	struct sched_name name;
	bool alone;

	for (size_t i = 0; i < isolated.count; i++) {
		struct visitor *v = &isolated.visitors[i];

		if (sched_program_name(&program, v->tid, v->cpu, &name))
			isolated_rename(v, &name);
	}
	anchors_take(&now);
	alone = isolated_report(&isolated, &now.last);
	anchors_free(&now);
	if (flush_stdout() < 0)
		return 1;
	return alone ? 0 : NOT_ISOLATED;
}

static int verdict(struct collection *c)
{
	if (c->no_recording)
		losses_report(c->recording.tally.losses);
	tell_cost(c);
	return isolated_cpus ? tell_isolated() : 0;
}

static void release(void)
{
	isolated_free(&isolated);
	sched_flush_free(&flush);
	sched_program_free(&program);
}

const struct source sched_source = {
	.name = "sched",
	.about = "time in scheduler states, by CPU, and who had it meanwhile (BPF)",
	.examples = "  pyrograph collect sched -a -d 10               the machine, ten seconds\n"
		    "  pyrograph collect sched --events -p 8513 -d 2  each span of a process\n",
	.options = options,
	.looks_at_everybody = true,
	.obstacle = bpf_obstacle,
	.check = check,
	.prepare = prepare,
	.start = start,
	.drain = drain,
	.tick = tick,
	.stop = stop,
	.verdict = verdict,
	.free = release,
};
