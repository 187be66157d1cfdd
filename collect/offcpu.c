#include "collect/offcpu.h"

#include <inttypes.h>
#include <stdio.h>

#include "collect/bpf.h"
#include "collect/collection.h"
#include "collect/offcpu_held.h"
#include "collect/offcpu_options.h"
#include "collect/offcpu_program.h"
#include "collect/offcpu_say.h"
#include "collect/offcpu_threads.h"
#include "collect/offcpu_walk.h"
#include "collect/offcpu_watch.h"
#include "collect/sums.h"
#include "collect/timer.h"
#include "core/error.h"
#include "core/wallclock.h"

static struct offcpu_options *const opt = &offcpu_options;

static struct {
	struct events *events;
	size_t offcpu, timeout;     /* numbers of the events */
	const struct collection *c;
	struct offcpu_threads threads;
	struct offcpu_walk walk;
	struct sums sums;
	struct str samples;         /* to be appended to the recording */
	int timer, watch_timer;     /* for --timeout, --watch */
	bool records;               /* not only watches */
	bool watch_failed;
	bool parts;                 /* of blocks that go on are written */
	uint64_t end_ns;            /* 0 while it runs */
	uint64_t blocks, blocked_ns, open;
} run = { .timer = -1, .watch_timer = -1 };

/* ---- samples ---- */

/* Is the user stack of what was put together to be walked, and can it be? */
static bool is_walked(const struct str *copy)
{
	if (!copy->len)
		return false;
	if (!offcpu_walk_is_behind(&run.walk, run.c))
		return true;
	run.threads.lost_stacks++;
	return false;
}

/* What of the block r is from begin_ns on. */
static void add_single(size_t event, const struct offcpu_record *r, uint64_t begin_ns, uint64_t until_ns,
		       uint32_t flags, const uint64_t *chain, size_t count)
{
	struct span span = {
		.pid = (int)r->pid,
		.tid = (int)r->tid,
		.cpu = r->cpu,
		.time_ns = until_ns,
		.ns = until_ns - begin_ns,
		.count = 1,
		.longest_ns = until_ns - r->since_ns,
		.begin_ns = begin_ns,
		.flags = RECORDING_SINGLE | flags,
		.chain = chain,
		.chain_count = count,
	};

	if (event == run.offcpu && is_walked(&run.threads.copy))
		offcpu_walk_add(&run.walk, &run.events->list[event], &span, &run.threads.copy);
	else
		span_add(&run.samples, &run.events->list[event], &span);
}

static void add_summed(const struct span *s, const struct str *copy)
{
	if (is_walked(copy))
		offcpu_walk_add(&run.walk, &run.events->list[run.offcpu], s, copy);
	else
		sums_add(&run.sums, s);
}

static void count_block(uint64_t ns)
{
	run.blocks++;
	run.blocked_ns += ns;
}

/* A block that has ended. */
static void finish_block(const struct offcpu_record *r, const uint64_t *chain, size_t count)
{
	uint64_t begin_ns = offcpu_untold_ns(offcpu_thread(&run.threads, r->tid), r->since_ns);

	count_block(r->until_ns - r->since_ns);
	if (opt->timeout_ns && offcpu_thread(&run.threads, r->tid)->reported_ns == r->since_ns)
		offcpu_say_over(offcpu_thread(&run.threads, r->tid), r);
	if (opt->events)
		add_single(run.offcpu, r, r->since_ns, r->until_ns, 0, chain, count);
	else
		add_summed(&(struct span){
			.pid = (int)r->pid,
			.tid = (int)r->tid,
			.cpu = r->cpu,
			.time_ns = r->until_ns,
			.ns = r->until_ns > begin_ns ? r->until_ns - begin_ns : 0,
			.count = 1,
			.longest_ns = r->until_ns - r->since_ns,
			.begin_ns = begin_ns,
			.chain = chain,
			.chain_count = count,
		}, &run.threads.copy);
}

