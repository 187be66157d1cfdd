/* syscalls: collect syscalls: how long system calls take, in which stack, for which file, and where their time goes. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "bpf/syscalls.h"
#include "collect/bpf/sched_switch.h"
#include "collect/machine/session.h"
#include "collect/spans/span_budget.h"
#include "collect/spans/span_parts.h"
#include "collect/spans/span_program.h"
#include "collect/syscalls/call_file.h"
#include "collect/syscalls/call_say.h"
#include "collect/syscalls/syscall_names.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/intern.h"
#include "core/memory.h"
#include "core/wallclock.h"

#include "bpf/syscalls.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

/* ---- the BPF program (bpf/syscalls.bpf.c), its sums, and its looks at ongoing calls ---- */

struct syscalls_rules {
	uint64_t min_ns;  /* shorter ones are summed */
	const char *call; /* pattern of names; NULL: all */
	bool only_errors;
	uint32_t max_threads;
	const char *cgroup; /* or NULL */
};

enum { BLOCKS_PER_THREAD = 16, ENTRIES_PER_THREAD = 32 };

/* The collector sets its take(), which gets each struct call_record; of a sum, nothing after its parts is set. */
static struct span_program syscalls_program = {
	.name = "syscalls",
	.event_name = RECORDING_CALLS,
	.bytes = syscalls_bpf__elf_bytes,
	.option = "--max-threads",
	.records = "scratch",
};

static struct {
	struct syscalls_bpf *skeleton;
	struct call_sums *sums, *no_sums; /* of each possible CPU */
	int cpus;
	struct syscall_about abouts[2 * SYSCALLS_NUMBERS];
} own;

/* ---- loading ---- */

static void syscalls_program_set_options(struct syscalls_bpf *s, const struct syscalls_rules *rules)
{
	s->rodata->have_regs = bpf_has_registers();
	bpf_choose_loop(s->obj, &s->rodata->have_loop);
	s->rodata->yield_nr = SYS_sched_yield;
	s->rodata->is_selective = rules->call != NULL;
	s->rodata->only_errors = rules->only_errors;
	s->rodata->max_slots = rules->max_threads;
	bpf_map__set_max_entries(s->maps.slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.free_slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.block_stacks, rules->max_threads / BLOCKS_PER_THREAD + 1);
	bpf_map__set_max_entries(s->maps.kept_entries, rules->max_threads / ENTRIES_PER_THREAD + 1);
	bpf_program__set_autoattach(s->progs.syscalls_look, false);
}

static int set_abouts(void)
{
	int map = bpf_map__fd(own.skeleton->maps.abouts);

	for (uint32_t i = 0; i < 2 * SYSCALLS_NUMBERS; i++) {
		if (bpf_map_update_elem(map, &i, &own.abouts[i], BPF_ANY))
			return bpf_failure("syscalls", "tell its program of the calls", errno);
	}
	return 0;
}

static void make_tables(void)
{
	own.cpus = libbpf_num_possible_cpus();
	if (own.cpus < 1)
		own.cpus = 1;
	own.sums = xcalloc((size_t)own.cpus, sizeof(*own.sums));
	own.no_sums = xcalloc((size_t)own.cpus, sizeof(*own.no_sums));
}

/* Check rights and load the program.  Returns 0, or -1 after a message. */
static int syscalls_program_load(struct collection *c, const struct syscalls_rules *rules)
{
	struct syscalls_bpf *s;

	syscall_abouts(own.abouts, rules->call);
	if (span_program_check(&syscalls_program))
		return -1;
	s = own.skeleton = syscalls_bpf__open();
	if (!s)
		return bpf_failure("syscalls", "open its program", errno);
	syscalls_program.object = SPAN_OBJECT(s);
	if (sched_switch_choose("syscalls", s->progs.syscalls_switch, s->progs.syscalls_switch_old, NULL))
		return -1;
	syscalls_program_set_options(s, rules);
	if (span_program_load(&syscalls_program, c, rules->min_ns, rules->cgroup))
		return -1;
	make_tables();
	return set_abouts();
}

/* ---- data ---- */

