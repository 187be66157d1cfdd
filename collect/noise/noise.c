/* noise: collect noise: what disturbs the thread that runs on a CPU: interrupts, softirqs, timers, work, other threads
 * and, with --spin, gaps without a cause in software. */
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bpf/noise.h"
#include "collect/bpf/bpf.h"
#include "collect/noise/noise_lines.h"
#include "collect/noise/noise_program.h"
#include "collect/noise/noise_sources.h"
#include "collect/noise/spinner.h"
#include "collect/run/collection.h"
#include "collect/run/opening.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/wallclock.h"

/* ---- the time that a hypervisor took from a CPU, as reported to the kernel ---- */

/* The resolution of this time is a clock tick, some ms. */

/* This time in ns since the start of the machine; 0 if the kernel does not know it. */
/* /proc/stat: "cpu3 1096076 46065 575213 882006 3705 0 1633 2905 0 0"; the eighth is steal, in clock ticks */
static uint64_t steal_ns(int cpu)
{
	FILE *stat = fopen("/proc/stat", "re");
	unsigned long long ticks, found = 0;
	char line[512];
	int number;

	while (stat && fgets(line, sizeof(line), stat)) {
		if (sscanf(line, "cpu%d %*u %*u %*u %*u %*u %*u %*u %llu", &number, &ticks) == 2 && number == cpu)
			found = ticks;
	}
	if (stat)
		fclose(stat);
	return found * NS_PER_SEC / (unsigned long long)sysconf(_SC_CLK_TCK);
}

/* ---- gaps ---- */

/* Gaps of --spin that exceeded the budget, with the disturbances in each; a single disturbance may be below the
 * budget. */

enum { RING_SIZE = 16 << 20, KEPT = 1 << 14, CPUS = NOISE_CPUS, NAMED = 4 };

/* The longest gap of a CPU. */
struct worst {
	uint64_t times, ns, at_ns;
	struct str inside; /* "interrupt local-timer 12.0 us, ..." */
};

static struct {
	struct noise_record *kept; /* [KEPT], as a ring */
	size_t count;              /* that were put into it */
	struct worst *worst;
} gaps;

/* Keep a record for gaps that are reported later.  Only the last records are kept. */
static void noise_gaps_keep(const struct noise_record *r)
{
	if (!gaps.kept)
		gaps.kept = xcalloc(KEPT, sizeof(*gaps.kept));
	gaps.kept[gaps.count++ % KEPT] = *r;
}

static int noise_gaps_by_length(const void *a, const void *b)
{
	const struct noise_record *const *x = a, *const *y = b;

	return ORDER((*y)->ns, (*x)->ns) ?: ORDER((*x)->begin_ns, (*y)->begin_ns);
}

/* Find the records of the gap's time and CPU.  Returns how many there are; the caller frees *found. */
static size_t find_inside(const struct spinner_gap *gap, const struct noise_record ***found)
{
	size_t first = gaps.count > KEPT ? gaps.count - KEPT : 0, count = 0, cap = 0;

	for (size_t i = first; i < gaps.count; i++) {
		const struct noise_record *k = &gaps.kept[i % KEPT];

		if (k->cpu != (uint32_t)gap->cpu || k->end_ns < gap->begin_ns || k->begin_ns > gap->end_ns)
			continue;
		*found = xgrow(*found, &cap, count + 1, sizeof(**found));
		(*found)[count++] = k;
	}
	if (count)
		qsort(*found, count, sizeof(**found), noise_gaps_by_length);
	return count;
}

/* The longest disturbances in the gap. */
static void add_inside(const struct noise_sources *s, const struct spinner_gap *gap, struct str *out)
{
	const struct noise_record **found = NULL;
	size_t count = find_inside(gap, &found);

	for (size_t i = 0; i < count && i < NAMED; i++) {
		const struct noise_record *r = found[i];

		str_addf(out, "%s%s ", i ? ", " : "", noise_state_word(noise_state(r->kind, r->id)));
		noise_name_add(s, r->kind, r->id, r->name, out);
		str_addf(out, " %s", duration_text(r->ns).text);
	}
	if (count > NAMED)
		str_addf(out, ", %zu more", count - NAMED);
	if (!count)
		str_puts(out, gap->has_cause ? "many that are short" : "no cause in software");
	free(found);
}

/* Count a gap, and what was in it. */
static void noise_gaps_add(const struct noise_sources *s, const struct spinner_gap *gap)
{
	uint64_t ns = gap->end_ns - gap->begin_ns;
	struct worst *w;

	if (!s->budget_ns || ns <= s->budget_ns || gap->cpu >= CPUS)
		return;
	if (!gaps.worst)
		gaps.worst = xcalloc(CPUS, sizeof(*gaps.worst));
	w = &gaps.worst[gap->cpu];
	w->times++;
	if (ns <= w->ns)
		return;
	w->ns = ns;
	w->at_ns = gap->begin_ns;
	str_clear(&w->inside);
	add_inside(s, gap, &w->inside);
}

