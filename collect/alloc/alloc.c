/* alloc: objects on the heaps of running JVMs, by stack and class: "pyrograph collect alloc". */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/alloc/alloc_match.h"
#include "collect/alloc/alloc_probe.h"
#include "collect/alloc/alloc_weight.h"
#include "collect/alloc/native_alloc.h"
#include "collect/recording/refusal.h"
#include "collect/run/collection.h"
#include "collect/run/opening.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/outfile.h"
#include "core/symbols/jit/jit_open.h"
#include "core/wallclock.h"

/* ---- finding the JVMs among the targets of a collection ---- */

/* The longest time from exec(2) until libjvm.so is mapped, on a busy machine. */
#define PATIENCE_NS (5 * NS_PER_SEC)

/* For -a: find all JVMs. */
static void alloc_jvms_find_files(struct alloc_probes *p, bool every)
{
	struct pids all = { 0 };
	const char *why;

	pids_read(&all, "/proc");
	for (size_t i = 0; i < all.count; i++)
		alloc_probes_find(p, all.list[i], every, &why);
	pids_free(&all);
}

/* Find JVMs.  Returns 0 if there are any, else -1, after a message if complain is set. */
static int alloc_jvms_find_all(const struct collection *c, struct alloc_probes *p, bool every, bool complain)
{
	const struct pids *wanted = &c->targets.processes;
	const char *why;

	alloc_probes_forget_jvms(p);
	if (c->whole_machine)
		alloc_jvms_find_files(p, every);
	for (size_t i = 0; i < wanted->count && !c->whole_machine; i++) {
		if (!alloc_probes_find(p, wanted->list[i], every, &why) || !complain)
			continue;
		if (wanted->count == 1)
			return error("the allocations of process %d cannot be seen: %s", (int)wanted->list[0], why);
		warn("process %d is skipped: %s", (int)wanted->list[i], why);
	}
	if (p->jvms.count)
		return 0;
	return complain ? error("no HotSpot JVM whose allocations can be seen") : -1;
}

static bool any_lives(const struct pids *processes)
{
	for (size_t i = 0; i < processes->count; i++) {
		if (jit_maker_lives(processes->list[i]))
			return true;
	}
	return false;
}

/* With --wait, waits until there is a JVM.  Returns 1 if one was found, 0 if alloc_jvms_find_all() is to report what
 * the processes are instead, or -1, after a message, if no JVM will come. */
static int wait_for_one(struct collection *c, struct alloc_probes *p, bool every)
{
	uint64_t until_ns = monotonic_ns() + PATIENCE_NS;

	while (alloc_jvms_find_all(c, p, every, false)) {
		if (!any_lives(&c->targets.processes)) {
			if (opening_wait_again(c))
				return -1;
			until_ns = monotonic_ns() + PATIENCE_NS;
		} else if (monotonic_ns() > until_ns) {
			return 0; /* report what they are */
		} else if (opening_look_again(c)) {
			return -1;
		}
	}
	return 1;
}

static void warn_of_missed(const struct alloc_probes *p)
{
	for (size_t i = 0; i < p->jvms.count; i++) {
		if (alloc_misses_compiled(p->jvms.list[i]))
			warn("process %d runs with -XX:-UseTLAB: most of its objects are not seen, and shares of "
			     "classes are wrong",
			     (int)p->jvms.list[i]);
		else if (alloc_steps_are_fixed(p->jvms.list[i]))
			warn("process %d has TLABs of one size (ZGC, or -XX:-ResizeTLAB): shares of classes are off if "
			     "its rounds take about as much (see the manual)",
			     (int)p->jvms.list[i]);
	}
}

/* Find the JVMs, and what to probe, replacing those found before.  With --wait, targets that are not yet JVMs get a
 * few seconds to become one, and when all have ended, waiting goes on.  Returns 0, or -1 after a message. */
static int alloc_jvms_find(struct collection *c, struct alloc_probes *p, bool every)
{
	int found = 0;

	if (c->opt.wait && !c->whole_machine)
		found = wait_for_one(c, p, every);
	if (found < 0)
		return -1;
	/* The single JVM that was waited for has been looked at.  It may have ended by now, which is not an error. */
	if (!(found && c->targets.processes.count == 1) && alloc_jvms_find_all(c, p, every, true))
		return -1;
	if (!every)
		warn_of_missed(p);
	return 0;
}

/* ---- the collector ---- */