static void syscalls_program_take_sum(const struct call_sum *s, uint32_t cpu)
{
	struct call_record r = {
		.cpu = cpu,
		.flags = CALL_SUM | (s->is_long ? CALL_LONG : 0),
		.pid = s->pid,
		.tid = s->tid,
		.number = s->number,
		.error = s->error,
		.begin_ns = s->begin_ns,
		.end_ns = s->end_ns,
		.count = s->count,
		.ns = s->ns,
		.longest_ns = s->longest_ns,
	};

	memcpy(r.parts, s->parts, sizeof(r.parts));
	if (s->count)
		syscalls_program.take(NULL, &r, sizeof(r));
}

/* Pass the sums so far to take(), and begin new sums. */
static void syscalls_program_take_sums(void)
{
	struct syscalls_bpf *s = own.skeleton;
	int map = bpf_map__fd(s->maps.sums);
	uint32_t full = s->bss->filling;

	s->bss->filling = !full;
	bpf_wait_for_programs();
	if (bpf_map_lookup_elem(map, &full, own.sums))
		return;
	bpf_map_update_elem(map, &full, own.no_sums, BPF_ANY);
	for (int cpu = 0; cpu < own.cpus; cpu++) {
		for (size_t i = 0; i < SYSCALLS_SUMS; i++)
			syscalls_program_take_sum(&own.sums[cpu].of[i], (uint32_t)cpu);
	}
}

/* Make the program send the ongoing calls that began at before_ns or earlier.  flag: CALL_OPEN, or CALL_HANGS, which
 * sends each call only once.  CALL_BEFORE, at the start, sends nothing, but lets calls in which threads are blocked now
 * count from the begin on. Returns 0, or -1 after a message. */
static int syscalls_program_look(uint32_t flag, uint64_t before_ns)
{
	struct syscalls_bpf *s = own.skeleton;

	s->bss->look_for = flag;
	s->bss->look_ns = before_ns;
	return bpf_iterate("syscalls", s->progs.syscalls_look, "calls that go on");
}

/* Number of calls whose begin was missed, most of which began before the recording; and of calls that a signal
 * interrupted. */
static uint64_t syscalls_program_no_begin(void)
{
	return own.skeleton->bss->no_begin;
}

static uint64_t syscalls_program_restarted(void)
{
	return own.skeleton->bss->restarted;
}

static void syscalls_program_free(void)
{
	span_program_free(&syscalls_program);
	free(own.sums);
	free(own.no_sums);
	memset(&own, 0, sizeof(own));
}

/* ---- the collector ---- */

#define DEFAULT_THREADS 65536
#define DEFAULT_MIN_NS 1000000

static struct {
	uint64_t min_ns, timeout_ns;
	const char *call, *cgroup;
	bool errors;
	int64_t max_threads;
} opt = { .min_ns = DEFAULT_MIN_NS, .max_threads = DEFAULT_THREADS };

static const struct opt options[] = {
	{ 0, "min", "TIME", "one by one from 10us, ... on; shorter: sums [1ms]", .ns = &opt.min_ns },
	{ 0, "call", "REGEXP", "only system calls with such a name", .text = &opt.call },
	{ 0, "errors", NULL, "only calls that failed", .flag = &opt.errors },
	{ 0, "timeout", "TIME", "report calls that go on this long (500ms, 2m)", .ns = &opt.timeout_ns },
	{ 0, "cgroup", "GROUP", "threads of this control group or below", .text = &opt.cgroup },
	{ 0, "max-threads", "N", "threads at a time [" OPT_TEXT(DEFAULT_THREADS) "]", .num = &opt.max_threads, .min = 1,
	  .max = 1 << 22 },
	{ 0 }
};

static struct {
	struct str copy;       /* length of the user stack that is not in the chain */
	struct intern numbers; /* uint32_t, of all calls that were recorded */
	int timer;
	uint64_t calls, failed, ns, longest_ns, open, before;
	uint64_t summed; /* spans that were summed only because of the budget */
	struct span_untaken untaken;
	uint32_t longest_number, longest_tid;
} run = { .timer = -1 };

