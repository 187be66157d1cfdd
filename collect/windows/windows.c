/* windows: collect --between, and collect windows: records the times between two events of a thread or a process, to
 * which the data of other collectors can then be limited. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/windows.h"
#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/machine/targets.h"
#include "collect/recording/event.h"
#include "collect/recording/refusal.h"
#include "collect/run/collection.h"
#include "collect/run/opening.h"
#include "collect/windows/between.h"
#include "collect/windows/window_counts.h"
#include "collect/windows/window_pairs.h"
#include "collect/windows/window_places.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/wallclock.h"

#include "bpf/windows.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

/* ---- the BPF program of collect windows (bpf/windows.bpf.c), and its probes ---- */

enum { RING_SIZE = 16 << 20, RING_PART = 16 /* wakes us */ };

struct windows_rules {
	const struct targets *targets; /* NULL: everybody */
	const char *cgroup;            /* or NULL */
	bool inherit;
	uint32_t ring; /* bytes, a power of two */
};

typedef void windows_take(const struct window_record *r);

static const char name[] = "windows";

static struct {
	struct windows_bpf *skeleton;
	struct bpf_ring ring;
	const struct window_places *places;
	struct bpf_link **links;
	size_t link_count, link_cap;
	windows_take *take;
} program;

static void windows_program_take_record(void *context, const void *data, size_t size)
{
	(void)context;
	if (size >= sizeof(struct window_record))
		program.take(data);
}

/* Probes are set one by one, since the skeleton cannot know their places. */
static void windows_program_choose_programs(struct windows_bpf *s)
{
	struct bpf_program *const probes[] = {
		s->progs.window_begins,           s->progs.window_ends,           s->progs.window_changes,
		s->progs.window_begins_in_kernel, s->progs.window_ends_in_kernel, s->progs.window_changes_in_kernel,
		s->progs.window_enters,
	};

	for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++)
		bpf_program__set_autoattach(probes[i], false);
}

/* Why the program cannot be loaded here, as bpf_object_obstacle() says it. */
static const char *windows_program_obstacle(void)
{
	return bpf_object_obstacle(windows_bpf__elf_bytes);
}

/* Check rights and load the program.  take() gets its records.  Returns 0, or -1 after a message. */
static int windows_program_load(const struct windows_rules *rules, windows_take *take)
{
	struct windows_bpf *s;
	int err;

	if (bpf_check_object(name, windows_bpf__elf_bytes))
		return -1;
	s = program.skeleton = windows_bpf__open();
	if (!s)
		return bpf_failure(name, "open its program", errno);
	program.take = take;
	windows_program_choose_programs(s);
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->rules.wake_at = rules->ring / RING_PART;
	bpf_map__set_max_entries(s->maps.ring, rules->ring);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	err = windows_bpf__load(s);
	if (err)
		return bpf_load_failure(name, s->obj, -err, NULL);
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), windows_program_take_record, NULL))
		return bpf_failure(name, "map its ring", errno);
	return 0;
}

/* Start with these places, which must stay. */
static void windows_program_set(const struct window_places *places)
{
	program.places = places;
}

static struct bpf_program *windows_program_of(const struct window_place *p)
{
	const struct windows_bpf *s = program.skeleton;
	bool in_kernel = p->name;

	switch (p->what) {
	case WINDOW_BEGIN: return in_kernel ? s->progs.window_begins_in_kernel : s->progs.window_begins;
	case WINDOW_END: return in_kernel ? s->progs.window_ends_in_kernel : s->progs.window_ends;
	default: return in_kernel ? s->progs.window_changes_in_kernel : s->progs.window_changes;
	}
}

static int keep_link(struct bpf_link *link)
{
	if (!link)
		return bpf_failure(name, "set a probe of --between", errno);
	program.links = xgrow(program.links, &program.link_cap, program.link_count + 1, sizeof(*program.links));
	program.links[program.link_count++] = link;
	return 0;
}

static int set_probe(const struct window_place *p)
{
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .retprobe = p->returns, .ref_ctr_offset = p->semaphore);
	const struct bpf_program *enters = program.skeleton->progs.window_enters;

	if (p->name)
		return keep_link(bpf_program__attach_tracepoint(windows_program_of(p), p->path, p->name));
	if (p->returns && keep_link(bpf_program__attach_uprobe(enters, false, -1, p->path, p->offset)))
		return -1;
	return keep_link(bpf_program__attach_uprobe_opts(windows_program_of(p), -1, p->path, p->offset, &opts));
}