/* One that had not when the recording ended; comes twice if it ends while we look. */
static void take_open(const struct offcpu_record *r, const uint64_t *chain, size_t count)
{
	struct offcpu_thread *thread = offcpu_thread(&run.threads, r->tid);
	uint64_t begin = offcpu_untold_ns(thread, r->since_ns);
	uint64_t until = r->until_ns && r->until_ns < run.end_ns ? r->until_ns : run.end_ns;

	if (thread->closed_ns == r->since_ns || until <= r->since_ns || until - r->since_ns < opt->min_ns ||
	    until - r->since_ns > opt->max_ns)
		return;
	thread->closed_ns = r->since_ns;
	count_block(until - r->since_ns);
	run.open += until == run.end_ns;
	add_single(run.offcpu, r, begin < until ? begin : until, until, until == run.end_ns ? RECORDING_OPEN : 0,
		   chain, count);
}

static bool is_overdue(const struct offcpu_thread *thread, const struct offcpu_record *r, uint64_t now_ns)
{
	return opt->timeout_ns && now_ns >= r->since_ns + opt->timeout_ns && thread->reported_ns != r->since_ns;
}

/* One that goes on. */
static void take_going(const struct offcpu_record *r, const struct chain_builder *chain)
{
	struct offcpu_thread *thread = offcpu_thread(&run.threads, r->tid);
	uint64_t now = monotonic_ns();

	thread->held_since_ns = r->since_ns;
	chain_builder_copy(&thread->held, chain);
	str_clear(&thread->held_copy);
	str_add(&thread->held_copy, str_text(&run.threads.copy), run.threads.copy.len);
	if (!is_overdue(thread, r, now))
		return;
	thread->reported_ns = r->since_ns;
	offcpu_say_overdue(thread, r, now, chain);
	add_single(run.timeout, r, r->since_ns, now, RECORDING_OPEN, chain->list, chain->count);
}

static void take_part(const struct offcpu_thread *thread, uint32_t pid, uint64_t begin_ns, uint64_t now_ns,
		      uint64_t longest_ns)
{
	add_summed(&(struct span){
		.pid = (int)pid,
		.tid = (int)thread->tid,
		.cpu = UINT32_MAX,
		.time_ns = now_ns,
		.ns = now_ns - begin_ns,
		.longest_ns = longest_ns,
		.begin_ns = begin_ns,
		.chain = thread->held.list,
		.chain_count = thread->held.count,
	}, &thread->held_copy);
}

/* What would be lost if we were killed. */
static int tell_parts(void)
{
	uint64_t now = monotonic_ns();

	if (offcpu_ask_parts(&run.threads, now, opt->min_ns) && offcpu_program_look())
		return -1;
	offcpu_tell_parts(&run.threads, now, opt->min_ns, take_part);
	return 0;
}

static void take_held(const struct offcpu_record *r)
{
	struct chain_builder *chain = &run.threads.chain;
	uint64_t user[OFFCPU_FRAMES];

	if (r->user_count > 0)
		offcpu_threads_held(&run.threads, r, r->stack + (r->kernel_count > 0 ? r->kernel_count : 0),
				    (size_t)r->user_count);
	else
		offcpu_threads_held(&run.threads, r, user, offcpu_user_stack(r, user));
	offcpu_complete_copy(r, &run.threads.copy);
	if (run.end_ns)
		take_open(r, chain->list, chain->count);
	else
		take_going(r, chain);
}

static void take(const struct offcpu_record *r)
{
	if (r->kind == OFFCPU_HELD)
		take_held(r);
	else
		offcpu_threads_take(&run.threads, r);
}

static void flush_sums(uint64_t until_ns)
{
	const struct event *e = &run.events->list[run.offcpu];

	sums_flush(&run.sums, e, until_ns, &run.samples);
	sums_flush(&run.walk.sums, e, until_ns, &run.samples);
}

static int write_samples(struct collection *c)
{
	struct iovec records = { run.samples.buf, run.samples.len };
	int status = run.samples.len ? recording_append(&c->recording, &records, 1) : 0;

	str_clear(&run.samples);
	return status;
}

/* ---- the source ---- */

