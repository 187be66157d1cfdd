/* sched: "pyrograph collect sched": time in scheduler states, by BPF. */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "collect/bpf/bpf.h"
#include "collect/machine/anchors.h"
#include "collect/sched/sched_flush.h"
#include "collect/sched/sched_program.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/wallclock.h"

/* --- looking at threads that wait --- */

/* Has ongoing waits charged now and then, while it is still known which threads had the CPU: the program keeps the last
 * SCHED_SLICES of each CPU (bpf/sched.h). */

enum { SCHED_LOOK_NS = 100000000 }; /* interval between calls of sched_look_busy() */

struct sched_looker { /* {0}, then program */
	struct sched_program *program;
	uint32_t *heads;            /* by CPU: the head of its slices at the last look */
	struct sched_look *batches; /* by CPU: the batch that is being filled */
	uint32_t *counts;           /* by CPU: number of threads in its batch */
	bool unknown;               /* the state of some threads is unknown */
};

enum {
	YOUNG_NS = 1000000, /* waits younger than this may soon be over: leave them alone */
	MANY_SLICES = SCHED_SLICES / 8,
};

static void sched_look_make_room(struct sched_looker *l)
{
	uint32_t cpus = l->program->cpu_limit;

	if (l->heads)
		return;
	l->heads = xcalloc(cpus, sizeof(*l->heads));
	l->batches = xcalloc(cpus, sizeof(*l->batches));
	l->counts = xcalloc(cpus, sizeof(*l->counts));
}

static uint32_t sched_look_head_of(const struct sched_looker *l, uint32_t cpu)
{
	return __atomic_load_n(&l->program->cpus[cpu].head, __ATOMIC_RELAXED);
}

static void sched_look_now(struct sched_looker *l, uint32_t cpu, uint64_t before_ns)
{
	if (!l->counts[cpu])
		return;
	l->batches[cpu].before_ns = before_ns;
	sched_program_look(l->program, cpu, &l->batches[cpu]);
	l->batches[cpu] = (struct sched_look){ 0 };
	l->counts[cpu] = 0;
}

/* Our view of the thread may be stale: the program checks again. */
static bool sched_look_is_waiting(const struct sched_thread *t, uint64_t before_ns)
{
	const volatile struct sched_thread *shared = t;
	uint32_t state = shared->state;

	return state >= RECORDING_PREEMPTED && state <= RECORDING_WOKEN && shared->since_ns &&
	       shared->since_ns < before_ns && shared->charged_ns < before_ns;
}

static bool is_unknown(const struct sched_thread *t)
{
	return *(const volatile uint32_t *)&t->state == RECORDING_STATE_UNKNOWN && t->tid && !t->end_ns;
}

/* least: the number of slices since the last look from which a CPU counts as busy. */
static void look_at_threads(struct sched_looker *l, uint32_t least)
{
	uint64_t before_ns = monotonic_ns() - YOUNG_NS;
	uint32_t used = sched_program_used(l->program);

	l->unknown = false;
	for (uint32_t slot = 1; slot < used; slot++) {
		const struct sched_thread *t = &l->program->threads[slot];
		uint32_t cpu = *(const volatile uint32_t *)&t->cpu;

		l->unknown |= is_unknown(t);
		if (!sched_look_is_waiting(t, before_ns) || cpu >= l->program->cpu_limit ||
		    sched_look_head_of(l, cpu) - l->heads[cpu] < least)
			continue;
		l->batches[cpu].slots[l->counts[cpu]++] = slot;
		if (l->counts[cpu] == SCHED_LOOKS)
			sched_look_now(l, cpu, before_ns);
	}
	for (uint32_t cpu = 0; cpu < l->program->cpu_limit; cpu++) {
		sched_look_now(l, cpu, before_ns);
		if (sched_look_head_of(l, cpu) - l->heads[cpu] >= least)
			l->heads[cpu] = sched_look_head_of(l, cpu);
	}
}

/* Charge all waiting threads, before an epoch ends, so that it includes their time. */
static void sched_look_all(struct sched_looker *l)
{
	sched_look_make_room(l);
	look_at_threads(l, 0);
}

/* Charge the threads that wait for CPUs with so many switches that slices would otherwise be forgotten. */
static void sched_look_busy(struct sched_looker *l)
{
	bool any = false;

	sched_look_make_room(l);
	for (uint32_t cpu = 0; cpu < l->program->cpu_limit; cpu++)
		any |= sched_look_head_of(l, cpu) - l->heads[cpu] >= MANY_SLICES;
	if (any)
		look_at_threads(l, MANY_SLICES);
}

static void sched_look_free(struct sched_looker *l)
{
	free(l->heads);
	free(l->batches);
	free(l->counts);
	*l = (struct sched_looker){ 0 };
}

/* --- the collector --- */

