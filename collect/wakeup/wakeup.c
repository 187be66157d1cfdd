/* wakeup: collect wakeup: how long threads wait for a CPU after being woken or preempted, who woke them, and who
 * had the CPU. */
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "bpf/wakeup.h"
#include "collect/bpf/sched_switch.h"
#include "collect/machine/anchors.h"
#include "collect/spans/span_budget.h"
#include "collect/spans/span_program.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/map.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/str.h"
#include "core/utf8.h"
#include "core/wallclock.h"

#include "bpf/wakeup.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

/* ---- the BPF program of collect wakeup (bpf/wakeup.bpf.c), and its table of threads ---- */

/* The collector sets its take(), which gets each wait that is over */
static struct span_program wakeup_program = {
	.name = "wakeup",
	.event_name = RECORDING_WAKEUP,
	.bytes = wakeup_bpf__elf_bytes,
	.option = "--max-threads",
	.records = "scratch",
};

static struct {
	struct wakeup_bpf *skeleton;
	struct wakeup_slot *slots;
	size_t slots_size;
} own;

/* Check rights and load the program.  Returns 0, or -1 after a message. */
static int wakeup_program_load(struct collection *c, uint64_t min_ns, uint32_t threads, const char *cgroup)
{
	struct wakeup_bpf *s;

	if (span_program_check(&wakeup_program))
		return -1;
	s = own.skeleton = wakeup_bpf__open();
	if (!s)
		return bpf_failure("wakeup", "open its program", errno);
	wakeup_program.object = SPAN_OBJECT(s);
	if (sched_switch_choose("wakeup", s->progs.wakeup_switch, s->progs.wakeup_switch_old, NULL))
		return -1;
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->yield_nr = SYS_sched_yield;
	s->rodata->max_slots = threads;
	bpf_map__set_max_entries(s->maps.slots, threads);
	bpf_map__set_max_entries(s->maps.stacks, threads);
	bpf_map__set_max_entries(s->maps.free_slots, threads);
	if (wakeup_program.walk.is_on) {
		bpf_map__set_value_size(s->maps.kept, USER_COPY_MAX);
		bpf_map__set_max_entries(s->maps.kept, WAKEUP_COPIES);
	}
	if (span_program_load(&wakeup_program, c, min_ns, cgroup))
		return -1;
	own.slots = bpf_map_memory("wakeup", s->maps.slots, sizeof(*own.slots), &own.slots_size);
	return own.slots ? 0 : -1;
}

/* The table of threads, [*count], which shows after the program was halted which threads still wait. */
static volatile struct wakeup_slot *wakeup_program_slots(size_t *count)
{
	uint32_t used = own.skeleton->bss->next_slot, max = own.skeleton->rodata->max_slots;

	*count = used < max ? used : max;
	return own.slots;
}

static void wakeup_program_free(void)
{
	if (own.slots)
		munmap(own.slots, own.slots_size);
	span_program_free(&wakeup_program);
	memset(&own, 0, sizeof(own));
}

/* ---- what collect wakeup --print writes ---- */

#define NOBODY UINT32_MAX

/* The thread that had the CPU while another one waited. */
struct usurper {
	uint32_t tid; /* NOBODY: the thread was throttled */
	const char *name;
};

static const char *wakeup_lines_state_name(uint32_t state)
{
	switch (state) {
	case RECORDING_PREEMPTED: return "preempted";
	case RECORDING_QUANTUM: return "quantum-over";
	case RECORDING_YIELDED: return "yielded";
	case RECORDING_THROTTLED: return "throttled";
	default: return "woken";
	}
}

/* Add a name, of any bytes, in 15 columns and a blank; blanks within the name become _. */
static void wakeup_name_add(struct str *out, const char *name)
{
	size_t start = out->len;

	printable_add(out, name, strnlen(name, 15));
	for (size_t i = start; i < out->len; i++) {
		if (out->buf[i] == ' ')
			out->buf[i] = '_'; /* scripts split columns */
	}
	while (out->len < start + 16)
		str_addc(out, ' ');
}