/* Set the probes for ends first, so that a window that has begun does not miss its end. */
static int set_probes(void)
{
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < program.places->count; i++) {
			const struct window_place *p = &program.places->list[i];

			if ((p->what == WINDOW_BEGIN) == (pass == 1) && set_probe(p))
				return -1;
		}
	}
	return 0;
}

/* Set the probes. command: a process that becomes a target at its exec; 0: none.  Returns 0, or -1 after a message. */
static int windows_program_start(const struct targets *targets, int command)
{
	struct windows_bpf *s = program.skeleton;

	if (bpf_attached(name, s->obj, windows_bpf__attach(s), targets, command))
		return -1;
	if (set_probes())
		return -1;
	s->bss->is_set = 1;
	return 0;
}

_Static_assert((int)WINDOW_RETURNS == (int)RETURN_SLOTS_MAX, "all of them");

/* For struct events: the return addresses of functions whose return is probed.  (On x86-64; elsewhere the address is in
 * a register.) */
static size_t windows_program_returns(uint32_t tid, struct return_slot slots[RETURN_SLOTS_MAX])
{
	struct window_returns r;
	size_t count;

	if (!program.skeleton || bpf_map_lookup_elem(bpf_map__fd(program.skeleton->maps.returns), &tid, &r))
		return 0;
	count = r.count < WINDOW_RETURNS ? r.count : WINDOW_RETURNS;
	for (size_t i = 0; i < count; i++) {
		size_t at = (r.count - 1 - i) % WINDOW_RETURNS;

		slots[i] = (struct return_slot){ r.list[at].slot, r.list[at].address, r.list[at].since_ns };
	}
	return count;
}

/* A descriptor that is readable when much data is pending; drain() passes all of it to take(), round() only a part of
 * it. */
static int windows_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

static void windows_program_drain(void)
{
	bpf_ring_drain(&program.ring);
}

static void windows_program_round(void)
{
	bpf_ring_round(&program.ring);
}

/* The recording ends at end_ns. */
static void windows_program_end(uint64_t end_ns)
{
	program.skeleton->data->control.end_ns = end_ns;
}

static void remove_probes(void)
{
	for (size_t i = 0; i < program.link_count; i++)
		bpf_link__destroy(program.links[i]);
	program.link_count = 0;
}

/* Remove the probes; all data has been passed on then. */
static void windows_program_stop(void)
{
	remove_probes();
	windows_bpf__detach(program.skeleton);
	bpf_wait_for_programs();
	windows_program_drain();
}

/* Begins and ends lost because the ring was full. */
static uint64_t windows_program_lost(void)
{
	return program.skeleton->data->control.lost;
}

/* Bpf_missed() */
static uint64_t windows_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

static void windows_program_free(void)
{
	remove_probes();
	bpf_ring_close(&program.ring);
	windows_bpf__destroy(program.skeleton);
	free(program.links);
	memset(&program, 0, sizeof(program));
}

/* ---- the collector ---- */

#define LATE_NS \
	(5 * NS_PER_SEC) /* the longest delay with which the flight recorder may learn of the spans that it
				  * writes */

static struct {
	const char *cgroup;
} opt;

static const struct opt options[] = {
	{ 0, "cgroup", "GROUP", "threads of this control group or below", .text = &opt.cgroup }, { 0 }
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

/* With -a, any process may run the file. */
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
		.ring = ring_share_program(&c->wish.rings, RING_SIZE),
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

/* The flight recorder writes its recordings in another process; they may contain a window that goes on. */
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
	detail("%s", text.buf);
	str_free(&text);
}

static void say_counts(void)
{
#define WHAT(key, what) [RECORDING_WINDOWS_##key] = what,
	static const char *const whats[] = { RECORDING_WINDOW_TABLE(WHAT) };
#undef WHAT

	for (size_t i = 0; i < RECORDING_WINDOWS_COUNT; i++) {
		if (run.pairs.counts[i])
			detail("windows: %" PRIu64 " %s", run.pairs.counts[i], whats[i]);
	}
}

static int windows_verdict(struct collection *c)
{
	(void)c;
	windows_say_summary();
	say_counts();
	if (!run.count)
		detail("hint: no windows: is what begins them called, and what ends them, too, by the same thread "
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
	.object = windows_bpf__elf_bytes,
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
