/* faults: collect faults: how long page faults take, in which stack, for which file, and where their time goes. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/faults.h"
#include "collect/bpf/sched_switch.h"
#include "collect/faults/fault_files.h"
#include "collect/faults/fault_rests.h"
#include "collect/spans/span_budget.h"
#include "collect/spans/span_parts.h"
#include "collect/spans/span_program.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/wallclock.h"

#include "bpf/faults.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

/* ---- the BPF program of collect faults (bpf/faults.bpf.c), its software events, and its sums ---- */

/* The collector sets its take(), which gets each struct fault_record */
static struct span_program faults_program = {
	.name = "faults",
	.event_name = RECORDING_FAULTS,
	.bytes = faults_bpf__elf_bytes,
	.option = "--max-threads",
	.records = "scratch",
};

static struct faults_bpf *skeleton;
static bool knows_access; /* the tracepoints of begins are there */
static bool finds_mappings;

static struct {
	struct bpf_link **list; /* events at the end of a fault and at its begin, on each CPU */
	size_t count, cap;
} events;

/* If the kernel has only the first of these, some of a fault's time is just "blocked" or "on a CPU". */
static const struct span_tracepoint tracepoints[] = {
	{ "page_fault_user", { "faults_user", "faults_kernel" }, NULL },
	{ "contention_begin", { "faults_contention_begin", "faults_contention_end" }, "waits for mmap_lock" },
	{ "mm_vmscan_direct_reclaim_begin", { "faults_reclaim_begin", "faults_reclaim_end" }, "reclaim" },
	{ "mm_vmscan_memcg_reclaim_begin",
	  { "faults_memcg_reclaim_begin", "faults_memcg_reclaim_end" },
	  "reclaim by a cgroup's limit" },
	{ "mm_compaction_begin", { "faults_compaction_begin", "faults_compaction_end" }, "compaction" },
	{ 0 },
};

static int faults_program_choose(struct faults_bpf *s)
{
	const struct btf *types = span_program_choose(&faults_program, tracepoints);

	if (!types)
		return -1;
	knows_access = bpf_has_tracepoint(types, "page_fault_user");
	bpf_program__set_autoload(s->progs.faults_begin, !knows_access);
	bpf_program__set_autoattach(s->progs.faults_begin, false);
	bpf_program__set_autoattach(s->progs.faults_minor, false);
	bpf_program__set_autoattach(s->progs.faults_major, false);
	return sched_switch_choose("faults", s->progs.faults_switch, s->progs.faults_switch_old, NULL);
}

/* Check rights and load the program; threads: how many to follow at a time.  Returns 0, or -1 after a
 * message. */
static int faults_program_load(struct collection *c, uint64_t min_ns, uint32_t threads, const char *cgroup)
{
	struct faults_bpf *s;

	if (span_program_check(&faults_program))
		return -1;
	s = skeleton = faults_bpf__open();
	if (!s)
		return bpf_failure("faults", "open its program", errno);
	faults_program.object = SPAN_OBJECT(s);
	if (faults_program_choose(s))
		return -1;
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->have_find_vma = finds_mappings = bpf_has_find_vma();
	s->rodata->yield_nr = SYS_sched_yield;
	s->rodata->max_slots = threads;
	bpf_map__set_max_entries(s->maps.slots, threads);
	bpf_map__set_max_entries(s->maps.free_slots, threads);
	return span_program_load(&faults_program, c, min_ns, cgroup);
}

/* ---- software events ---- */

static int faults_program_open_event(int cpu, uint64_t config, const struct bpf_program *prog)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = config,
		.sample_period = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	struct bpf_link *link;

	if (fd < 0 && errno == ENODEV) /* the CPU has gone */
		return 0;
	if (fd < 0)
		return bpf_failure("faults", "count page faults", errno);
	link = bpf_program__attach_perf_event(prog, fd);
	if (!link) {
		close(fd);
		return bpf_failure("faults", "attach to the event of page faults", errno);
	}
	events.list = xgrow(events.list, &events.cap, events.count + 1, sizeof(*events.list));
	events.list[events.count++] = link; /* which owns fd */
	return 0;
}