static void wakeup_lines_add_clock(struct str *out, uint64_t ns)
{
	uint64_t epoch_ns = clock_ns(CLOCK_REALTIME) - monotonic_ns() + ns;
	struct tm local;
	char text[32];
	time_t seconds = (time_t)(epoch_ns / NS_PER_SEC);

	localtime_r(&seconds, &local);
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &local);
	str_addf(out, "%s.%06u ", text, (unsigned)(epoch_ns % NS_PER_SEC / 1000));
}

static const char header[] =
	"TIME                       COMM            TID         LAT(us) STATE        BY_COMM         BY_TID  "
	"WAKER_COMM      WAKER_TID\n";

static void wakeup_header_add(struct str *out)
{
	str_puts(out, header);
}

/* Add a line.  interrupt: an interrupt was the waker. */
static void wakeup_line_add(struct str *out, const struct wakeup_record *r, const struct usurper *by, bool interrupt)
{
	wakeup_lines_add_clock(out, r->end_ns);
	wakeup_name_add(out, r->name);
	str_addf(out, "%-7" PRIu32 " %11" PRIu64 " %-12s ", r->tid, (uint64_t)(r->end_ns - r->begin_ns) / 1000,
		 wakeup_lines_state_name(r->state));
	wakeup_name_add(out, by->name);
	if (by->tid != NOBODY)
		str_addf(out, "%-7" PRIu32 " ", by->tid);
	else
		str_puts(out, "-       ");
	if (r->state != RECORDING_WOKEN) {
		str_puts(out, "-               -\n");
	} else if (interrupt || r->untaken) {
		str_puts(out, interrupt ? "[interrupt]     -\n" : "-               -\n");
	} else {
		wakeup_name_add(out, r->waker_name);
		str_addf(out, "%" PRIu32 "\n", r->waker_tid);
	}
}

/* ---- the collector ---- */

#define DEFAULT_THREADS 16384

static struct {
	uint64_t min_ns; /* 0: not given, so record sums rather than a list */
	bool print;
	const char *cgroup;
	int64_t max_threads;
} opt = { .max_threads = DEFAULT_THREADS };

static const struct opt options[] = {
	{ 0, "min", "TIME", "each wait of at least 50us, 5ms, 2 (s) [sums]", .ns = &opt.min_ns },
	{ 0, "print", NULL, "print each on stdout, too; without -o, only there", .flag = &opt.print },
	{ 0, "cgroup", "GROUP", "threads of this control group or below", .text = &opt.cgroup },
	{ 0, "max-threads", "N", "threads at a time [" OPT_TEXT(DEFAULT_THREADS) "]", .num = &opt.max_threads, .min = 1,
	  .max = 1 << 22 },
	{ 0 }
};

static struct {
	struct trace_frames trace_frames;
	struct str lines; /* lines to be printed */
	bool records, print_failed;
	uint64_t waits, waited_ns, longest_ns, open, others_ns, untaken, throttled_ns;
	char longest_name[16];
	struct map thread_numbers;   /* from tids to numbers in told, + 1 */
	struct wakeup_tallies *told; /* what is recorded of each thread's tallies */
	size_t told_cap;
	uint64_t end_ns; /* of the recording; 0: not yet */
} run;

static struct span_program *const program = &wakeup_program;

/* ---- who had the CPU ---- */

/* The thread that had the CPU longest while r waited. */
static struct usurper find_usurper(const struct wakeup_record *r)
{
	struct usurper most = { RECORDING_BY_OTHERS, "?" };
	uint64_t most_ns = 0;

	if (r->state == RECORDING_THROTTLED)
		return (struct usurper){ NOBODY, "-" };

	for (uint32_t i = 0; i < r->slice_count; i++) {
		uint64_t ns = 0, end = r->end_ns;

		for (uint32_t k = 0; k < r->slice_count; k++) {
			uint64_t begin = r->slices[k].begin_ns > r->begin_ns ? r->slices[k].begin_ns : r->begin_ns;

			if (r->slices[k].tid == r->slices[i].tid && begin < end)
				ns += end - begin;
			end = r->slices[k].begin_ns;
		}
		if (ns > most_ns) {
			most_ns = ns;
			most = (struct usurper){ r->slices[i].tid, r->slices[i].name };
		}
	}
	return most;
}

/* ---- output ---- */

static int wakeup_print_lines(void)
{
	if (!opt.print || run.print_failed)
		return 0;
	fwrite(str_text(&run.lines), 1, run.lines.len, stdout);
	str_clear(&run.lines);
	run.print_failed = flush_stdout() < 0; /* report the failure once */
	return run.print_failed ? -1 : 0;
}