/* Name on stderr, for each CPU, the longest gap over the budget and what was in it.  Returns whether there was any. */
static bool noise_gaps_over(const struct noise_sources *s)
{
	struct str at = { 0 };
	bool any = false;

	for (int cpu = 0; gaps.worst && cpu < CPUS; cpu++) {
		const struct worst *w = &gaps.worst[cpu];

		if (!w->times)
			continue;
		any = true;
		str_clear(&at);
		noise_time_add(&at, w->at_ns);
		error("cpu%d: over the budget of %s: --spin was kept from the clock %" PRIu64
		      " times, the longest %s at %s: %s",
		      cpu, duration_text(s->budget_ns).text, w->times, duration_text(w->ns).text, at.buf,
		      w->inside.buf);
	}
	str_free(&at);
	return any;
}

static void noise_gaps_free(void)
{
	for (int cpu = 0; gaps.worst && cpu < CPUS; cpu++)
		str_free(&gaps.worst[cpu].inside);
	free(gaps.worst);
	free(gaps.kept);
	gaps.worst = NULL;
	gaps.kept = NULL;
	gaps.count = 0;
}

/* ---- the collector ---- */

enum { OVER_BUDGET = 3, /* exit status */ DEFAULT_MIN_NS = 1000 };

static struct {
	uint64_t min_ns, budget_ns;
	bool spin;
} opt = { .min_ns = DEFAULT_MIN_NS };

static const struct opt options[] = {
	{ 0, "budget", "TIME", "exit 3, and name it, if any took longer at a time", .ns = &opt.budget_ns },
	{ 0, "spin", NULL, "keep the CPUs busy: shows gaps without a cause, too", .flag = &opt.spin },
	{ 0, "min", "TIME", "record one by one from 5us, ... on [1us]", .ns = &opt.min_ns },
	{ 0 }
};

static struct {
	size_t event_number;
	const struct event *event;
	struct conditions *conditions;
	bool records;
	const char *missing[NOISE_MISSING];
	struct noise_sources sources;
	uint64_t start_ns, turn_ns, end_ns, open;
	uint64_t *steal_ns; /* of each CPU: the stolen time before the observation; in the end, that during it */
	uint64_t *
		bare_ns; /* [NOISE_CPUS] gaps without a cause, which are still to be taken off the spinning thread's
			  * time */
	struct str out;
} run;

/* ---- samples ---- */

static bool noise_is_thread_state(enum recording_state state)
{
	return state == RECORDING_NOISE_THREAD || state == RECORDING_RUNNING || state == RECORDING_IDLE;
}

/* The name that the sample of a source refers to; a thread has none. */
static uint32_t noise_name_of(uint32_t kind, uint64_t id, const char label[NOISE_NAME])
{
	return noise_is_thread(kind) ? 0 : noise_sources_name(&run.sources, kind, id, label);
}

static void noise_add_span(struct span *span, enum recording_state state, uint32_t name)
{
	const uint64_t chain[] = { RECORDING_LABEL(RECORDING_LABEL_STATE, state),
				   RECORDING_LABEL(RECORDING_LABEL_SOURCE, name) };

	if (!run.records)
		return;
	span->chain = chain;
	span->chain_count = noise_is_thread_state(state) ? 1 : 2;
	if (span->flags & RECORDING_SINGLE)
		conditions_see_span(run.conditions, run.event, span);
	span_add(&run.out, run.event, span);
}

/* Something that took some time. */
static void noise_add_single(const struct noise_record *r, uint32_t name)
{
	enum recording_state state = noise_state(r->kind, r->id);
	struct span span = {
		.pid = (int)r->pid,
		.tid = (int)r->tid,
		.cpu = r->cpu,
		.time_ns = r->end_ns,
		.ns = r->ns,
		.count = 1,
		.longest_ns = r->ns,
		.begin_ns = r->begin_ns,
		.flags = RECORDING_SINGLE,
	};
	struct noise_sum times = { .ns = r->ns, .count = 1, .longest_ns = r->ns, .longest_at_ns = r->begin_ns };

	memcpy(times.name, r->name, sizeof(times.name));
	noise_sources_add(&run.sources, r->kind, r->id, r->cpu, &times);
	noise_add_span(&span, state, name);
}