#define NOT_GIVEN UINT64_MAX

enum { STACK_BYTES = 16384, EVERY_STACK_BYTES = 8192, EXIT_ABOVE = 3 };

static struct {
	bool every, native;
	uint64_t interval; /* bytes between samples of native allocations */
	int64_t sample;
	uint64_t stack; /* bytes of stack to copy */
	struct text_list include, exclude, limits;
} opt = { .interval = NOT_GIVEN, .sample = 1 };

static const struct opt options[] = {
	{ 0, "every", NULL,
	  "every allocation, in JVMs started with\n"
	  "                            -XX:+DTraceAllocProbes (slow) [some, weighted]",
	  .flag = &opt.every },
	{ 0, "native", NULL, "malloc() and its like instead, in any program", .flag = &opt.native },
	{ 0, "interval", "BYTES", "with --native: bytes per sample [512k]", .bytes = &opt.interval },
	{ 0, "stack", "BYTES",
	  "copied of each stack [16k; --every 8k,\n"
	  "                            --native 32k]",
	  .bytes = &opt.stack },
	{ 's', "sample", "N", "one in N of these, scaled back [1]", .num = &opt.sample, .min = 1, .max = INT32_MAX },
	{ 'i', "include", "REGEXP", "only those with such a class or Java frame", .list = &opt.include },
	{ 'e', "exclude", "REGEXP", "not those with such a class or Java frame", .list = &opt.exclude },
	{ 0, "fail-above", "REGEXP=RATE",
	  "exit 3 if such a class or frame allocates more:\n"
	  "                            'String=10M/s'",
	  .list = &opt.limits },
	{ 0 }
};

static struct {
	struct alloc_probes probes;
	struct alloc_match *match;
	struct alloc_weights *weights;
	const struct collection *c;
	uint64_t taken, taken_bytes;      /* samples from the targets */
	uint64_t seen;                    /* samples kept by the filters */
	uint64_t samples, bytes, objects; /* samples recorded, and what they stand for */
	uint64_t unread;
} run;

/* ---- samples; called by the walker's thread ---- */

/* Is the sample from a target?  Events are on CPUs, and see all processes that map the same libjvm. */
static bool alloc_is_target(const struct walked_sample *s)
{
	const struct targets *t = &run.c->targets;
	bool threads = run.c->opt.selection.tids.count || run.c->opt.selection.thread;

	for (size_t i = 0; i < run.probes.jvms.count && !threads; i++) {
		if (run.probes.jvms.list[i] == s->pid)
			return true;
	}
	for (size_t i = 0; i < t->count && threads; i++) {
		if (t->list[i].tid == s->tid)
			return true;
	}
	return false;
}

/* Leave out the frames that HotSpot runs for every allocation: they say nothing, and the class must follow the frame
 * that allocates. */
static void leave_out_own(struct walked_sample *s)
{
	size_t own = java_stacks_own(s->java, s->pid, s->chain, s->count);

	s->chain += own;
	s->count -= own;
}

static uint64_t find_class(const struct walked_sample *s, const struct alloc_object *o)
{
	return o->name ? java_stacks_class_named(s->java, s->pid, o->name, o->name_len)
		       : java_stacks_class(s->java, s->pid, o->klass, s->time_ns);
}

static void alloc_weigh_sample(const struct alloc_probe *probe, struct walked_sample *s, const struct alloc_object *o)
{
	struct alloc_weight w = { o->size, 1 };

	if (!probe->is_every)
		w = alloc_weigh(run.weights, s->tid, o->size, o->tlab, o->limit);
	s->weight = w.bytes * (uint64_t)opt.sample;
	s->span.count = w.objects * (uint64_t)opt.sample;
	s->span.longest_ns = o->size;
	if (s->span.count != 1)
		s->span.flags &= ~(uint32_t)RECORDING_SINGLE;
}

/* Records s if it passes the filters.  Returns whether it does. */
static bool alloc_record(struct walked_sample *s, uint64_t klass)
{
	run.taken++;
	run.taken_bytes += s->weight / (uint64_t)opt.sample;
	if (!alloc_match_wants(run.match, s, klass) || ++run.seen % (uint64_t)opt.sample)
		return false;
	alloc_match_count(run.match, s->weight);
	run.samples++;
	run.bytes += s->weight;
	run.objects += s->span.count;
	return true;
}