enum { MAX_MAX_THREADS = 1 << 22, NOT_ISOLATED = 3 };

static struct sched_settings settings;
static const char *events; /* value of --events */
static int64_t max_threads;
static struct sched_program program;
static struct sched_flush flush;
static struct sched_looker looker;
static int timer = -1; /* the timer for sched_look_busy() */
static struct isolated isolated;
static const char *isolated_cpus; /* CPUs that must be isolated; NULL: none */
static size_t event;              /* index of our event */

static const struct opt options[] = {
	{ 0, "events", "MIN", "each span of time (of MIN or longer) by itself", .text = &events, .optional = true },
	{ 0, "cgroup", "GROUP", "threads of this control group or below", .text = &settings.cgroup },
	{ 0, "assert-isolated", "CPUS", "who ran on CPUS [isolcpus, nohz_full]; exit 3 if >1", .text = &isolated_cpus,
	  .optional = true },
	{ 0, "own-cost", NULL, "measure the cost of the BPF program", .flag = &settings.cost },
	{ 0, "max-threads", "N",
	  "threads at a time [" OPT_TEXT(SCHED_THREADS) "; " OPT_TEXT(SCHED_TARGETS) " of targets]",
	  .num = &max_threads, .min = 1, .max = MAX_MAX_THREADS },
	{ 0 }
};

static void sched_check(struct collection *c)
{
	settings.max_threads = (uint32_t)max_threads;
	settings.detail = detail_parse(events, c->opt.command);
	settings.detail.singly |= c->opt.between != NULL;
	if (isolated_cpus && (settings.cgroup || selection_given(&c->opt.selection)))
		die_usage("--assert-isolated watches all threads: no --cgroup, -p, -t, --name");
	if (isolated_cpus && !*isolated_cpus && c->opt.command)
		isolated_check_word(c->opt.command[0]);
	if (isolated_cpus) {
		isolated_choose(&isolated, isolated_cpus);
		settings.guarded = &isolated.cpus;
		c->wish.no_recording = !c->opt.output && c->source_count == 1;
	}
	if (isolated_cpus)
		c->opt.all = true;
}

static void sched_take(void *context, const struct sched_record *r)
{
	if (r->kind == SCHED_ENTRY)
		isolated_add_entry(&isolated, (const struct sched_entry *)r);
	else
		sched_flush_record(context, r);
}

static int sched_prepare(struct collection *c)
{
	event = spans_add_event(&c->events, RECORDING_SCHED);
	detail_note(&settings.detail, &c->events.list[event]);
	c->is_target = bpf_is_target;
	c->add_targets = bpf_targets_add;
	return sched_program_load(&program, c, &settings, sched_take, &flush);
}

static int start_timer(struct collection *c)
{
	struct timespec period = { 0, SCHED_LOOK_NS };
	struct itimerspec when = { period, period };

	timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (timer < 0 || timerfd_settime(timer, 0, &when, NULL))
		return error("timer: %s", strerror(errno));
	session_add_data(&c->session, timer);
	return 0;
}

static int sched_start(struct collection *c)
{
	flush.program = &program;
	flush.event = &c->events.list[event];
	flush.events = settings.detail.singly;
	flush.priorities.cpus = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	flush.isolated = isolated_cpus ? &isolated : NULL;
	flush.some_cpus = c->opt.cpus != NULL;
	looker.program = &program;
	session_add_data(&c->session, sched_program_fd(&program));
	return start_timer(c) || sched_program_start(&program, c) ? -1 : 0;
}

static void sched_begin(struct collection *c)
{
	sched_program_begin(&program, c);
}

static int sched_look_once(struct collection *c)
{
	(void)c;
	return sched_program_look_first(&program);
}

static void sched_end(struct collection *c, uint64_t end_ns)
{
	(void)c;
	sched_program_end(&program, end_ns);
}

static int sched_write_out(struct collection *c)
{
	struct iovec records = { flush.out.buf, flush.out.len };
	int status = flush.out.len && !c->wish.no_recording ? recording_append(&c->recording, &records, 1) : 0;

	str_clear(&flush.out);
	return status;
}

static int sched_tick(struct collection *c)
{
	uint64_t begin_ns = program.epoch_ns;
	unsigned bank;

	if (!settings.detail.singly)
		sched_look_all(&looker);
	if (looker.unknown && sched_program_scan(&program))
		return -1;
	bank = sched_program_next_epoch(&program);
	flush.last_epoch_ns = begin_ns;
	sched_program_drain(&program);
	sched_flush_epoch(&flush, bank, begin_ns, program.epoch_ns);
	return sched_write_out(c);
}

static int sched_drain(struct collection *c)
{
	uint64_t times;

	if (read(timer, &times, sizeof(times)) > 0)
		sched_look_busy(&looker);
	sched_program_round(&program);
	return program.wants_flush ? sched_tick(c) : sched_write_out(c);
}

