/* offcpu: collect offcpu: how long threads are blocked, and in which stack. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bpf/offcpu/offcpu_watch.h"
#include "collect/bpf/bpf.h"
#include "collect/machine/cpus.h"
#include "collect/machine/session.h"
#include "collect/machine/targets.h"
#include "collect/offcpu/offcpu_blocks.h"
#include "collect/offcpu/offcpu_held.h"
#include "collect/offcpu/offcpu_options.h"
#include "collect/offcpu/offcpu_program.h"
#include "collect/offcpu/offcpu_say.h"
#include "collect/run/opening.h"
#include "collect/spans/span_budget.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/sorted.h"
#include "core/str.h"
#include "core/utf8.h"
#include "core/wallclock.h"

#include "bpf/offcpu_watch.skel.h" /* needs bpf/targets.h */

static struct offcpu_options *const opt = &offcpu_options;

/* --- --watch: lines on stdout, not a recording --- */

/* For each interval, the longest time that a thread which came back to a CPU was off it, blocked or waiting.
 *
 *     2016-08-12 16:13:42.163032 max offcpu for java-8513 is 1200us
 *     2016-08-12 16:13:42.163032 max offcpu for swapper/3 is 5us
 *     2016-08-12 16:13:42.163032 max offcpu for 7 more threads is 4us */

enum { WATCH_LINES = 20 }; /* per interval */

static struct offcpu_watch_bpf *watch;

struct watch_line {
	uint32_t key;
	struct watch_sum sum;
};

/* Check rights and load.  Returns 0, or -1 after a message. */
static int offcpu_watch_load(struct collection *c)
{
	struct offcpu_watch_bpf *s;
	uint32_t limit;
	int err;

	if (bpf_check_object("offcpu", offcpu_watch_bpf__elf_bytes))
		return -1;
	limit = bpf_tid_limit();
	s = watch = offcpu_watch_bpf__open();
	if (!s)
		return bpf_failure("offcpu", "open its program", errno);
	bpf_set_cpus((uint64_t *)s->rodata->cpu_mask, WATCH_CPUS, &c->cpus);
	s->rodata->tid_limit = limit;
	bpf_map__set_max_entries(s->maps.left_ns, limit + WATCH_CPUS);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, collection_targets(c), opt->cgroup,
				!c->opt.no_inherit))
		return -1;
	err = offcpu_watch_bpf__load(s);
	return err ? bpf_load_failure("offcpu", s->obj, -err, NULL) : 0;
}

static int offcpu_watch_start(const struct targets *targets)
{
	return bpf_attached("offcpu", watch->obj, offcpu_watch_bpf__attach(watch), targets, 0);
}

/* Read and clear the table that the program does not use now. */
static struct watch_line *offcpu_watch_take_lines(int map, size_t *count)
{
	struct watch_line *lines = NULL;
	size_t cap = 0;
	uint32_t key;

	*count = 0;
	while (!bpf_map_get_next_key(map, NULL, &key)) {
		lines = xgrow(lines, &cap, *count + 1, sizeof(*lines));
		lines[*count].key = key;
		if (!bpf_map_lookup_elem(map, &key, &lines[*count].sum))
			++*count;
		bpf_map_delete_elem(map, &key);
	}
	return lines;
}

static int by_longest(const void *a, const void *b)
{
	const struct watch_line *x = a, *y = b;

	return ORDER(y->sum.longest_ns, x->sum.longest_ns) ?: ORDER(x->key, y->key);
}

static void offcpu_watch_add_time(struct str *out)
{
	struct timespec now;
	struct tm local;
	char text[32];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &local);
	str_addf(out, "%s.%06ld", text, now.tv_nsec / 1000);
}

/* A name may have any bytes. */
static void offcpu_watch_add_name(struct str *out, const char name[16])
{
	printable_add(out, name, strnlen(name, 16));
}

static void offcpu_watch_add_line(struct str *out, const char *when, const struct watch_line *line)
{
	str_addf(out, "%s max offcpu for ", when);
	offcpu_watch_add_name(out, line->sum.name);
	if (!(line->key & WATCH_IDLE))
		str_addf(out, "-%" PRIu32, line->key);
	str_addf(out, " is %lluus", line->sum.longest_ns / 1000);
	if (opt->counts)
		str_addf(out, " of %llu times", line->sum.count);
	str_addc(out, '\n');
}