static void noise_take_record(const struct noise_record *r)
{
	if (opt.spin && opt.budget_ns)
		noise_gaps_keep(r);
	noise_add_single(r, noise_name_of(r->kind, r->id, r->name));
}

static void take_gap(const struct spinner_gap *gap)
{
	const struct noise_record r = {
		.ns = gap->end_ns - gap->begin_ns,
		.begin_ns = gap->begin_ns,
		.end_ns = gap->end_ns,
		.cpu = (uint32_t)gap->cpu,
		.kind = NOISE_HARDWARE,
		.pid = (uint32_t)getpid(),
		.tid = (uint32_t)gap->tid,
	};

	noise_gaps_add(&run.sources, gap);
	if (gap->has_cause)
		return;
	noise_add_single(&r, noise_name_of(r.kind, r.id, r.name));
	run.bare_ns[gap->cpu] += r.ns;
}

/* The BPF program counts these gaps as time of the spinning thread. */
static uint64_t take_bare(const struct noise_key *key, uint64_t ns)
{
	uint64_t *bare = opt.spin && key->kind == NOISE_RUN && key->id ? &run.bare_ns[key->cpu] : NULL, part;

	if (!bare)
		return 0;
	part = *bare < ns ? *bare : ns;
	*bare -= part;
	return part;
}

static void noise_take_sum(const struct noise_key *key, const struct noise_sum *given)
{
	enum recording_state state = noise_state(key->kind, key->id);
	uint32_t name = noise_name_of(key->kind, key->id, given->name);
	uint64_t now = run.end_ns ? run.end_ns : monotonic_ns();
	struct noise_sum sum = *given;
	struct span span;

	sum.ns -= take_bare(key, sum.ns);
	if (!sum.ns && !sum.count)
		return;
	noise_sources_add(&run.sources, key->kind, key->id, key->cpu, &sum);
	span = (struct span){
		.pid = (int)key->pid,
		.tid = (int)key->tid,
		.cpu = key->cpu,
		.time_ns = now,
		.ns = sum.ns,
		.count = sum.count,
		.longest_ns = sum.longest_ns,
		.begin_ns = now - run.turn_ns > sum.ns ? run.turn_ns : now - sum.ns,
	};
	noise_add_span(&span, state, name);
}

/* ---- the source ---- */

static void noise_check(struct collection *c)
{
	if (!c->opt.cpus)
		die_usage("whose noise? -C CPUS");
	if (opt.spin && (c->opt.command || selection_given(&c->opt.selection)))
		die_usage("--spin: the CPUs are for threads of ours: without -p, -t, --name or a COMMAND");
	run.records = c->opt.output || c->opt.keep_ns || c->source_count > 1;
	c->wish.no_recording = !run.records;
}

static uint64_t shortest(void)
{
	uint64_t budget = opt.budget_ns ? opt.budget_ns : UINT64_MAX;

	return (run.records || opt.spin) && opt.min_ns < budget ? opt.min_ns : budget;
}

static int noise_prepare(struct collection *c)
{
	const struct noise_takers takers = { noise_take_record, noise_take_sum };
	const struct noise_rules rules = {
		.cpus = &c->cpus,
		.targets = collection_targets(c),
		.inherit = !c->opt.no_inherit,
		.spins = opt.spin,
		.min_ns = shortest(),
		.urgent_ns = conditions_least(&c->flight.conditions, "noise"),
		.ring = ring_share_program(&c->wish.rings, RING_SIZE),
	};

	if (c->cpus.list[c->cpus.count - 1] >= NOISE_CPUS)
		return error("noise: only of CPUs below %d", NOISE_CPUS);
	if (run.records) {
		run.event_number = spans_add_event(&c->events, RECORDING_NOISE);
		c->events.list[run.event_number].attr.config2 = opt.min_ns;
	}
	noise_sources_begin(&run.sources, opt.budget_ns);
	run.steal_ns = xcalloc(c->cpus.count, sizeof(*run.steal_ns));
	run.bare_ns = xcalloc(NOISE_CPUS, sizeof(*run.bare_ns));
	return noise_program_load(&rules, &takers, run.missing);
}

/* Leave these CPUs if there are others, since we cause noise, too. */
static void leave_cpus(const struct collection *c)
{
	cpu_set_t others;

	if (sched_getaffinity(0, sizeof(others), &others))
		return;
	for (size_t i = 0; i < c->cpus.count; i++)
		CPU_CLR(c->cpus.list[i], &others);
	if (CPU_COUNT(&others))
		sched_setaffinity(0, sizeof(others), &others);
}