static bool alloc_take(void *self, struct walked_sample *s)
{
	struct alloc_probe *probe = self;
	struct alloc_object o;
	uint64_t klass;

	if (!alloc_is_target(s))
		return false;
	if (!alloc_probe_read(probe, s, &o)) {
		run.unread++;
		return false;
	}
	leave_out_own(s);
	alloc_weigh_sample(probe, s, &o);
	klass = find_class(s, &o);
	if (klass)
		s->label = RECORDING_LABEL(RECORDING_LABEL_CLASS, klass - RECORDING_JAVA);
	return alloc_record(s, klass);
}

static bool take_native(void *self, struct walked_sample *s)
{
	(void)self;
	return native_alloc_weigh(s) && alloc_record(s, 0);
}

/* ---- the source ---- */

static void check_native(void)
{
	if (opt.every || opt.sample != 1)
		die_usage("--native is sampled by bytes: --interval BYTES, not --every or --sample");
	if (!opt.stack)
		opt.stack = NATIVE_ALLOC_STACK_BYTES;
}

static void alloc_check(struct collection *c)
{
	if (c->opt.command && !opt.native)
		die_usage("alloc records running JVMs: give -p PID, --name REGEXP or -a; a COMMAND only with --native");
	if (!opt.interval)
		die_usage("--interval must be more than 0 bytes");
	if (opt.interval != NOT_GIVEN && !opt.native)
		die_usage("--interval is for --native");
	if (c->opt.threads && opt.limits.count)
		die_usage("--fail-above counts all recorded threads: choose them by -t or --thread, not --threads");
	run.match = alloc_match_new(&opt.include, &opt.exclude, &opt.limits);
	if (opt.native)
		check_native();
	if (!opt.stack)
		opt.stack = opt.every ? EVERY_STACK_BYTES : STACK_BYTES;
	if (opt.stack % 8 || opt.stack > CALL_GRAPH_MAX_BYTES)
		die_usage("--stack must be a multiple of 8 bytes, at most %d", CALL_GRAPH_MAX_BYTES);
	c->wish.ring_stack_bytes = (uint32_t)opt.stack;
}

/* Tell the weights which threads exist already. */
static void alloc_add_threads(void)
{
	for (size_t i = 0; i < run.probes.jvms.count; i++) {
		struct pids tids = { 0 };

		pids_read_threads(&tids, run.probes.jvms.list[i]);
		for (size_t k = 0; k < tids.count; k++)
			alloc_weights_add_thread(run.weights, tids.list[k]);
		pids_free(&tids);
	}
}

/* Add events for the probes that have none. */
static void alloc_add_events(struct collection *c)
{
	struct sampling how = collection_sampling(c);

	how.period = 1; /* with PERF_SAMPLE_PERIOD the kernel would treat any other period as 1 */
	how.stack_bytes = (uint32_t)opt.stack;
	alloc_probes_add_events(&run.probes, &c->events, &how, alloc_take);
}

static int alloc_prepare(struct collection *c)
{
	if (opt.native)
		return native_alloc_prepare(c, opt.interval != NOT_GIVEN ? opt.interval : NATIVE_ALLOC_INTERVAL,
					    (uint32_t)opt.stack, take_native);
	if (check_uprobes("alloc"))
		return -1;
	if (alloc_jvms_find(c, &run.probes, opt.every))
		return -1;
	run.c = c;
	run.weights = alloc_weights_new();
	alloc_add_threads();
	alloc_add_events(c);
	return 0;
}

static int alloc_retarget(struct collection *c)
{
	if (opt.native)
		return 0;
	if (alloc_jvms_find(c, &run.probes, opt.every))
		return -1;
	alloc_add_threads();
	alloc_add_events(c);
	return 0;
}

static int alloc_start(struct collection *c)
{
	return opt.native ? native_alloc_start(c) : 0;
}

static int alloc_drain(struct collection *c)
{
	return opt.native ? native_alloc_drain(c) : 0;
}

static int alloc_stop(struct collection *c, uint64_t end_ns)
{
	(void)end_ns;
	native_alloc_stop(c);
	return 0;
}

static uint64_t alloc_count_lost(const struct collection *c)
{
	const uint64_t *losses = c->recording.tally.losses;

	return losses[LOSS_lost_samples] + losses[LOSS_unwinding_late];
}