/* If only one thread would be left out, print its line: "1 more thread" would not be shorter. */
static void offcpu_watch_print_lines(const struct watch_line *lines, size_t count)
{
	size_t shown = opt->counts || count <= WATCH_LINES + 1 ? count : WATCH_LINES;
	struct str out = { 0 }, when = { 0 };

	offcpu_watch_add_time(&when);
	for (size_t i = 0; i < shown; i++)
		offcpu_watch_add_line(&out, when.buf, &lines[i]);
	if (shown < count)
		str_addf(&out, "%s max offcpu for %zu more threads is %lluus\n", when.buf, count - shown,
			 lines[shown].sum.longest_ns / 1000);
	fwrite(str_text(&out), 1, out.len, stdout);
	str_free(&out);
	str_free(&when);
}

/* Print the interval that is over, longest times first.  Returns 0, or -1 after a message if stdout is full. */
static int offcpu_watch_print(void)
{
	struct offcpu_watch_bpf *s = watch;
	struct bpf_map *tables[] = { s->maps.sums_0, s->maps.sums_1 };
	uint32_t full = s->bss->filling;
	struct watch_line *lines;
	size_t count;

	s->bss->filling = !full;
	bpf_wait_for_programs();
	lines = offcpu_watch_take_lines(bpf_map__fd(tables[full]), &count);
	if (count)
		qsort(lines, count, sizeof(*lines), by_longest);
	offcpu_watch_print_lines(lines, count);
	free(lines);
	return flush_stdout();
}

/* Number of times that were not counted, because the table of threads was full. */
static uint64_t offcpu_watch_lost(void)
{
	return watch ? watch->bss->lost : 0;
}

static void offcpu_watch_free(void)
{
	offcpu_watch_bpf__destroy(watch);
	watch = NULL;
}

/* --- the collector --- */

static struct {
	int timer, watch_timer; /* for --timeout, and for --watch */
	bool records;           /* records; with --watch it only prints */
	bool watch_failed;
	bool parts; /* ongoing blocks are written in parts, now and then */
} run = { .timer = -1, .watch_timer = -1 };

static void offcpu_check(struct collection *c)
{
	offcpu_options_check(c->opt.command);
	offcpu_program.wants_all = offcpu_options_want_all();
	if (opt->watch_ns && !c->opt.cpus)
		die_usage("--watch needs -C: the CPU on which the threads come back");
	run.records = !opt->watch_ns || c->opt.output || c->source_count > 1;
	c->wish.no_recording = !run.records;
}

/* Prepare the recording: set the rules that follow from our options, and the program. */
static int prepare_recording(struct collection *c)
{
	const struct offcpu_rules rules = {
		.min_ns = opt->min_ns,
		.max_ns = opt->max_ns,
		.states = opt->states,
		.wakers = opt->wakers > 0,
		.at_return = opt->at_return,
		.max_threads = (uint32_t)opt->max_threads,
		.cgroup = opt->cgroup,
	};
	/* With --events, a sample may be a whole block.  In the other cases, we do not know yet whether the block will
	 * be skipped, or who will wake the thread. */
	run.parts = !opt->detail.singly && !opt->wakers && opt->max_ns == UINT64_MAX && !c->opt.cpus;
	offcpu_program.take = offcpu_blocks_take;
	offcpu_blocks_prepare(c);
	if (offcpu_program_load(c, &rules))
		return -1;
	offcpu_blocks_loaded();
	return 0;
}

static int offcpu_prepare(struct collection *c)
{
	if (opt->watch_ns && offcpu_watch_load(c))
		return -1;
	return run.records ? prepare_recording(c) : 0;
}

static int start_watch(struct collection *c)
{
	struct target child = { c->command.pid, c->command.pid };
	struct targets just_child = { .list = &child, .count = 1 }, again = { 0 };
	const struct targets *targets = opening_targets(c, &again);
	int status = offcpu_watch_start(c->opt.command && !c->opt.all ? &just_child : targets);

	targets_free(&again);
	return status || timer_start(&run.watch_timer, &c->session, opt->watch_ns) ? -1 : 0;
}

static int offcpu_start(struct collection *c)
{
	if (opt->watch_ns && start_watch(c))
		return -1;
	if (!run.records)
		return 0;
	if (span_program_start(&offcpu_program, c))
		return -1;
	/* Check four times per timeout, so that reports are late by a quarter at most. */
	return opt->timeout_ns ? timer_start(&run.timer, &c->session, opt->timeout_ns / 4 + 1) : 0;
}

/* Blocks count from the start on. */
static int offcpu_look_once(struct collection *c)
{
	offcpu_program.walk.sums.begin_ns = offcpu_program.walk.unwalked.begin_ns = c->start_ns;
	return run.records ? offcpu_program_begin() : 0;
}