static void check(struct collection *c)
{
	offcpu_options_check(c->opt.command);
	if (opt->cgroup && (c->opt.command || selection_given(&c->opt.selection)))
		die_usage("--cgroup and -p, -t, --name or a COMMAND exclude each other");
	if (opt->cgroup) /* the program knows better */
		c->opt.all = c->one_cgroup = true;
	if (opt->watch_ns && !c->opt.cpus)
		die_usage("--watch wants -C: the CPU on which the threads come back");
	run.records = !opt->watch_ns || c->opt.output || c->source_count > 1;
	c->no_recording = !run.records;
}

/* Who is looked at; NULL: everybody, or a control group. */
static int prepare_recording(struct collection *c)
{
	struct offcpu_rules rules = {
		.min_ns = opt->min_ns,
		.max_ns = opt->max_ns,
		.states = opt->states,
		.wakers = opt->wakers > 0,
		.at_return = opt->at_return,
		.max_threads = (uint32_t)opt->max_threads,
		.cpus = c->opt.cpus ? &c->cpus : NULL,
		.targets = collection_targets(c),
		.cgroup = opt->cgroup,
		.inherit = !c->opt.no_inherit,
	};

	run.c = c;
	run.events = &c->events;
	/* --events: a sample is a block.  Else nobody knows yet whether it is left out, or
	 * who will wake it. */
	run.parts = !opt->events && !opt->wakers && opt->max_ns == UINT64_MAX && !c->opt.cpus;
	run.threads.hops = (unsigned)opt->wakers;
	run.threads.finish = finish_block;
	run.offcpu = spans_add_event(&c->events, RECORDING_OFFCPU);
	offcpu_walk_choose(&run.walk, c, &c->events.list[run.offcpu]);
	rules.walk_all = run.walk.all;
	rules.walked = &run.walk.processes;
	if (opt->timeout_ns)
		run.timeout = spans_add_event(&c->events, RECORDING_TIMEOUT);
	if (offcpu_program_load(&rules, take))
		return -1;
	if (opt->wakers)
		trace_frames_read(&run.threads.trace_frames);
	return 0;
}

static int prepare(struct collection *c)
{
	struct watch_rules rules = {
		.cpus = &c->cpus,
		.targets = collection_targets(c),
		.cgroup = opt->cgroup,
		.inherit = !c->opt.no_inherit,
		.counts = opt->counts,
	};

	if (opt->watch_ns && offcpu_watch_load(&rules))
		return -1;
	return run.records ? prepare_recording(c) : 0;
}

static int start_programs(struct collection *c, const struct targets *targets)
{
	struct target child = { c->command.pid, c->command.pid };
	struct targets just_child = { .list = &child, .count = c->opt.command && !c->opt.all };

	if (opt->watch_ns &&
	    (offcpu_watch_start(just_child.count ? &just_child : targets) || timer_start(&run.watch_timer, &c->session, opt->watch_ns)))
		return -1;
	if (!run.records)
		return 0;
	run.sums.begin_ns = run.walk.sums.begin_ns = c->start_ns;
	session_add_data(&c->session, offcpu_program_fd());
	if (offcpu_program_start(targets, c->command.pid))
		return -1;
	/* Looking four times within the time, we exceed it by a quarter at most. */
	return opt->timeout_ns ? timer_start(&run.timer, &c->session, opt->timeout_ns / 4 + 1) : 0;
}

static int start(struct collection *c)
{
	const struct targets *targets = collection_targets(c);
	struct targets again = {0};
	int status;

	/* Threads that were started since prepare() are targets, too. */
	if (targets == &c->targets)
		targets_find(&again, &c->opt.selection, false);
	status = start_programs(c, again.count ? &again : targets);
	targets_free(&again);
	return status;
}

static int begin(struct collection *c)
{
	(void)c;
	return run.records ? offcpu_program_begin() : 0;
}

static int look_for_overdue(void)
{
	if (!timer_is_due(run.timer) ||
	    !offcpu_ask_overdue(&run.threads, monotonic_ns(), opt->timeout_ns))
		return 0;
	return offcpu_program_look();
}