static uint64_t sched_lost_spans(void)
{
	return program.control ? program.control->lost_spans : 0;
}

static uint64_t missed(void)
{
	return sched_program_missed(&program);
}

static int sched_stop(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses;
	const struct sched_control *control = program.control;

	sched_program_stop(&program);
	sched_flush_rest(&flush, end_ns);
	losses_raise(losses, LOSS_open_spans, flush.open_spans);
	losses_raise(losses, LOSS_untracked_threads, control->untracked_threads);
	losses_raise(losses, LOSS_untracked_switches, control->untracked_switches);
	losses[LOSS_missed_switches] += control->missed_switches;
	losses[LOSS_missed_ns] += control->missed_ns;
	losses[LOSS_lost_spans] += control->lost_spans;
	losses[LOSS_summed_spans] += control->over_budget;
	losses_raise(losses, LOSS_others_ns, control->others_ns + flush.others_ns);
	return sched_write_out(c);
}

static void sched_describe(struct collection *c, struct recording *r)
{
	struct str text = { 0 };

	(void)c;
	sched_priorities_describe(&flush.priorities, &text);
	if (text.len)
		recording_add_section(r, RECORDING_PRIORITIES, text.buf, text.len);
	str_clear(&text);
	sched_priorities_describe_affinity(&flush.priorities, &text);
	if (text.len)
		recording_add_section(r, RECORDING_AFFINITIES, text.buf, text.len);
	str_free(&text);
}

static void tell_cost(const struct collection *c)
{
	struct bpf_cost cost = sched_program_cost(&program);

	detail("sched: %s of kernel memory, for %" PRIu32 " threads%s", size_text(program.memory).text,
	       program.thread_limit, program.is_all ? ": the most that kernel.pid_max allows" : "");
	if (cost.runs)
		detail("sched: its BPF program ran %" PRIu64 " times, %s on average, %s of one CPU",
		       cost.runs, duration_text(cost.ns / cost.runs).text, percentage_text(cost.ns, c->ns).text);
}

static double sched_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Report what is only partly known, if it is enough to matter. */
static void sched_tell_doubts(void)
{
	const struct sched_control *control = program.control;
	uint64_t others_ns = control->others_ns + flush.others_ns;

	if (sched_percent(others_ns, flush.waited_ns) >= 0.1)
		detail("sched: %s of the waiting for a CPU could not be attributed to a thread, because "
		       "there were too many at a time; it is shown as [others]",
		       percentage_text(others_ns, flush.waited_ns).text);
	if (sched_percent(control->missed_ns, flush.awake_ns) >= 0.1)
		detail("sched: the kernel did not show %" PRIu64 " switch%s of these threads: %s (%s of "
		       "the time that they ran or waited for a CPU) are guessed",
		       (uint64_t)control->missed_switches, control->missed_switches == 1 ? "" : "es",
		       duration_text(control->missed_ns).text,
		       percentage_text(control->missed_ns, flush.awake_ns).text);
}

static int tell_isolated(void)
{
	struct anchors now = { 0 };
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

static int sched_verdict(struct collection *c)
{
	if (c->wish.no_recording)
		losses_report(c->recording.tally.losses, NULL);
	sched_tell_doubts();
	detail_say(&settings.detail, "sched", program.control ? program.control->over_budget : 0);
	tell_cost(c);
	return isolated_cpus ? tell_isolated() : 0;
}

static void sched_release(void)
{
	isolated_free(&isolated);
	sched_look_free(&looker);
	if (timer >= 0)
		close(timer);
	sched_flush_free(&flush);
	sched_program_free(&program);
}

static const struct source_price sched_prices[] = { { "context-switches", 250, 0 },
						    { "sched:sched_waking", 100, 0 },
						    { 0 } };

const struct source sched_source = {
	.name = "sched",
	.prices = sched_prices,
	.about = "time in scheduler states, by CPU, and who had it meanwhile (BPF)",
	.examples = "  pyrograph collect sched -a -d 10               the machine, ten seconds\n"
		    "  pyrograph collect sched --events -p 8513 -d 2  each span of a process\n"
		    "  pyrograph collect sched --events=1ms -a -d 10  only long ones\n",
	.options = options,
	.cgroup = &settings.cgroup,
	.looks_at_everybody = true,
	.obstacle = sched_program_obstacle,
	.object = sched_program_object,
	.check = sched_check,
	.prepare = sched_prepare,
	.start = sched_start,
	.begin = sched_begin,
	.look = sched_look_once,
	.drain = sched_drain,
	.tick = sched_tick,
	.lost = sched_lost_spans,
	.missed = missed,
	.end = sched_end,
	.describe = sched_describe,
	.stop = sched_stop,
	.verdict = sched_verdict,
	.free = sched_release,
};