static int offcpu_drain(struct collection *c)
{
	int status;

	if (timer_is_due(run.watch_timer) && offcpu_watch_print()) {
		run.watch_failed = true; /* report the failure once */
		return -1;
	}
	status = span_life.drain(&offcpu_program, c);
	if (!timer_is_due(run.timer))
		return status;
	return offcpu_blocks_tell_overdue() || span_walk_write(&offcpu_program.walk) || status ? -1 : 0;
}

static int offcpu_tick(struct collection *c)
{
	(void)c;
	if (!run.records)
		return 0;
	span_program_take(&offcpu_program);
	if (run.parts && offcpu_blocks_tell_parts())
		return -1;
	offcpu_blocks_tell_untaken();
	offcpu_blocks_forget_threads();
	return span_program_write(&offcpu_program, monotonic_ns());
}

static int offcpu_stop(struct collection *c, uint64_t end_ns)
{
	int status = opt->watch_ns && !run.watch_failed ? offcpu_watch_print() : 0;
	uint64_t *losses = c->recording.tally.losses;
	size_t next = 0;

	if (!run.records)
		return status;
	offcpu_blocks_end(end_ns);
	span_program_take(&offcpu_program);
	while (offcpu_ask_all(&next)) {
		if (offcpu_program_look())
			status = -1;
	}
	span_program_halt(&offcpu_program);
	offcpu_blocks_tell_untaken();
	offcpu_blocks_finish();
	losses[LOSS_summed_spans] += offcpu_blocks_totals().over_budget;
	losses_raise(losses, LOSS_open_spans, offcpu_blocks_totals().open);
	return span_program_finish(&offcpu_program, c, end_ns) || status ? -1 : 0;
}

static void offcpu_say_summary(const struct collection *c)
{
	struct offcpu_totals totals = offcpu_blocks_totals();
	uint64_t left_out = offcpu_program_left_out();

	detail("offcpu: %" PRIu64 " %s, total %s (%" PRIu64 " not over at the end); %s of kernel "
	       "memory for BPF maps",
	       totals.blocks, totals.blocks == 1 ? "block" : "blocks", duration_text(totals.blocked_ns).text,
	       totals.open, span_program_memory(&offcpu_program).text);
	detail_say(&opt->detail, "offcpu", totals.over_budget);
	span_budget_say(&offcpu_program, c, (struct span_untaken){ totals.untaken, totals.stood_for });
	span_program_say_uncopied(&offcpu_program);
	if (left_out)
		detail("offcpu: %" PRIu64 " %s left out: %s", left_out, left_out == 1 ? "block was" : "blocks were",
		       opt->max_ns == UINT64_MAX ? "shorter than --min" : "shorter than --min or longer than --max");
}

static int offcpu_verdict(struct collection *c)
{
	if (offcpu_watch_lost())
		warn("%" PRIu64 " times were not counted: too many threads", offcpu_watch_lost());
	if (run.records)
		offcpu_say_summary(c);
	return 0;
}

static void offcpu_release(void)
{
	offcpu_program_free();
	offcpu_blocks_free();
	offcpu_say_free();
	offcpu_watch_free();
	timer_stop(&run.timer);
	timer_stop(&run.watch_timer);
}

static const struct source_price offcpu_prices[] = { { "context-switches", 300, 2500 }, { 0 } };

const struct source offcpu_source = {
	.name = "offcpu",
	.prices = offcpu_prices,
	.about = "time that threads are blocked, by stack: what they wait for",
	.examples = "  pyrograph collect offcpu -p 8513 --min 1ms --wakers\n"
		    "  pyrograph collect offcpu -a -d 10 --state blocked-io\n"
		    "  pyrograph collect offcpu --name '^db$' --timeout 5s --events\n"
		    "  pyrograph collect offcpu -C 3 --watch 1s       live, no recording\n",
	.options = offcpu_option_table,
	.single_ns = &offcpu_options.single_ns,
	.cgroup = &offcpu_options.cgroup,
	.looks_at_everybody = true,
	.has_account = true,
	.life = &span_life,
	.program = &offcpu_program,
	.check = offcpu_check,
	.prepare = offcpu_prepare,
	.start = offcpu_start,
	.look = offcpu_look_once,
	.drain = offcpu_drain,
	.tick = offcpu_tick,
	.stop = offcpu_stop,
	.verdict = offcpu_verdict,
	.free = offcpu_release,
};