static int drain(struct collection *c)
{
	if (timer_is_due(run.watch_timer) && offcpu_watch_print()) {
		run.watch_failed = true; /* that is said once */
		return -1;
	}
	if (!run.records)
		return 0;
	offcpu_walk_hand_over(&run.walk, &run.events->list[run.offcpu], c);
	offcpu_program_round();
	return look_for_overdue() || write_samples(c) ? -1 : 0;
}

static int tick(struct collection *c)
{
	if (!run.records)
		return 0;
	offcpu_program_drain();
	if (run.parts && tell_parts())
		return -1;
	flush_sums(monotonic_ns());
	return write_samples(c);
}

static void count_losses(uint64_t *losses)
{
	struct offcpu_losses lost = offcpu_program_losses();

	losses[LOSS_lost_spans] += lost.records;
	losses_raise(losses, LOSS_untracked_threads, lost.threads);
	losses_raise(losses, LOSS_untracked_switches, lost.switches);
	losses[LOSS_lost_stacks] += run.threads.lost_stacks;
	losses_raise(losses, LOSS_open_spans, run.open);
}

static uint64_t lost_spans(void)
{
	return run.records ? offcpu_program_losses().records : 0;
}

static void end(struct collection *c, uint64_t end_ns)
{
	(void)c;
	if (run.records)
		offcpu_program_end(end_ns);
}

static int stop(struct collection *c, uint64_t end_ns)
{
	int status = opt->watch_ns && !run.watch_failed ? offcpu_watch_print() : 0;
	size_t next = 0;

	if (!run.records)
		return status;
	run.end_ns = end_ns;
	offcpu_program_drain();
	while (offcpu_ask_all(&next)) {
		if (offcpu_program_look())
			status = -1;
	}
	offcpu_program_stop();
	offcpu_threads_end(&run.threads);
	if (offcpu_walk_finish(&run.walk, &run.events->list[run.offcpu], c))
		status = -1;
	flush_sums(end_ns);
	count_losses(c->recording.tally.losses);
	return write_samples(c) || status ? -1 : 0;
}

static void say_summary(void)
{
	uint64_t left_out = offcpu_program_left_out();

	inform("offcpu: %" PRIu64 " %s of together %.3f s (%" PRIu64 " not over at the end); %.1f MB of kernel "
	       "memory for BPF maps", run.blocks, run.blocks == 1 ? "block" : "blocks",
	       (double)run.blocked_ns / NS_PER_SEC, run.open, (double)offcpu_program_memory() / 1e6);
	if (left_out)
		inform("offcpu: %" PRIu64 " %s left out: %s", left_out, left_out == 1 ? "block was" : "blocks were",
		       opt->max_ns == UINT64_MAX ? "shorter than --min" : "shorter than --min or longer than --max");
}

static int verdict(struct collection *c)
{
	(void)c;
	if (offcpu_watch_lost())
		warn("%" PRIu64 " times were not counted: too many threads", offcpu_watch_lost());
	if (run.records)
		say_summary();
	return 0;
}

static void release(void)
{
	offcpu_program_free();
	offcpu_threads_free(&run.threads);
	offcpu_walk_free(&run.walk);
	sums_free(&run.sums);
	str_free(&run.samples);
	offcpu_say_free();
	offcpu_watch_free();
	timer_stop(&run.timer);
	timer_stop(&run.watch_timer);
}

const struct source offcpu_source = {
	.name = "offcpu",
	.about = "time that threads are blocked, by stack: what they wait for",
	.examples = "  pyrograph collect offcpu -p 8513 --min 1ms --wakers\n"
		    "  pyrograph collect offcpu -a -d 10 --state blocked-io\n"
		    "  pyrograph collect offcpu --name '^db$' --timeout 5s --events\n"
		    "  pyrograph collect offcpu -C 3 --watch 1s       live, no recording\n",
	.options = offcpu_option_table,
	.looks_at_everybody = true,
	.obstacle = bpf_obstacle,
	.check = check,
	.prepare = prepare,
	.start = start,
	.begin = begin,
	.drain = drain,
	.tick = tick,
	.lost = lost_spans,
	.end = end,
	.stop = stop,
	.verdict = verdict,
	.free = release,
};