static int noise_start(struct collection *c)
{
	int status;

	if (run.records)
		run.event = &c->events.list[run.event_number];
	run.conditions = &c->flight.conditions;
	for (size_t i = 0; run.missing[i]; i++)
		detail("noise: this kernel does not report %s: their time counts for what they interrupt",
		       run.missing[i]);
	leave_cpus(c);
	session_add_data(&c->session, noise_program_fd());
	status = opening_start_program(c, noise_program_start);
	if (status || !opt.spin)
		return status;
	spinners_tell(opt.budget_ns ? opt.budget_ns : UINT64_MAX);
	if (spinners_start(&c->cpus, opt.min_ns))
		return -1;
	for (size_t i = 0; i < c->cpus.count; i++)
		noise_program_spin(c->cpus.list[i], spinner_seen(i)->tid);
	return 0;
}

static int noise_look_once(struct collection *c)
{
	for (size_t i = 0; i < c->cpus.count; i++)
		run.steal_ns[i] = steal_ns(c->cpus.list[i]);
	run.start_ns = run.turn_ns = monotonic_ns();
	if (noise_program_begin(run.start_ns))
		return -1;
	spinners_begin(run.start_ns);
	return 0;
}

static int noise_write_spans(struct collection *c)
{
	struct iovec iov = { run.out.buf, run.out.len };
	int status = run.out.len ? recording_append(&c->recording, &iov, 1) : 0;

	str_clear(&run.out);
	return status;
}

static int noise_drain(struct collection *c)
{
	noise_program_round();
	return noise_write_spans(c);
}

static int noise_tick(struct collection *c)
{
	noise_program_drain();
	spinners_take(take_gap);
	noise_program_turn();
	run.turn_ns = monotonic_ns();
	return noise_write_spans(c);
}

static void noise_end(struct collection *c, uint64_t end_ns)
{
	(void)c;
	noise_program_end(end_ns);
	spinners_end(end_ns);
}

/* Of sums that found no room. */
static uint64_t noise_lost(void)
{
	return noise_program_losses().unplaced;
}

static int noise_stop(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses;

	run.end_ns = end_ns;
	spinners_stop();
	noise_program_drain();
	spinners_take(take_gap);
	noise_program_stop(end_ns);
	for (size_t i = 0; i < c->cpus.count; i++)
		run.steal_ns[i] = steal_ns(c->cpus.list[i]) - run.steal_ns[i];
	losses[LOSS_summed_spans] += noise_program_losses().summed;
	losses[LOSS_lost_spans] += noise_lost();
	return noise_write_spans(c);
}

static void noise_describe(struct collection *c, struct recording *r)
{
	struct str names = { 0 };

	(void)c;
	noise_sources_format(&run.sources, &names);
	if (names.len)
		recording_add_section(r, RECORDING_SOURCES, names.buf, names.len);
	str_free(&names);
}

static int noise_verdict(struct collection *c)
{
	const struct noise_summary summary = {
		.sources = &run.sources,
		.cpus = &c->cpus,
		.start_ns = run.start_ns,
		.end_ns = run.end_ns,
		.steal_ns = run.steal_ns,
		.spins = opt.spin,
		.min_ns = opt.min_ns,
		.lost = noise_program_losses(),
	};
	bool over;

	noise_sources_sort(&run.sources);
	if (!run.records && noise_lines_write(&summary))
		return 1;
	noise_lines_tell(&summary);
	over = opt.budget_ns && noise_lines_over(&summary);
	over |= noise_gaps_over(&run.sources);
	return over ? OVER_BUDGET : 0;
}

static void noise_release(void)
{
	spinners_free(); /* they read the program's memory */
	noise_program_free();
	noise_sources_free(&run.sources);
	noise_gaps_free();
	free(run.steal_ns);
	free(run.bare_ns);
	str_free(&run.out);
}

const struct source noise_source = {
	.name = "noise",
	.about = "who disturbs what runs on a CPU: interrupts, timers, threads (BPF)",
	.examples = "  pyrograph collect noise -C 3 -d 60 | sort -k2nr   all that had CPU 3, as lines\n"
		    "  pyrograph collect noise -C 2-3 --budget 50us      exit 3 if any took longer\n"
		    "  pyrograph collect noise -C 3 --spin -o noise.data to draw; on an unused CPU\n",
	.options = options,
	.single_ns = &opt.min_ns,
	.looks_at_everybody = true,
	.obstacle = noise_program_obstacle,
	.object = noise_program_object,
	.check = noise_check,
	.prepare = noise_prepare,
	.start = noise_start,
	.look = noise_look_once,
	.drain = noise_drain,
	.tick = noise_tick,
	.lost = noise_lost,
	.describe = noise_describe,
	.end = noise_end,
	.missed = noise_program_missed,
	.stop = noise_stop,
	.verdict = noise_verdict,
	.free = noise_release,
};