/* ---- samples ---- */

/* Add the waker's user stack, if it was copied. */
static void add_copied_waker(const struct wakeup_record *r, const uint64_t *stack)
{
	size_t kernel = r->kernel_count > 0 ? (size_t)r->kernel_count : 0;

	if (!r->copied || !run.records)
		return;
	span_walk_add_waker(&program->walk, program->event,
			    &(struct waker_copy){
				    .pid = r->waker_pid,
				    .tid = r->waker_tid,
				    .cpu = r->cpu,
				    .time_ns = r->begin_ns,
				    .bytes = (const uint8_t *)(stack + kernel),
				    .len = r->copied,
			    },
			    &program->chain, &program->lost_stacks);
}

/* Returns whether an interrupt was the waker. */
static bool wakeup_build_chain(const struct wakeup_record *r, const struct usurper *by, const uint64_t *stack)
{
	struct chain_builder *c = &program->chain;
	bool interrupt;

	c->count = 0;
	chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_STATE, r->state));
	if (by->tid != NOBODY)
		chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_BY, by->tid));
	if (r->untaken)
		chain_builder_add_one(
			c, RECORDING_LABEL(RECORDING_LABEL_UNTAKEN, r->end_ns - r->begin_ns < NS_PER_SEC / 1000
									    ? RECORDING_UNTAKEN_SHORT
									    : RECORDING_UNTAKEN_LONG));
	if (r->state != RECORDING_WOKEN || r->untaken)
		return false;
	program->lost_stacks += r->kernel_count < 0;
	interrupt = chain_builder_add_waker(c, &(struct waker_stack){
						       .frames = &run.trace_frames,
						       .pid = r->waker_pid,
						       .tid = r->waker_tid,
						       .stack = stack,
						       .kernel_count = r->kernel_count,
						       .user_count = r->user_count,
						       .cut = &program->lost_stacks,
					       });
	if (!interrupt)
		add_copied_waker(r, stack);
	return interrupt;
}

static void wakeup_add_span(const struct wakeup_record *r, uint32_t flags)
{
	struct span span = {
		.pid = (int)r->pid,
		.tid = (int)r->tid,
		.cpu = r->cpu,
		.time_ns = r->end_ns,
		.ns = r->end_ns - r->begin_ns,
		.count = 1,
		.longest_ns = r->end_ns - r->begin_ns,
		.begin_ns = r->begin_ns,
		.flags = (opt.min_ns || flags ? RECORDING_SINGLE : 0) | flags,
		.chain = program->chain.list,
		.chain_count = program->chain.count,
	};

	if (run.records)
		span_walk_add(&program->walk, program->event, &span, NULL);
}

static void count_wait(const struct wakeup_record *r)
{
	uint64_t ns = r->end_ns - r->begin_ns;

	if (r->state == RECORDING_THROTTLED) {
		run.throttled_ns += ns;
		return;
	}
	run.waits++;
	run.waited_ns += ns;
	if (ns < run.longest_ns)
		return;
	run.longest_ns = ns;
	snprintf(run.longest_name, sizeof(run.longest_name), "%.15s", r->name);
}

static void wakeup_take_record(const struct wakeup_record *r)
{
	struct usurper by = find_usurper(r);
	bool interrupt;

	count_wait(r);
	run.untaken += r->untaken;
	if (r->slice_count && r->slices[r->slice_count - 1].begin_ns > r->begin_ns)
		run.others_ns += r->slices[r->slice_count - 1].begin_ns - r->begin_ns;
	interrupt = wakeup_build_chain(r, &by, r->stack.entries);
	wakeup_add_span(r, 0);
	if (opt.print)
		wakeup_line_add(&run.lines, r, &by, interrupt);
}

/* ---- waits that were only counted and timed ---- */

static struct wakeup_tallies *wakeup_told(uint32_t tid)
{
	uint32_t *number = map_at(&run.thread_numbers, tid, 0);

	if (!*number) {
		*number = (uint32_t)run.thread_numbers.count;
		run.told = xgrow(run.told, &run.told_cap, *number, sizeof(*run.told));
		run.told[*number - 1] = (struct wakeup_tallies){ 0 };
	}
	return &run.told[*number - 1];
}

