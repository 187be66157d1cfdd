/* io: collect io: how long block I/O takes in the queue and in the device, in which stack, for which file, and which
 * thread made the written pages dirty. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "collect/io/io_devices.h"
#include "collect/io/io_files.h"
#include "collect/io/io_program.h"
#include "collect/io/io_sums.h"
#include "collect/recording/trace_frames.h"
#include "collect/spans/span_budget.h"
#include "collect/spans/span_parts.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/wallclock.h"

#define DEFAULT_MIN_NS 1000000

static struct {
	uint64_t min_ns;
	const char *cgroup;
} opt = { .min_ns = DEFAULT_MIN_NS };

static const struct opt options[] = {
	{ 0, "min", "TIME", "requests one by one from 100us, ... on [1ms]", .ns = &opt.min_ns },
	{ 0, "cgroup", "GROUP", "threads of this control group or below", .text = &opt.cgroup },
	{ 0 }
};

static struct {
	struct trace_frames trace_frames;
	struct io_files files;
	struct io_sums sums;
	struct io_devices devices;
	uint64_t requests, bytes, ns, longest_ns, open;
	struct io_request longest;
	bool any_untaken; /* the budget allowed a request no stack */
	struct span_untaken untaken;
} run;

static struct span_program *const program = &io_program;

/* What a span is made of, and the record that has its stack, or NULL. */
struct piece {
	struct io_sum_key key;
	struct span span;
	struct span_parts parts;
	uint64_t sector, offset; /* of a single one */
	const struct io_record *stack;
};

/* ---- chains ---- */

static void io_add_label(enum recording_label kind, uint64_t value)
{
	chain_builder_add_one(&program->chain, RECORDING_LABEL(kind, value));
}

static void io_add_labels(const struct piece *p)
{
	const struct io_sum_key *k = &p->key;
	bool is_single = p->span.flags & RECORDING_SINGLE;
	uint64_t sector = is_single ? (p->sector + 1) << RECORDING_SECTOR_SHIFT : 0;

	io_add_label(RECORDING_LABEL_IO, k->operation | (k->failed ? RECORDING_IO_FAILED : 0));
	io_add_label(RECORDING_LABEL_DEVICE, sector | io_devices_number(&run.devices, k->device));
	io_add_label(RECORDING_LABEL_SIZE, k->bytes);
	if (k->dirtier_tid)
		io_add_label(RECORDING_LABEL_DIRTIER, (uint64_t)k->dirtier_pid << 24 | k->dirtier_tid);
	if (!k->file)
		return;
	io_add_label(RECORDING_LABEL_FILE, k->file - 1);
	if (is_single)
		io_add_label(RECORDING_LABEL_OFFSET, p->offset);
}

/* Which requests these are is not known any more; but others would have one. */
static void io_add_untaken(const struct piece *p)
{
	run.untaken.none += p->span.count;
	io_add_label(RECORDING_LABEL_UNTAKEN,
		     p->span.flags & RECORDING_SINGLE ? RECORDING_UNTAKEN_LONG : RECORDING_UNTAKEN_SHORT);
}

static void io_build_chain(const struct piece *p)
{
	const struct io_stack *s = p->stack ? &p->stack->stack : NULL;
	size_t kernel = s && s->kernel_count > 0 ? (size_t)s->kernel_count : 0, skip;

	program->chain.count = 0;
	program->lost_stacks += s ? s->kernel_count < 0 || s->user_count < 0 : !run.any_untaken;
	if (s) {
		skip = trace_frames_count(&run.trace_frames, s->stack, kernel);
		chain_builder_add_kernel(&program->chain, s->stack + skip, kernel - skip);
		if (s->user_count > 0)
			chain_builder_add_user(&program->chain, s->stack + kernel, (size_t)s->user_count,
					       &program->lost_stacks);
	}
	io_add_labels(p);
	if (!s && run.any_untaken)
		io_add_untaken(p);
}