static struct span_program *const program = &syscalls_program;

/* ---- samples ---- */

static void syscalls_add_file(const struct call_record *r)
{
	struct path_record read;
	struct str text = { 0 };

	call_file_add(&text, call_held_path(r, &read));
	if (text.len)
		chain_builder_add_one(&program->chain, RECORDING_LABEL(RECORDING_LABEL_FILE,
								       file_list_add(&program->walk.c->recording.files,
										     text.buf, text.len)));
	str_free(&text);
}

static bool has_stack(const struct call_record *r)
{
	return !(r->flags & CALL_SUM) || r->flags & CALL_STACK;
}

static void syscalls_add_labels(const struct call_record *r)
{
	struct chain_builder *c = &program->chain;

	intern_add(&run.numbers, (const char *)&r->number, sizeof(r->number));
	chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_SYSCALL, r->number));
	if (r->error)
		chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_ERRNO, r->error));
	if (!has_stack(r))
		chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_UNTAKEN, r->flags & CALL_LONG
											  ? RECORDING_UNTAKEN_LONG
											  : RECORDING_UNTAKEN_SHORT));
	if (r->flags & CALL_SUM)
		return;
	syscalls_add_file(r);
	if (r->parts[RECORDING_REASON_RUNNABLE])
		chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_BY, r->by));
}

static const uint64_t *user_part(const struct call_record *r)
{
	return r->stack + (r->kernel_count > 0 ? r->kernel_count : 0);
}

static void syscalls_build_chain(const struct call_record *r)
{
	struct chain_builder *c = &program->chain;

	c->count = 0;
	str_clear(&run.copy);
	if (has_stack(r)) {
		program->lost_stacks += r->kernel_count < 0 || r->user_count < 0;
		if (r->kernel_count > 0)
			chain_builder_add_kernel(c, r->stack, (size_t)r->kernel_count);
		if (r->user_count > 0)
			chain_builder_add_user(c, user_part(r), (size_t)r->user_count, &program->lost_stacks);
		if (r->copied)
			str_add(&run.copy, (const char *)user_part(r), r->copied);
		if (r->ip)
			program->lost_stacks += !call_held_stack(r, c, &run.copy) && r->flags & CALL_OPEN;
	}
	syscalls_add_labels(r);
}

static void syscalls_add_part(void *unused, const struct span *span)
{
	(void)unused;
	program->lost_stacks += !span_walk_add(&program->walk, program->event, span, &run.copy);
}

/* The calls for which call r stands, with its stack. */
static void syscalls_add_others(const struct call_record *r)
{
	const struct span_parts parts = span_parts_of_thread(r->others.parts);
	struct span span = {
		.pid = (int)r->pid,
		.tid = (int)r->tid,
		.cpu = r->cpu,
		.time_ns = r->end_ns,
		.ns = r->others.ns,
		.count = r->others.count,
		.longest_ns = r->others.longest_ns,
	};

	if (span.count)
		span_parts_divide(&parts, &span, &program->chain, syscalls_add_part, NULL);
}

static void syscalls_add(const struct call_record *r)
{
	const struct span_parts parts = span_parts_of_thread(r->parts);
	struct span span = {
		.pid = (int)r->pid,
		.tid = (int)r->tid,
		.cpu = r->cpu,
		.time_ns = r->end_ns,
		.ns = r->ns,
		.count = r->count,
		.longest_ns = r->longest_ns,
		.begin_ns = r->begin_ns,
		.flags = r->flags & CALL_SUM
				 ? 0
				 : RECORDING_SINGLE | (r->flags & (CALL_OPEN | CALL_BEFORE) ? RECORDING_OPEN : 0),
	};

	if (r->flags & CALL_SUM) {
		span_parts_divide(&parts, &span, &program->chain, syscalls_add_part, NULL);
		return;
	}
	syscalls_add_others(r);
	span_parts_label(&parts, &program->chain);
	span.chain = program->chain.list;
	span.chain_count = program->chain.count;
	syscalls_add_part(NULL, &span);
}

