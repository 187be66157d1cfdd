/* windows: collect --between, and collect windows: times between two events of a thread or a process, so that what other
 * collectors recorded can be limited to them. */
#include <inttypes.h>

#include "collect/bpf/bpf.h"
#include "collect/recording/refusal.h"
#include "collect/run/collection.h"
#include "collect/run/opening.h"
#include "collect/windows/between.h"
#include "collect/windows/window_counts.h"
#include "collect/windows/window_pairs.h"
#include "collect/windows/windows_program.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/wallclock.h"

#define LATE_NS (5 * NS_PER_SEC) /* so late may the flight recorder hear of what it writes for */

static struct {
	const char *cgroup;
} opt;

static const struct opt options[] = {
	{ 0, "cgroup", "GROUP", "threads of this control group (v2) or below", .text = &opt.cgroup }, { 0 }
};

static void take_window(void *self, const struct window_pair *w);

static struct {
	size_t event_number;
	const struct event *event;
	struct between between;
	struct window_places places;
	struct window_pairs pairs;
	struct window_counts counts; /* of the flight recorder */
	struct str out;              /* samples to be written */
	uint64_t count, ns, longest_ns, cut, open;
} run = { .pairs = { .take = take_window } };

/* ---- samples ---- */

static void windows_add_window(struct str *out, const struct window_pair *w)
{
	uint64_t ns = w->end_ns - w->begin_ns, label = RECORDING_LABEL(RECORDING_LABEL_WINDOW, w->flags);
	struct span span = {
		.pid = (int)w->pid,
		.tid = (int)w->tid,
		.cpu = w->open ? UINT32_MAX : w->cpu,
		.time_ns = w->end_ns,
		.ns = ns,
		.count = 1,
		.longest_ns = ns,
		.begin_ns = w->begin_ns,
		.flags = RECORDING_SINGLE | (w->open ? RECORDING_OPEN : 0),
		.chain = &label,
		.chain_count = 1,
	};

	span_add(out, run.event, &span);
}

static void take_window(void *self, const struct window_pair *w)
{
	uint64_t ns = w->end_ns - w->begin_ns;

	(void)self;
	windows_add_window(&run.out, w);
	run.open += w->open;
	run.cut += (w->flags & RECORDING_WINDOW_CUT) != 0;
	run.count++;
	run.ns += ns;
	if (ns > run.longest_ns)
		run.longest_ns = ns;
}

static void windows_take_record(const struct window_record *r)
{
	window_pairs_add(&run.pairs, r);
}

static int windows_write_samples(struct collection *c)
{
	struct iovec iov = { run.out.buf, run.out.len };
	int status = run.out.len ? recording_append(&c->recording, &iov, 1) : 0;

	str_clear(&run.out);
	return status;
}

/* ---- the source ---- */

static void windows_check(struct collection *c)
{
	if (!c->opt.between)
		die_usage("windows: between what?  --between A,B, or --between FUNCTION");
	between_parse(&run.between, c->opt.between, c->opt.between_of);
	run.pairs.whole_process = run.between.whole_process;
}

/* With -a, all processes may run the file. */
static int windows_find_places(struct collection *c)
{
	struct pids all = { 0 };
	struct window_whose whose = { c->targets.processes.list, c->targets.processes.count,
				      c->opt.command ? c->opt.command[0] : NULL };
	int status;

	if (c->whole_machine && !c->opt.command) {
		if ((!run.between.begin.file && run.between.begin.kind != BETWEEN_TRACEPOINT) ||
		    (!run.between.end.file && run.between.end.kind != BETWEEN_TRACEPOINT))
			return error("--between: with -a, which program is it?  FILE:%s", run.between.begin.name);
		pids_read(&all, "/proc");
		whose.processes = all.list;
		whose.count = all.count;
	}
	window_places_free(&run.places);
	status = window_places_find(&run.places, &run.between, &whose);
	pids_free(&all);
	windows_program_set(&run.places);
	return status;
}

static bool has_returns(void)
{
	for (size_t i = 0; i < run.places.count; i++) {
		if (run.places.list[i].returns)
			return true;
	}
	return false;
}

static int windows_prepare(struct collection *c)
{
	struct windows_rules rules = {
		.targets = collection_targets(c),
		.cgroup = opt.cgroup,
		.inherit = !c->opt.no_inherit,
	};

	run.event_number = spans_add_event(&c->events, RECORDING_WINDOW);
	c->events.list[run.event_number].attr.config2 = 1;
	if ((run.between.begin.kind != BETWEEN_TRACEPOINT || run.between.end.kind != BETWEEN_TRACEPOINT) &&
	    check_uprobes("windows"))
		return -1;
	if (windows_find_places(c))
		return -1;
	if (has_returns())
		c->events.return_slots = windows_program_returns;
	return windows_program_load(&rules, windows_take_record);
}

static int windows_retarget(struct collection *c)
{
	return windows_find_places(c);
}

static int windows_start(struct collection *c)
{
	run.event = &c->events.list[run.event_number];
	session_add_data(&c->session, windows_program_fd());
	return opening_start_program(c, windows_program_start);
}