/* context: the record that has the stack, or NULL. */
static void io_add_part(void *context, const struct span *span)
{
	const struct io_record *r = context;
	struct str copy = { 0 };

	if (r && r->stack.copied)
		str_add(&copy, (const char *)(r->stack.stack + (r->stack.kernel_count > 0 ? r->stack.kernel_count : 0)),
			r->stack.copied);
	program->lost_stacks += !span_walk_add(&program->walk, program->event, span, &copy);
	str_free(&copy);
}

static struct span_parts io_parts(uint64_t queue_ns, uint64_t device_ns)
{
	return (struct span_parts){
		.ns = { [RECORDING_REASON_QUEUE] = queue_ns, [RECORDING_REASON_DEVICE] = device_ns },
		.rest = RECORDING_REASON_DEVICE,
	};
}

static void io_add_piece(struct piece *p)
{
	void *stack = (void *)(uintptr_t)p->stack;

	p->span.pid = (int)p->key.pid;
	p->span.tid = (int)p->key.tid;
	io_build_chain(p);
	if (!(p->span.flags & RECORDING_SINGLE)) {
		span_parts_divide(&p->parts, &p->span, &program->chain, io_add_part, stack);
		return;
	}
	span_parts_label(&p->parts, &program->chain);
	p->span.chain = program->chain.list;
	p->span.chain_count = program->chain.count;
	io_add_part(stack, &p->span);
}

/* ---- requests ---- */

static void io_add_single(const struct io_record *r, uint32_t file, const struct io_record *stack)
{
	const struct io_request *q = &r->request;
	uint64_t ns = q->queue_ns + q->device_ns;
	struct piece p = {
		.key = { q->hash, q->bytes, q->pid, q->tid, q->operation, q->device, q->dirtier_pid, q->dirtier_tid,
			 file + 1, q->flags & IO_FAILED },
		.span = {
			.cpu = r->cpu,
			.time_ns = q->begin_ns + ns,
			.ns = ns,
			.count = !(q->flags & IO_OPEN),
			.longest_ns = ns,
			.begin_ns = q->begin_ns,
			.flags = RECORDING_SINGLE | (q->flags & IO_OPEN ? RECORDING_OPEN : 0),
		},
		.parts = io_parts(q->queue_ns, q->device_ns),
		.sector = q->sector,
		.offset = q->offset,
		.stack = stack,
	};

	io_add_piece(&p);
}

static void io_add_sum(const struct io_sum *sum, const struct io_record *stack)
{
	struct piece p = {
		.key = sum->key,
		.span = {
			.cpu = UINT32_MAX,
			.time_ns = sum->begin_ns,
			.ns = sum->queue_ns + sum->device_ns,
			.count = sum->count,
			.longest_ns = sum->longest_ns,
			.begin_ns = sum->begin_ns,
		},
		.parts = io_parts(sum->queue_ns, sum->device_ns),
		.stack = stack,
	};

	io_add_piece(&p);
}

static void io_count(const struct io_request *q)
{
	uint64_t ns = q->queue_ns + q->device_ns;

	run.any_untaken |= q->flags & IO_UNTAKEN;
	run.open += !!(q->flags & IO_OPEN);
	run.requests += !(q->flags & IO_OPEN) && (q->operation & RECORDING_IO_KIND) != RECORDING_IO_FLUSH;
	run.bytes += q->bytes;
	run.ns += ns;
	if (ns <= run.longest_ns)
		return;
	run.longest_ns = ns;
	run.longest = *q;
}

static void io_take_request(const struct io_record *r, size_t size)
{
	const struct io_request *q = &r->request;
	bool has_own = q->slot && !(q->flags & IO_BY_HASH);
	uint32_t file = io_files_number(&run.files, &program->walk.c->recording.files, q);

	io_count(q);
	if (has_own && !(q->flags & IO_OPEN))
		io_sums_keep(&run.sums, r, size);
	if (q->flags & IO_SHORT && !(q->flags & IO_OPEN))
		io_sums_add(&run.sums, q, file);
	else
		io_add_single(r, file, has_own ? r : io_sums_stack(&run.sums, q->hash));
}