/* Open the program's events on a CPU.  Returns 0, or -1 after a message. */
static int faults_program_add_cpu(int cpu)
{
	const struct faults_bpf *s = skeleton;

	if (faults_program_open_event(cpu, PERF_COUNT_SW_PAGE_FAULTS_MIN, s->progs.faults_minor) ||
	    faults_program_open_event(cpu, PERF_COUNT_SW_PAGE_FAULTS_MAJ, s->progs.faults_major))
		return -1;
	return knows_access ? 0 : faults_program_open_event(cpu, PERF_COUNT_SW_PAGE_FAULTS, s->progs.faults_begin);
}

static void close_events(void)
{
	for (size_t i = 0; i < events.count; i++)
		bpf_link__destroy(events.list[i]);
	events.count = 0;
}

/* Stop, after the end. */
static void faults_program_halt(void)
{
	close_events();
	span_program_halt(&faults_program);
}

/* ---- sums ---- */

static void faults_program_take_rest(const struct fault_sum *s, uint32_t cpu, uint32_t kind)
{
	struct fault_record r = {
		.cpu = cpu,
		.flags = FAULT_SUM | FAULT_REST | fault_sum_flags(kind),
		.pid = s->pid,
		.tid = s->tid,
		.begin_ns = s->begin_ns,
		.end_ns = skeleton->data->control.end_ns,
		.ip = s->ip,
		.count = s->count,
		.ns = s->ns,
		.longest_ns = s->longest_ns,
		.user_count = 1,
		.stack = { s->ip },
	};

	memcpy(r.parts, s->parts, sizeof(r.parts));
	if (s->count)
		faults_program.take(NULL, &r, sizeof(r));
}

/* After faults_program_halt(), pass the sums that no CPU has sent to take(). */
static void faults_program_take_rests(void)
{
	int cpus = libbpf_num_possible_cpus();
	struct fault_sums *sums = cpus > 0 ? xcalloc((size_t)cpus, sizeof(*sums)) : NULL;
	uint32_t zero = 0;

	if (sums && !bpf_map_lookup_elem(bpf_map__fd(skeleton->maps.sums), &zero, sums)) {
		for (int i = 0; i < cpus * FAULTS_SUMS; i++)
			faults_program_take_rest(&sums[i / FAULTS_SUMS].of[i % FAULTS_SUMS],
						 (uint32_t)(i / FAULTS_SUMS), (uint32_t)(i % FAULTS_SUMS));
	}
	free(sums);
}

static void faults_program_free(void)
{
	close_events();
	free(events.list);
	memset(&events, 0, sizeof(events));
	span_program_free(&faults_program);
}

/* ---- the collector ---- */

#define DEFAULT_THREADS 65536
#define DEFAULT_MIN_NS 100000

static struct {
	uint64_t min_ns;
	const char *cgroup;
	int64_t max_threads;
} opt = { .min_ns = DEFAULT_MIN_NS, .max_threads = DEFAULT_THREADS };

static const struct opt options[] = {
	{ 0, "min", "TIME", "one by one from 1ms, ... on; major ones, too [100us]", .ns = &opt.min_ns },
	{ 0, "cgroup", "GROUP", "threads of this control group or below", .text = &opt.cgroup },
	{ 0, "max-threads", "N", "threads at a time [" OPT_TEXT(DEFAULT_THREADS) "]", .num = &opt.max_threads, .min = 1,
	  .max = 1 << 22 },
	{ 0 }
};

static struct {
	struct fault_files files;
	struct fault_rests rests;
	uint64_t faults, major, ns, longest_ns;
	uint64_t summed; /* spans that were summed only because of the budget */
	struct span_untaken untaken;
	uint32_t longest_pid, longest_tid;
} run;