/* Estimate the lost part, assuming that it resembles the rest. */
static double lost_bytes(const struct collection *c)
{
	uint64_t lost = alloc_count_lost(c);

	return !lost ? 0 : run.taken ? (double)lost * (double)run.taken_bytes / (double)run.taken : INFINITY;
}

/* "alloc: 1.2 GiB in 812345 objects (estimated), 12.3 MiB/s; a sample for each 1.1 MiB" */
static void alloc_say_summary(uint64_t ns, uint64_t lost)
{
	struct str text = { 0 };
	bool exact = opt.every && opt.sample == 1;

	if (lost)
		str_puts(&text, "at least ");
	size_add(&text, run.bytes);
	str_addf(&text, " in %" PRIu64 " object%s%s, ", run.objects, run.objects == 1 ? "" : "s",
		 exact ? "" : " (estimated)");
	size_add(&text, (uint64_t)((__uint128_t)run.bytes * NS_PER_SEC / (ns ? ns : 1)));
	str_puts(&text, "/s");
	if (!exact && run.samples) {
		str_puts(&text, "; a sample for each ");
		size_add(&text, run.bytes / run.samples);
	}
	detail("alloc: %s", text.buf);
	if (lost)
		detail("alloc: %s of the samples were lost, and are not in these figures; a smaller --stack "
		       "helps, too",
		       percentage_text(lost, lost + run.taken).text);
	if (run.weights && alloc_weights_have_bursts(run.weights))
		detail("alloc: objects come in bursts: if iterations take about as much as a TLAB, shares of classes "
		       "are "
		       "uncertain (see the manual)");
	if (run.weights && alloc_weights_are_in_step(run.weights))
		detail("alloc: nearly all TLABs begin with objects of one size: little else is allocated, or the "
		       "program is "
		       "in step with them, and shares of classes are wrong (see the manual)");
	else if (run.weights && alloc_weights_are_in_order(run.weights))
		detail("alloc: the program allocates in phases, or in step with its TLABs: if one takes about as much "
		       "as a TLAB, shares of "
		       "classes may "
		       "be far off (see the manual)");
	str_free(&text);
}

static void say_why_nothing(void)
{
	if (opt.include.count || opt.exclude.count)
		detail("hint: no samples: did anything match --include, and not --exclude?");
	else if (opt.native)
		detail("hint: no samples: a longer -d, or a smaller --interval, catches small amounts");
	else if (opt.every)
		detail("hint: no samples: nothing was allocated");
	else
		detail("hint: no samples: an allocation is seen when the buffer of its thread (TLAB) is full: "
		       "a longer -d catches small amounts");
}

/* Judge the limits, after the walker has ended. */
static int alloc_verdict(struct collection *c)
{
	size_t above = alloc_match_judge(run.match, c->ns);
	size_t doubtful = alloc_match_doubt(run.match, c->ns, lost_bytes(c));

	if (run.unread)
		warn("alloc: %" PRIu64 " allocations could not be read%s", run.unread,
		     opt.every ? ": the collector ran" : "");
	if (run.samples)
		alloc_say_summary(c->ns, alloc_count_lost(c));
	else if (!alloc_count_lost(c))
		say_why_nothing();
	if (above && flush_stdout() < 0)
		return 1;
	return above ? EXIT_ABOVE : doubtful ? 1 : 0;
}

static void alloc_release(void)
{
	native_alloc_free();
	alloc_probes_free(&run.probes);
	alloc_match_free(run.match);
	alloc_weights_free(run.weights);
	free(opt.include.items);
	free(opt.exclude.items);
	free(opt.limits.items);
}

const struct source alloc_source = {
	.name = "alloc",
	.about = "what is allocated: on the heap of JVMs, by class; by malloc()",
	.examples = "  pyrograph collect alloc -p 8513 -d 10             what a JVM allocates where\n"
		    "  pyrograph collect alloc -p 8513 -i '^byte' -d 60  ... only arrays of bytes\n"
		    "  pyrograph collect alloc -p 8513 -d 60 --fail-above 'Json=50M/s'  tests\n"
		    "  pyrograph collect alloc --native -- ./program     by malloc(), of any program\n",
	.options = options,
	.on_any_cpu = true,
	.obstacle = uprobe_obstacle,
	.check = alloc_check,
	.prepare = alloc_prepare,
	.retarget = alloc_retarget,
	.start = alloc_start,
	.drain = alloc_drain,
	.stop = alloc_stop,
	.verdict = alloc_verdict,
	.free = alloc_release,
};