/* Record what is new in a tally.  While the program runs, a tally may be read when only half changed; the rest comes the
 * next time. */
static void wakeup_tell_tally(const struct wakeup_slot *s, uint32_t state, enum recording_untaken kind,
			      struct wakeup_tally now, struct wakeup_tally *told)
{
	const uint64_t chain[] = {
		RECORDING_LABEL(RECORDING_LABEL_STATE, state),
		RECORDING_LABEL(RECORDING_LABEL_UNTAKEN, kind),
	};
	struct span span = {
		.pid = (int)s->pid,
		.tid = (int)s->tid,
		.cpu = UINT32_MAX,
		.time_ns = run.end_ns ?: monotonic_ns(),
		.ns = now.ns - told->ns,
		.count = now.count - told->count,
		.chain = chain,
		.chain_count = sizeof(chain) / sizeof(*chain),
	};

	if (now.count <= told->count || now.ns < told->ns)
		return;
	*told = now;
	run.waits += span.count;
	run.untaken += span.count;
	run.waited_ns += span.ns;
	if (run.records)
		span_walk_add(&program->walk, program->event, &span, NULL);
}

static void wakeup_tell_tallies(const struct wakeup_slot *s)
{
	struct wakeup_tallies *told = wakeup_told(s->tid);

	for (unsigned i = 0; i < WAKEUP_STATES; i++) {
		wakeup_tell_tally(s, RECORDING_PREEMPTED + i, RECORDING_UNTAKEN_SHORT, s->untaken.brief[i],
				  &told->brief[i]);
		wakeup_tell_tally(s, RECORDING_PREEMPTED + i, RECORDING_UNTAKEN_LONG, s->untaken.long_[i],
				  &told->long_[i]);
	}
}

static void wakeup_tell_untaken(void)
{
	size_t count;
	volatile struct wakeup_slot *slots = wakeup_program_slots(&count);

	for (size_t i = 0; program->object.rules->earn && i < count; i++) {
		struct wakeup_slot s = slots[i];

		if (s.tid && slots[i].tid == s.tid)
			wakeup_tell_tallies(&s);
	}
}

/* The thread's id may belong to another thread from now on. */
static void wakeup_take_end(const struct wakeup_record *r)
{
	struct wakeup_slot s = { .pid = r->pid, .tid = r->tid };

	memcpy(&s.untaken, &r->stack, sizeof(s.untaken));
	wakeup_tell_tallies(&s);
	memset(wakeup_told(r->tid), 0, sizeof(*run.told));
}

static void wakeup_take(void *context, const void *data, size_t size)
{
	const struct wakeup_record *r = data;
	size_t stack = offsetof(struct wakeup_record, stack);

	(void)context;
	if (size >= stack + sizeof(struct wakeup_tallies) && r->state == RECORDING_DEAD)
		wakeup_take_end(r);
	else if (size >= stack && r->slice_count <= WAKEUP_WALK &&
		 size >= span_record_size(stack, r->kernel_count, r->user_count, r->copied))
		wakeup_take_record(r);
}

/* Take the threads that still wait when the recording ends.  Which thread each waits for is unknown. */
static void wakeup_take_open(uint64_t end_ns)
{
	uint64_t begin_ns = program->object.control->begin_ns;
	size_t count;
	volatile struct wakeup_slot *slots = wakeup_program_slots(&count);

	for (size_t i = 0; i < count; i++) {
		volatile struct wakeup_slot *s = &slots[i];
		struct wakeup_record r = { .cpu = UINT32_MAX,
					   .pid = s->pid,
					   .tid = s->tid,
					   .state = s->state,
					   .begin_ns = s->begin_ns > begin_ns ? s->begin_ns : begin_ns,
					   .end_ns = end_ns };

		if (!s->tid || !s->begin_ns || s->begin_ns < s->left_ns || s->begin_ns >= end_ns ||
		    end_ns - r.begin_ns < opt.min_ns)
			continue;
		count_wait(&r);
		run.open++;
		program->chain.count = 0;
		chain_builder_add_one(&program->chain, RECORDING_LABEL(RECORDING_LABEL_STATE, r.state));
		wakeup_add_span(&r, RECORDING_OPEN);
	}
}