static struct span_program *const program = &faults_program;

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
	if (!knows_access)
		return RECORDING_FAULT_ACCESS;
	return flags & FAULT_WRITE ? RECORDING_FAULT_WRITE : 0;
}

static uint64_t fault_of(uint32_t flags)
{
	return faults_kind_of(flags) | (flags & FAULT_MAJOR ? RECORDING_FAULT_MAJOR : 0) | access_of(flags);
}

static void faults_add_labels(const struct fault_record *r)
{
	struct chain_builder *c = &program->chain;
	struct fault_place place = { (int)r->pid, r->address, r->inode, r->device, r->name };

	chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_FAULT, fault_of(r->flags)));
	if (r->flags & FAULT_REST)
		chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_UNTAKEN, r->flags & FAULT_LONG
											  ? RECORDING_UNTAKEN_LONG
											  : RECORDING_UNTAKEN_SHORT));
	if (!(r->flags & FAULT_OF_FILE))
		return;
	chain_builder_add_one(
		c, RECORDING_LABEL(RECORDING_LABEL_FILE,
				   fault_files_number(&run.files, &program->walk.c->recording.files, &place)));
}

static void faults_build_chain(const struct fault_record *r)
{
	struct chain_builder *c = &program->chain;
	const uint64_t *user = r->stack + (r->kernel_count > 0 ? r->kernel_count : 0);

	c->count = 0;
	program->lost_stacks += r->kernel_count < 0 || r->user_count < 0;
	if (r->kernel_count > 0)
		chain_builder_add_kernel(c, r->stack, (size_t)r->kernel_count);
	if (r->user_count > 0)
		chain_builder_add_user(c, user, (size_t)r->user_count, &program->lost_stacks);
	faults_add_labels(r);
}

/* ---- samples ---- */

/* Context: the fault. */
static void faults_add_part(void *context, const struct span *span)
{
	const struct fault_record *r = context;
	const uint64_t *end = r->stack + (r->kernel_count > 0 ? r->kernel_count : 0);
	struct str copy = { 0 };

	if (r->copied)
		str_add(&copy, (const char *)end, r->copied);
	program->lost_stacks += !span_walk_add(&program->walk, program->event, span, &copy);
	str_free(&copy);
}

/* The faults for which fault r stands, with its stack. */
static void faults_add_others(const struct fault_record *r)
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
		.begin_ns = r->others.begin_ns,
	};

	if (span.count)
		span_parts_divide(&parts, &span, &program->chain, faults_add_part, (void *)(uintptr_t)r);
}

static void faults_add(const struct fault_record *r)
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
		.flags = r->flags & FAULT_SUM ? 0 : RECORDING_SINGLE,
	};

	if (r->flags & FAULT_SUM) {
		span_parts_divide(&parts, &span, &program->chain, faults_add_part, (void *)(uintptr_t)r);
		return;
	}
	faults_add_others(r);
	if (r->flags & FAULT_OF_FILE)
		chain_builder_add_one(&program->chain, RECORDING_LABEL(RECORDING_LABEL_OFFSET, r->offset));
	span_parts_label(&parts, &program->chain);
	span.chain = program->chain.list;
	span.chain_count = program->chain.count;
	faults_add_part((void *)(uintptr_t)r, &span);
}

static void faults_count(const struct fault_record *r)
{
	uint64_t count = r->count + r->others.count;

	run.faults += count;
	run.major += r->flags & FAULT_MAJOR ? count : 0;
	run.ns += r->ns + (r->others.count ? r->others.ns : 0);
	run.summed += r->others.count + (r->flags & FAULT_LONG ? r->count : 0);
	run.untaken.other += r->others.count;
	run.untaken.none += r->flags & FAULT_REST && program->object.rules->earn ? r->count : 0;
	if (r->longest_ns <= run.longest_ns)
		return;
	run.longest_ns = r->longest_ns;
	run.longest_pid = r->pid;
	run.longest_tid = r->tid;
}

