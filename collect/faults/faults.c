/* faults: collect faults: how long page faults take, in which stack, for which file, and where their time goes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/detail.h"
#include "collect/faults/fault_files.h"
#include "collect/faults/fault_rests.h"
#include "collect/faults/faults_program.h"
#include "collect/recording/chain_builder.h"
#include "collect/run/collection.h"
#include "collect/run/opening.h"
#include "collect/spans/span_parts.h"
#include "collect/spans/span_walk.h"
#include "core/error.h"
#include "core/wallclock.h"

#define DEFAULT_THREADS 16384
#define DEFAULT_MIN_NS 100000

static struct {
	uint64_t min_ns;
	const char *cgroup;
	int64_t max_threads;
} opt = { .min_ns = DEFAULT_MIN_NS, .max_threads = DEFAULT_THREADS };

static const struct opt options[] = {
	{ 0, "min", "TIME", "one by one from 1ms, ... on; major ones, too [100us]", .ns = &opt.min_ns },
	{ 0, "cgroup", "GROUP", "threads of this control group (v2) or below", .text = &opt.cgroup },
	{ 0, "max-threads", "N", "threads that wait in a fault at a time [" OPT_TEXT(DEFAULT_THREADS) "]",
	  .num = &opt.max_threads, .min = 1, .max = 1 << 22 },
	{ 0 }
};

static struct {
	const struct event *event;
	size_t event_number;
	struct chain_builder chain;
	struct span_walk walk;
	struct fault_files files;
	struct fault_rests rests;
	const char *missing[FAULTS_MISSING];
	bool knows_access;
	uint64_t faults, major, ns, longest_ns, lost_stacks;
	uint32_t longest_pid, longest_tid;
} run;

/* ---- what a fault was ---- */

static uint64_t faults_kind_of(uint32_t flags)
{
	if (!(flags & FAULT_HAS_VMA))
		return RECORDING_FAULT_UNKNOWN;
	if (flags & FAULT_WRITE && (flags & FAULT_OF_FILE ? !(flags & FAULT_SHARED) : flags & FAULT_PRESENT))
		return RECORDING_FAULT_COPY;
	if (flags & FAULT_OF_FILE)
		return RECORDING_FAULT_FILE;
	return flags & FAULT_MAJOR ? RECORDING_FAULT_SWAP : RECORDING_FAULT_ANONYMOUS;
}

static uint64_t access_of(uint32_t flags)
{
	if (flags & FAULT_EXEC)
		return RECORDING_FAULT_EXEC;
	if (!run.knows_access)
		return RECORDING_FAULT_ACCESS;
	return flags & FAULT_WRITE ? RECORDING_FAULT_WRITE : 0;
}

static uint64_t fault_of(uint32_t flags)
{
	return faults_kind_of(flags) | (flags & FAULT_MAJOR ? RECORDING_FAULT_MAJOR : 0) | access_of(flags);
}

static void faults_add_labels(const struct fault_record *r)
{
	struct chain_builder *c = &run.chain;
	struct fault_place place = { (int)r->pid, r->address, r->inode, r->device, r->name };

	chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_FAULT, fault_of(r->flags)));
	if (!(r->flags & FAULT_OF_FILE))
		return;
	chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_FILE,
						 fault_files_number(&run.files, &run.walk.c->recording.files, &place)));
	if (!(r->flags & FAULT_SUM))
		chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_OFFSET, r->offset));
}

static void faults_build_chain(const struct fault_record *r)
{
	struct chain_builder *c = &run.chain;
	const uint64_t *user = r->stack + (r->kernel_count > 0 ? r->kernel_count : 0);

	c->count = 0;
	run.lost_stacks += r->kernel_count < 0 || r->user_count < 0;
	if (r->kernel_count > 0)
		chain_builder_add_kernel(c, r->stack, (size_t)r->kernel_count);
	if (r->user_count > 0)
		chain_builder_add_user(c, user, (size_t)r->user_count, &run.lost_stacks);
	faults_add_labels(r);
}

/* ---- samples ---- */

/* context: the fault. */
static void faults_add_part(void *context, const struct span *span)
{
	const struct fault_record *r = context;
	const uint64_t *end = r->stack + (r->kernel_count > 0 ? r->kernel_count : 0);
	struct str copy = { 0 };

	if (r->copied)
		str_add(&copy, (const char *)end, r->copied);
	run.lost_stacks += !span_walk_add(&run.walk, run.event, span, &copy);
	str_free(&copy);
}

static void faults_add(const struct fault_record *r)
{
	const struct span_parts parts = { r->parts, RECORDING_REASON_OTHER + 1, RECORDING_REASON_CPU };
	struct span span = {
		.pid = (int)r->pid,
		.tid = (int)r->tid,
		.cpu = r->cpu,
		.time_ns = r->end_ns,
		.ns = r->ns,
		.count = r->count,
		.longest_ns = r->longest_ns,
		.begin_ns = r->begin_ns,
		.flags = r->flags & FAULT_SUM ? 0 : RECORDING_SINGLE,
	};

	if (r->flags & FAULT_SUM) {
		span_parts_divide(&parts, &span, &run.chain, faults_add_part, (void *)(uintptr_t)r);
		return;
	}
	span_parts_label(&parts, &run.chain);
	span.chain = run.chain.list;
	span.chain_count = run.chain.count;
	faults_add_part((void *)(uintptr_t)r, &span);
}