static int windows_drain(struct collection *c)
{
	windows_program_round();
	return windows_write_samples(c);
}

static int windows_tick(struct collection *c)
{
	uint64_t now = monotonic_ns(), kept = c->flight.keep_ns + c->flight.after_ns + LATE_NS;

	windows_program_drain();
	if (c->flight.keep_ns)
		window_counts_note(&run.counts, now, run.pairs.counts, now > kept ? now - kept : 0);
	return windows_write_samples(c);
}

static void windows_end(struct collection *c, uint64_t end_ns)
{
	(void)c;
	windows_program_end(end_ns);
}

static uint64_t windows_lost(void)
{
	return windows_program_lost();
}

static void windows_take_open(void *out, const struct window_pair *w)
{
	windows_add_window(out, w);
}

/* What the flight recorder writes, in another process, may be of a window that goes on. */
static void append_open(struct recording *r)
{
	struct str out = { 0 };
	struct iovec iov;

	run.pairs.take = windows_take_open;
	run.pairs.self = &out;
	window_pairs_finish(&run.pairs, r->anchors.last.monotonic_ns);
	run.pairs.take = take_window;
	run.pairs.self = NULL;
	iov = (struct iovec){ out.buf, out.len };
	if (out.len)
		recording_append(r, &iov, 1);
	str_free(&out);
}

static void windows_describe(struct collection *c, struct recording *r)
{
#define KEY(key, what) [RECORDING_WINDOWS_##key] = #key,
	static const char *const keys[] = { RECORDING_WINDOW_TABLE(KEY) };
#undef KEY
	struct str text = { 0 };
	uint64_t from_ns = r != &c->recording ? r->anchors.first.monotonic_ns : 0;

	if (r != &c->recording)
		append_open(r);
	str_addf(&text, "between %s", c->opt.between);
	for (size_t i = 0; i < text.len; i++)
		text.buf[i] = text.buf[i] == '\n' ? '?' : text.buf[i];
	str_addf(&text, "\nscope %s\n", run.between.whole_process ? "process" : "thread");
	for (size_t i = 0; i < RECORDING_WINDOWS_COUNT; i++)
		str_addf(&text, "%s %" PRIu64 "\n", keys[i],
			 run.pairs.counts[i] - window_counts_at(&run.counts, from_ns, (enum recording_windows)i));
	recording_add_section(r, RECORDING_WINDOWS, text.buf, text.len);
	str_free(&text);
}

static int windows_stop(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses;

	windows_program_stop();
	window_pairs_finish(&run.pairs, end_ns);
	losses[LOSS_lost_spans] += windows_program_lost();
	losses[LOSS_open_spans] += run.open;
	return windows_write_samples(c);
}

static void windows_say_summary(void)
{
	struct str text = { 0 };

	str_addf(&text, "windows: %" PRIu64, run.count);
	if (run.count) {
		str_puts(&text, ", on average ");
		duration_add(&text, run.ns / run.count);
		str_puts(&text, ", longest ");
		duration_add(&text, run.longest_ns);
	}
	if (run.cut)
		str_addf(&text, "; %" PRIu64 " ended with their thread", run.cut);
	if (run.open)
		str_addf(&text, "; %" PRIu64 " had not ended", run.open);
	inform("%s", text.buf);
	str_free(&text);
}

static void say_counts(void)
{
#define WHAT(key, what) [RECORDING_WINDOWS_##key] = what,
	static const char *const whats[] = { RECORDING_WINDOW_TABLE(WHAT) };
#undef WHAT

	for (size_t i = 0; i < RECORDING_WINDOWS_COUNT; i++) {
		if (run.pairs.counts[i])
			inform("windows: %" PRIu64 " %s", run.pairs.counts[i], whats[i]);
	}
}

static int windows_verdict(struct collection *c)
{
	(void)c;
	windows_say_summary();
	say_counts();
	if (!run.count)
		inform("hint: no windows: is what begins them called, and what ends them, too, by the same thread "
		       "(--between-of process: by any)?");
	return 0;
}

static void windows_release(void)
{
	windows_program_free();
	window_places_free(&run.places);
	window_pairs_free(&run.pairs);
	window_counts_free(&run.counts);
	between_free(&run.between);
	str_free(&run.out);
}

static const char *obstacle(void)
{
	const char *why = windows_program_obstacle();

	return why ? why : uprobe_obstacle();
}

const struct source windows_source = {
	.name = "windows",
	.about = "times between two events of a thread: --between A,B (BPF)",
	.examples = "  pyrograph collect windows -p 8513 --between handle   how long each call takes\n"
		    "  pyrograph collect cpu,offcpu -p 8513 --between begin_request,end_request\n",
	.options = options,
	.cgroup = &opt.cgroup,
	.on_any_cpu = true,
	.obstacle = obstacle,
	.check = windows_check,
	.prepare = windows_prepare,
	.retarget = windows_retarget,
	.start = windows_start,
	.drain = windows_drain,
	.tick = windows_tick,
	.lost = windows_lost,
	.missed = windows_program_missed,
	.end = windows_end,
	.describe = windows_describe,
	.stop = windows_stop,
	.verdict = windows_verdict,
	.free = windows_release,
};