static void syscalls_count(const struct call_record *r)
{
	uint64_t others = r->flags & CALL_SUM ? 0 : r->others.count, count = r->count + others;

	run.calls += count;
	run.failed += r->error ? count : 0;
	run.ns += r->ns + (others ? r->others.ns : 0);
	run.untaken.none += program->object.rules->earn && !has_stack(r) ? count : 0;
	run.untaken.other += others;
	run.summed += others + (r->flags & CALL_LONG ? count : 0);
	run.open += r->flags & CALL_OPEN ? 1 : 0;
	run.before += r->flags & CALL_BEFORE ? 1 : 0;
	if (r->longest_ns <= run.longest_ns)
		return;
	run.longest_ns = r->longest_ns;
	run.longest_number = r->number;
	run.longest_tid = r->tid;
}

/* Report a hanging call as soon as its stack has been walked. */
static void tell_hangs(const struct call_record *r)
{
	struct span span = {
		.pid = (int)r->pid,
		.tid = (int)r->tid,
		.cpu = r->cpu,
		.time_ns = r->end_ns,
		.begin_ns = call_say_hangs(r),
		.flags = RECORDING_SINGLE | SPAN_ONLY_SEEN,
		.chain = program->chain.list,
		.chain_count = program->chain.count,
	};

	syscalls_add_part(NULL, &span);
}

static void syscalls_see(const struct event *e, const struct span *s)
{
	(void)e;
	if (s->flags & SPAN_ONLY_SEEN)
		call_say_stack(s, program->walk.c->walker);
}

static void syscalls_take_call(const struct call_record *r)
{
	syscalls_build_chain(r);
	if (r->flags & CALL_HANGS) {
		tell_hangs(r);
		return;
	}
	if (r->flags & CALL_TOLD)
		call_say_over(r);
	syscalls_count(r);
	syscalls_add(r);
}

/* In a sum, the members after `parts` are not set. */
static void syscalls_take(void *context, const void *data, size_t size)
{
	const struct call_record *r = data;
	size_t stack = offsetof(struct call_record, stack);

	(void)context;
	if (size >= offsetof(struct call_record, by) &&
	    (r->flags & CALL_SUM ||
	     (size >= stack && size >= span_record_size(stack, r->kernel_count, r->user_count, r->copied))))
		syscalls_take_call(r);
}

/* ---- the source ---- */

/* Conditions of the flight recorder name calls. */
static void number_conditions(struct conditions *c)
{
	for (size_t i = 0; i < c->count; i++) {
		struct condition *one = &c->list[i];

		if (one->detail && !strcmp(one->event, RECORDING_CALLS) &&
		    !syscall_number(one->detail, &one->detail_number))
			die_usage("--when %s: there is no system call '%s'", one->text, one->detail);
	}
}

static int syscalls_prepare(struct collection *c)
{
	const struct syscalls_rules rules = {
		.min_ns = opt.min_ns,
		.call = opt.call,
		.only_errors = opt.errors,
		.max_threads = (uint32_t)opt.max_threads,
		.cgroup = opt.cgroup,
	};

	number_conditions(&c->flight.conditions);
	program->take = syscalls_take;
	span_program_add_event(program, c, &(struct detail){ true, opt.min_ns });
	program->walk.see = syscalls_see;
	return syscalls_program_load(c, &rules);
}

static int syscalls_start(struct collection *c)
{
	int status = span_program_start(program, c);

	if (status || !opt.timeout_ns)
		return status;
	/* Look four times per timeout, so that reports are late by a quarter at most. */
	return timer_start(&run.timer, &c->session, opt.timeout_ns / 4 + 1);
}

static int syscalls_look_once(struct collection *c)
{
	(void)c;
	return syscalls_program_look(CALL_BEFORE, 0);
}

static int syscalls_drain(struct collection *c)
{
	if (timer_is_due(run.timer) && syscalls_program_look(CALL_HANGS, monotonic_ns() - opt.timeout_ns))
		return -1;
	return span_life.drain(program, c);
}

static int syscalls_tick(struct collection *c)
{
	(void)c;
	span_program_take(program);
	syscalls_program_take_sums();
	return span_program_write(program, monotonic_ns());
}