static void faults_count(const struct fault_record *r)
{
	run.faults += r->count;
	run.major += !!(r->flags & FAULT_MAJOR);
	run.ns += r->ns;
	if (r->longest_ns <= run.longest_ns)
		return;
	run.longest_ns = r->longest_ns;
	run.longest_pid = r->pid;
	run.longest_tid = r->tid;
}

static void faults_take_record(const struct fault_record *r, size_t size)
{
	if (r->flags & FAULT_REST)
		r = fault_rests_complete(&run.rests, r);
	else if (r->flags & FAULT_SUM)
		fault_rests_keep(&run.rests, r, size);
	faults_count(r);
	faults_build_chain(r);
	faults_add(r);
}

/* ---- the source ---- */

static int faults_prepare(struct collection *c)
{
	struct faults_rules rules = {
		.min_ns = opt.min_ns,
		.urgent_ns = conditions_least(&c->flight.conditions, "faults"),
		.max_threads = (uint32_t)opt.max_threads,
		.cpus = &c->cpus,
		.targets = collection_targets(c),
		.cgroup = opt.cgroup,
		.inherit = !c->opt.no_inherit,
	};

	run.event_number = spans_add_event(&c->events, RECORDING_FAULTS);
	detail_note(&(struct detail){ true, opt.min_ns }, &c->events.list[run.event_number]);
	span_walk_choose(&run.walk, c, &c->events.list[run.event_number]);
	rules.walks = run.walk.is_on;
	rules.copies_max = span_walk_copies(c);
	return faults_program_load(&rules, faults_take_record, run.missing);
}

static int faults_start(struct collection *c)
{
	run.event = &c->events.list[run.event_number];
	for (size_t i = 0; run.missing[i]; i++)
		inform("faults: this kernel does not tell of %s: that time counts as blocked, or as CPU time",
		       run.missing[i]);
	run.knows_access = faults_program_knows_access();
	if (!run.knows_access)
		inform("faults: this kernel does not tell which faults were for writing (tracepoint "
		       "exceptions:page_fault_user)");
	session_add_data(&c->session, faults_program_fd());
	return opening_start_program(c, faults_program_start);
}

static void faults_begin_recording(struct collection *c)
{
	run.walk.sums.begin_ns = run.walk.unwalked.begin_ns = c->begin_ns;
	faults_program_begin(c->begin_ns);
}

static int faults_add_cpu(struct collection *c, int cpu)
{
	(void)c;
	return faults_program_add_cpu(cpu);
}

static int faults_drain(struct collection *c)
{
	(void)c;
	span_walk_hand_over(&run.walk);
	faults_program_round();
	return span_walk_write(&run.walk);
}

static int faults_tick(struct collection *c)
{
	(void)c;
	faults_program_drain();
	span_walk_flush(&run.walk, run.event, monotonic_ns());
	return span_walk_write(&run.walk);
}

static void faults_end(struct collection *c, uint64_t end_ns)
{
	(void)c;
	faults_program_end(end_ns);
}

static uint64_t faults_lost_spans(void)
{
	return faults_program_losses().faults;
}

static int faults_stop(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses;
	struct faults_losses lost;
	int status;

	faults_program_stop();
	faults_program_take_rests();
	status = span_walk_finish(&run.walk);
	span_walk_flush(&run.walk, run.event, end_ns);
	lost = faults_program_losses();
	losses[LOSS_lost_spans] += lost.faults;
	losses[LOSS_unpaired_faults] += lost.unpaired;
	losses[LOSS_lost_stacks] += run.lost_stacks;
	losses[LOSS_uncopied_stacks] += faults_program_uncopied();
	return span_walk_write(&run.walk) || status ? -1 : 0;
}

static int faults_verdict(struct collection *c)
{
	struct str longest = { 0 };

	(void)c;
	span_walk_add_longest(&longest, run.longest_ns, run.longest_pid, run.longest_tid);
	inform("faults: %" PRIu64 " page %s (%" PRIu64
	       " major), %.3f s in all%s; %.1f MB of kernel memory for BPF maps",
	       run.faults, run.faults == 1 ? "fault" : "faults", run.major, (double)run.ns / NS_PER_SEC,
	       str_text(&longest), (double)faults_program_memory() / 1e6);
	str_free(&longest);
	span_walk_say_uncopied("faults", faults_program_uncopied());
	return 0;
}

static void faults_forget_files(struct collection *c)
{
	fault_files_forget(&run.files, &c->recording.files);
}

static void faults_release(void)
{
	faults_program_free();
	chain_builder_free(&run.chain);
	span_walk_free(&run.walk);
	fault_files_free(&run.files);
	fault_rests_free(&run.rests);
}

const struct source faults_source = {
	.name = "faults",
	.about = "page faults: duration, file, and where the time goes (BPF)",
	.examples = "  pyrograph collect faults -p 8513 --min 1ms -d 60  those of 1 ms one by one\n"
		    "  pyrograph collect faults -- make                  all of a command\n",
	.options = options,
	.single_ns = &opt.min_ns,
	.cgroup = &opt.cgroup,
	.obstacle = faults_program_obstacle,
	.prepare = faults_prepare,
	.start = faults_start,
	.begin = faults_begin_recording,
	.add_cpu = faults_add_cpu,
	.drain = faults_drain,
	.tick = faults_tick,
	.forget_files = faults_forget_files,
	.lost = faults_lost_spans,
	.missed = faults_program_missed,
	.end = faults_end,
	.stop = faults_stop,
	.verdict = faults_verdict,
	.free = faults_release,
};