static void faults_take(void *context, const void *data, size_t size)
{
	const struct fault_record *r = data;
	size_t stack = offsetof(struct fault_record, stack), needed;

	(void)context;
	if (size < stack)
		return;
	needed = span_record_size(stack, r->kernel_count, r->user_count, r->copied);
	if (size < needed)
		return;
	if (r->flags & FAULT_REST)
		r = fault_rests_complete(&run.rests, r);
	else if (r->flags & FAULT_SUM)
		fault_rests_keep(&run.rests, r, needed);
	faults_count(r);
	faults_build_chain(r);
	faults_add(r);
}

/* ---- the source ---- */

static int faults_prepare(struct collection *c)
{
	program->take = faults_take;
	span_program_add_event(program, c, &(struct detail){ true, opt.min_ns });
	return faults_program_load(c, opt.min_ns, (uint32_t)opt.max_threads, opt.cgroup);
}

static int faults_start(struct collection *c)
{
	for (size_t i = 0; program->missing[i]; i++)
		detail("faults: this kernel does not report %s: that time counts as blocked, or as CPU time",
		       program->missing[i]);
	if (!knows_access)
		detail("faults: this kernel does not report which faults were for writing (no tracepoint "
		       "exceptions:page_fault_user)");
	if (!finds_mappings)
		detail("faults: kinds and files of pages are unknown, since this kernel has no bpf_find_vma() (Linux "
		       "5.17)");
	for (size_t i = 0; i < c->cpus.count; i++) {
		if (faults_program_add_cpu(c->cpus.list[i]))
			return -1;
	}
	return span_program_start(program, c);
}

static int faults_add_cpu(struct collection *c, int cpu)
{
	(void)c;
	return faults_program_add_cpu(cpu);
}

static int faults_stop(struct collection *c, uint64_t end_ns)
{
	faults_program_halt();
	faults_program_take_rests();
	c->recording.tally.losses[LOSS_unpaired_faults] += program->object.control->unpaired;
	c->recording.tally.losses[LOSS_summed_spans] += run.summed;
	return span_program_finish(program, c, end_ns);
}

static int faults_verdict(struct collection *c)
{
	struct str longest = { 0 };

	span_walk_add_longest(&longest, run.longest_ns, run.longest_pid, run.longest_tid);
	detail("faults: %" PRIu64 " page %s (%" PRIu64 " major), %s in all%s; %s of kernel memory for BPF maps",
	       run.faults, run.faults == 1 ? "fault" : "faults", run.major, duration_text(run.ns).text,
	       str_text(&longest), span_program_memory(program).text);
	str_free(&longest);
	span_budget_say(program, c, run.untaken);
	span_program_say_uncopied(program);
	return 0;
}

static void faults_forget_files(struct collection *c)
{
	fault_files_forget(&run.files, &c->recording.files);
}

static void faults_release(void)
{
	faults_program_free();
	fault_files_free(&run.files);
	fault_rests_free(&run.rests);
}

static const struct source_price faults_prices[] = { { "page-faults", 700, 0 }, { 0 } };

const struct source faults_source = {
	.name = "faults",
	.prices = faults_prices,
	.about = "page faults: duration, file, and where the time goes (BPF)",
	.examples = "  pyrograph collect faults -p 8513 --min 1ms -d 60  those of 1 ms one by one\n"
		    "  pyrograph collect faults -- make                  all of a command\n",
	.options = options,
	.single_ns = &opt.min_ns,
	.cgroup = &opt.cgroup,
	.has_account = true,
	.life = &span_life,
	.program = &faults_program,
	.prepare = faults_prepare,
	.start = faults_start,
	.add_cpu = faults_add_cpu,
	.forget_files = faults_forget_files,
	.stop = faults_stop,
	.verdict = faults_verdict,
	.free = faults_release,
};