static void syscalls_describe(struct collection *c, struct recording *r)
{
	struct str lines = { 0 };

	(void)c;
	for (uint32_t i = 0; i < run.numbers.count; i++) {
		uint32_t number;

		memcpy(&number, intern_text(&run.numbers, i), sizeof(number));
		str_addf(&lines, "%" PRIu32 " ", number);
		syscall_name_add(&lines, number);
		str_addc(&lines, '\n');
	}
	if (lines.len)
		recording_add_section(r, RECORDING_SYSCALLS, lines.buf, lines.len);
	str_free(&lines);
}

static int syscalls_stop(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses;
	int looked = opt.errors ? 0 : syscalls_program_look(CALL_OPEN, end_ns - opt.min_ns);

	span_program_halt(program);
	syscalls_program_take_sums(); /* of both tables */
	syscalls_program_take_sums();
	losses[LOSS_unpaired_calls] += program->object.control->unpaired;
	losses[LOSS_summed_spans] += run.summed;
	losses_raise(losses, LOSS_open_spans, run.open);
	return span_program_finish(program, c, end_ns) || looked ? -1 : 0;
}

static void say_restarts(void)
{
	uint64_t no_begin = syscalls_program_no_begin(), restarted = syscalls_program_restarted();

	if (run.before)
		detail("syscalls: %" PRIu64 " of them began before the recording: their time since then", run.before);
	if (no_begin)
		detail("syscalls: %" PRIu64
		       " more ended whose begin was not seen: before the recording, or in a new thread%s",
		       no_begin, span_life.missed(program) ? ", or among the missed events" : "");
	if (restarted)
		detail("syscalls: %" PRIu64
		       " of them were interrupted by a signal, and are counted again if they went on",
		       restarted);
}

static void syscalls_add_longest(struct str *out)
{
	if (!run.longest_ns)
		return;
	str_addf(out, ", longest %s (", duration_text(run.longest_ns).text);
	syscall_name_add(out, run.longest_number);
	str_addf(out, ", thread %" PRIu32 ")", run.longest_tid);
}

static int syscalls_verdict(struct collection *c)
{
	struct str longest = { 0 };

	syscalls_add_longest(&longest);
	detail("syscalls: %" PRIu64 " %s (%" PRIu64 " failed), %s in all%s; %s of kernel memory for BPF maps",
	       run.calls, run.calls == 1 ? "call" : "calls", run.failed, duration_text(run.ns).text, str_text(&longest),
	       span_program_memory(program).text);
	span_budget_say(program, c, run.untaken);
	say_restarts();
	span_program_say_uncopied(program);
	str_free(&longest);
	return 0;
}

static void syscalls_release(void)
{
	timer_stop(&run.timer);
	syscalls_program_free();
	call_say_free();
	str_free(&run.copy);
	intern_free(&run.numbers);
}

static const struct source_price syscalls_prices[] = { { "raw_syscalls:sys_enter", 250, 0 },
						       { "context-switches", 120, 0 },
						       { "sched:sched_waking", 60, 0 },
						       { 0 } };

const struct source syscalls_source = {
	.name = "syscalls",
	.prices = syscalls_prices,
	.about = "system calls: duration, file, error, where the time goes (BPF)",
	.examples = "  pyrograph collect syscalls -p 8513 --min 10ms -d 60  slow ones of a process\n"
		    "  pyrograph collect syscalls --call 'fsync|fdatasync' -a  those alone\n"
		    "  pyrograph collect syscalls --timeout 5s -p 8513      report those that hang\n",
	.options = options,
	.single_ns = &opt.min_ns,
	.cgroup = &opt.cgroup,
	.looks_at_everybody = true, /* who had the CPU */
	.has_account = true,
	.life = &span_life,
	.program = &syscalls_program,
	.prepare = syscalls_prepare,
	.start = syscalls_start,
	.look = syscalls_look_once,
	.drain = syscalls_drain,
	.tick = syscalls_tick,
	.describe = syscalls_describe,
	.stop = syscalls_stop,
	.verdict = syscalls_verdict,
	.free = syscalls_release,
};