static void count_total(const struct io_total *t)
{
	run.requests += (t->first.operation & RECORDING_IO_KIND) != RECORDING_IO_FLUSH ? t->count : 0;
	run.any_untaken |= t->first.flags & IO_UNTAKEN;
	run.bytes += t->first.bytes * t->count;
	run.ns += t->queue_ns + t->device_ns;
	if (t->longest_ns <= run.longest_ns)
		return;
	run.longest_ns = t->longest_ns;
	run.longest = t->first;
}

static void take_total(const struct io_total *t)
{
	count_total(t);
	io_sums_add_total(&run.sums, t, io_files_number(&run.files, &program->walk.c->recording.files, &t->first));
}

static void io_take_file(const struct io_file *file)
{
	io_files_add(&run.files, &program->walk.c->recording.files, file);
}

static const struct io_listener listener = { io_take_request, take_total, io_take_file };

/* ---- the source ---- */

static int io_prepare(struct collection *c)
{
	span_program_add_event(program, c, &(struct detail){ true, opt.min_ns });
	return io_program_load(c, opt.min_ns, opt.cgroup, &listener);
}

static int io_start_recording(struct collection *c)
{
	trace_frames_read(&run.trace_frames);
	for (size_t i = 0; program->missing[i]; i++)
		detail("io: this kernel does not report %s, so the recording has no such data", program->missing[i]);
	return span_program_start(program, c);
}

static int io_tick(struct collection *c)
{
	(void)c;
	io_program_drain();
	io_sums_flush(&run.sums, io_add_sum);
	io_sums_next_generation(&run.sums);
	io_program_next_generation();
	return span_program_write(program, monotonic_ns());
}

static void io_describe(struct collection *c, struct recording *r)
{
	const struct span_control *control = program->object.control;
	struct str text = { 0 };

	(void)c;
	io_devices_complete(&run.devices, control->begin_ns, control->end_ns == SPAN_NOT_YET ? 0 : control->end_ns);
	io_devices_format(&run.devices, &text);
	if (text.len)
		recording_add_section(r, RECORDING_DEVICES, text.buf, text.len);
	str_free(&text);
}

static int io_stop(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses;

	io_program_halt(end_ns);
	io_sums_flush(&run.sums, io_add_sum);
	losses[LOSS_lost_spans] += io_program_lost() - program->object.control->lost;
	losses[LOSS_open_spans] += run.open;
	return span_program_finish(program, c, end_ns);
}

static int io_verdict(struct collection *c)
{
	struct str longest = { 0 };

	span_walk_add_longest(&longest, run.longest_ns, run.longest.pid, run.longest.tid);
	detail("io: %" PRIu64 " %s, %s, %s in all%s; %s of kernel memory for BPF maps", run.requests,
	       run.requests == 1 ? "request" : "requests", size_text(run.bytes).text, duration_text(run.ns).text,
	       str_text(&longest), span_program_memory(program).text);
	str_free(&longest);
	span_budget_say(program, c, run.untaken);
	io_devices_say(&run.devices);
	span_program_say_uncopied(program);
	return 0;
}

static void io_forget_files(struct collection *c)
{
	io_files_forget(&run.files, &c->recording.files, io_program_forget_file);
}

static void io_release(void)
{
	io_program_free();
	trace_frames_free(&run.trace_frames);
	io_files_free(&run.files);
	io_sums_free(&run.sums);
}

static const struct source_price io_prices[] = { { "block:block_rq_issue", 2000, 0 }, { 0 } };

const struct source io_source = {
	.name = "io",
	.prices = io_prices,
	.about = "block I/O: time in queue and device, file, who caused it (BPF)",
	.examples = "  pyrograph collect io -a --min 10ms -d 60  those of 10 ms one by one\n"
		    "  pyrograph collect io -- make              all of a command\n",
	.options = options,
	.single_ns = &opt.min_ns,
	.cgroup = &opt.cgroup,
	.looks_at_everybody = true,
	.has_account = true,
	.on_any_cpu = true,
	.life = &span_life,
	.program = &io_program,
	.prepare = io_prepare,
	.start = io_start_recording,
	.tick = io_tick,
	.forget_files = io_forget_files,
	.lost = io_program_lost,
	.missed = io_program_missed,
	.describe = io_describe,
	.stop = io_stop,
	.verdict = io_verdict,
	.free = io_release,
};