/* ---- the source ---- */

static void wakeup_check(struct collection *c)
{
	run.records = !opt.print || c->opt.output || c->source_count > 1;
	c->wish.no_recording = !run.records;
}

static int wakeup_prepare(struct collection *c)
{
	program->take = wakeup_take;
	program->wants_all = opt.print;
	if (run.records)
		span_program_add_event(program, c, NULL);
	if (wakeup_program_load(c, opt.min_ns, (uint32_t)opt.max_threads, opt.cgroup))
		return -1;
	trace_frames_read(&run.trace_frames);
	return 0;
}

static int wakeup_start(struct collection *c)
{
	if (opt.print)
		wakeup_header_add(&run.lines);
	return span_program_start(program, c) || wakeup_print_lines() ? -1 : 0;
}

static int wakeup_drain(struct collection *c)
{
	int status = span_life.drain(program, c);

	return wakeup_print_lines() || status ? -1 : 0;
}

static int wakeup_tick(struct collection *c)
{
	int status;

	(void)c;
	span_program_take(program);
	wakeup_tell_untaken();
	status = span_program_write(program, monotonic_ns());
	return wakeup_print_lines() || status ? -1 : 0;
}

static int wakeup_stop(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses;
	int status;

	span_program_halt(program);
	run.end_ns = end_ns;
	wakeup_tell_untaken();
	wakeup_take_open(end_ns);
	losses_raise(losses, LOSS_open_spans, run.open);
	losses_raise(losses, LOSS_others_ns, run.others_ns);
	status = span_program_finish(program, c, end_ns);
	return wakeup_print_lines() || status ? -1 : 0;
}

static void wakeup_say_summary(void)
{
	struct str waits = { 0 };

	str_addf(&waits, "wakeup: %" PRIu64 " %s for a CPU", run.waits, run.waits == 1 ? "wait" : "waits");
	if (run.waits) {
		str_addf(&waits, ", total %s, longest %s (", duration_text(run.waited_ns).text,
			 duration_text(run.longest_ns).text);
		wakeup_name_add(&waits, run.longest_name);
		while (waits.buf[waits.len - 1] == ' ')
			waits.len--;
		str_addc(&waits, ')');
	}
	if (run.throttled_ns)
		str_addf(&waits, "; stopped by CPU limits of control groups for %s",
			 duration_text(run.throttled_ns).text);
	detail("%.*s; %s of kernel memory for BPF maps", (int)waits.len, waits.buf, span_program_memory(program).text);
	str_free(&waits);
	span_program_say_uncopied(program);
}

static int wakeup_verdict(struct collection *c)
{
	uint64_t waits = program->object.control->lost, threads = program->object.control->untracked_threads;

	if (c->wish.no_recording && (waits || threads))
		warn("wakeup: lost: %" PRIu64 " waits (the ring was full), %" PRIu64 " threads (--max-threads)", waits,
		     threads);
	wakeup_say_summary();
	span_budget_say(program, c, (struct span_untaken){ run.untaken, 0 });
	return 0;
}

static void wakeup_release(void)
{
	wakeup_program_free();
	trace_frames_free(&run.trace_frames);
	map_free(&run.thread_numbers);
	free(run.told);
	str_free(&run.lines);
}

static const struct source_price wakeup_prices[] = { { "sched:sched_waking", 400, 1500 }, { 0 } };

const struct source wakeup_source = {
	.name = "wakeup",
	.prices = wakeup_prices,
	.about = "time that threads wait for a CPU, who woke them, who had it (BPF)",
	.examples = "  pyrograph collect wakeup -p 8513 -d 10           sums, with wakers' stacks\n"
		    "  pyrograph collect wakeup -a --min 5ms --print    live, a line for each wait\n",
	.options = options,
	.single_ns = &opt.min_ns,
	.cgroup = &opt.cgroup,
	.looks_at_everybody = true,
	.has_account = true,
	.life = &span_life,
	.program = &wakeup_program,
	.check = wakeup_check,
	.prepare = wakeup_prepare,
	.start = wakeup_start,
	.drain = wakeup_drain,
	.tick = wakeup_tick,
	.stop = wakeup_stop,
	.verdict = wakeup_verdict,
	.free = wakeup_release,
};
