/* pyrograph-collapse: from a recording to folded lines. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collapse/clock.h"
#include "collapse/event.h"
#include "collapse/fold.h"
#include "collapse/output.h"
#include "collapse/perfdata.h"
#include "collapse/recorded.h"
#include "collapse/roots.h"
#include "collapse/sample.h"
#include "collapse/sideband.h"
#include "collapse/stacks.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "core/progress.h"
#include "core/regexp.h"
#include "core/symbols/live.h"
#include "core/wallclock.h"

struct options {
	const char *output, *event, *root, *from, *to, *weight;
	struct text_list include, exclude;
	bool timed, no_stack, all, pid, tid, scan_only, strict;
	struct name_style style;
};

/* Everything that one run needs, in the order in which it comes to be. */
struct collapse {
	struct options options;
	struct perfdata data;
	struct recorded_symbols recorded;
	struct live live;
	struct sideband sideband;
	struct clock clock;
	struct roots roots;
	struct intern root_keys;
	struct event *event;      /* the only one used; NULL: all */
	bool by_period;           /* a sample weighs its period, else 1 */
	uint64_t from_ns, to_ns;  /* wall clock; to_ns is excluded */
	struct regexp **include, **exclude;
	struct stacks stacks;
	struct timed_sample *timed;
	size_t timed_count, timed_cap;
	struct names names;
	struct fold fold;
	struct origin origin;
};

/* --- options ---------------------------------------------------------------------- */

static const struct manual manual = {
	.usage = "[options] [RECORDING]",
	.about = "Folds a recording (perf.data) to lines \"frame;frame;... value\". Without\n"
		 "RECORDING, or with -, it reads stdin.",
	.examples =
		"  pyrograph collapse rec.data >rec.folded\n"
		"  pyrograph collapse rec.data | grep -v swapper | pyrograph render flame >a.svg\n"
		"  pyrograph collapse --root thread --all rec.data\n"
		"  pyrograph collapse --from 10:15:02 --to 10:15:04.5 rec.data\n"
		"  perf record -g -o - ./a.out | pyrograph collapse\n",
};

static bool is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static void parse_options(struct collapse *c, int argc, char **argv)
{
	struct options *o = &c->options;
	const struct opt opts[] = {
		{ 'o', "output", "FILE", "write there [stdout]", .text = &o->output },
		{ 'r', "root", "LIST", "frames at the root, out of: host event comm pid tid\n"
		  "                            thread cpu none [comm]", .text = &o->root },
		{ .name = "pid", .help = "the same as --root pid", .flag = &o->pid },
		{ .name = "tid", .help = "the same as --root tid", .flag = &o->tid },
		{ 'e', "event", "NAME", "only this event, or 'all' [the first with samples]",
		  .text = &o->event },
		{ .name = "event-filter", .arg = "NAME", .text = &o->event },
		{ .name = "from", .arg = "TIME", .help = "from a wall-clock time, +OFFSET or -FROM_END on",
		  .text = &o->from },
		{ .name = "to", .arg = "TIME", .help = "until then", .text = &o->to },
		{ 'i', "include", "REGEXP", "only stacks that match (Perl syntax; repeatable)",
		  .list = &o->include },
		{ 'x', "exclude", "REGEXP", "no stacks that match", .list = &o->exclude },
		{ 't', "timed", NULL, "one line a sample, with its time, in order", .flag = &o->timed },
		{ .name = "no-stack", .help = "root frames only", .flag = &o->no_stack },
		{ .name = "kernel", .help = "annotate kernel frames with _[k]", .flag = &o->style.kernel },
		{ .name = "jit", .help = "annotate JIT-compiled frames with _[j]", .flag = &o->style.jit },
		{ .name = "all", .help = "--kernel --jit", .flag = &o->all },
		{ .name = "addrs", .help = "show the address of frames without a name",
		  .flag = &o->style.addrs },
		{ .name = "offsets", .help = "show offsets in functions: main+0x1d",
		  .flag = &o->style.offsets },
		{ .name = "weight", .arg = "WHAT", .help = "a sample counts 1 (samples) or its period [by event]",
		  .text = &o->weight },
		{ .name = "strict", .help = "damaged input is a failure", .flag = &o->strict },
		{ .name = "scan-only", .flag = &o->scan_only },
		{0}
	};
	int operands = opts_parse(opts, &manual, argc, argv);

	if (operands > 1)
		die_usage("one recording at a time, not %d", operands);
	if (!operands && isatty(STDIN_FILENO))
		die_usage("which recording? (or pipe one in)");
	c->data.path = operands ? argv[0] : "-";
	o->style.kernel |= o->all;
	o->style.jit |= o->all;
	if (o->output && is_same_file(c->data.path, o->output))
		die_usage("--output: %s is the recording itself", o->output);
	roots_parse(&c->roots, o->root ? o->root : o->tid ? "tid" : o->pid ? "pid" : "comm");
	if (o->weight && strcmp(o->weight, "samples") && strcmp(o->weight, "period"))
		die_usage("--weight is 'samples' or 'period', not '%s'", o->weight);
}

static struct regexp **compile_all(const struct text_list *list, const char *option)
{
	struct regexp **all = xcalloc(list->count + 1, sizeof(*all));

	for (size_t i = 0; i < list->count; i++)
		all[i] = regexp_compile(list->items[i], option);
	return all;
}

/* What was asked to be kept, for the header. */
static void describe_filter(const struct options *o, struct str *out)
{
	if (o->from)
		str_addf(out, " --from %s", o->from);
	if (o->to)
		str_addf(out, " --to %s", o->to);
	for (size_t i = 0; i < o->include.count; i++)
		str_addf(out, " --include %s", o->include.items[i]);
	for (size_t i = 0; i < o->exclude.count; i++)
		str_addf(out, " --exclude %s", o->exclude.items[i]);
}

/* --- choosing --------------------------------------------------------------------- */

static struct event *event_named(struct perfdata *d, const char *name)
{
	for (size_t i = 0; i < d->event_count; i++) {
		size_t len = strcspn(d->events[i].name, ":");

		if (!strcmp(d->events[i].name, name))
			return &d->events[i];
		/* "cycles" also means "cycles:ppp" and "cycles:u" */
		if (!strncmp(d->events[i].name, name, len) && !name[len] &&
		    d->events[i].attr.type != PERF_TYPE_TRACEPOINT)
			return &d->events[i];
	}
	for (size_t i = 0; i < d->event_count; i++)
		inform("it has: %s (%llu samples)", d->events[i].name,
		       (unsigned long long)d->events[i].sample_count);
	die_usage("--event: %s holds no event '%s'", d->path, name);
}

/* Values of different events cannot be added: take one, and say so. */
static struct event *first_with_samples(struct collapse *c)
{
	struct event *first = NULL;

	for (size_t i = 0; i < c->data.event_count; i++) {
		struct event *event = &c->data.events[i];

		if (!event->sample_count)
			continue;
		if (!first)
			first = event;
		else
			inform("using event %s; %s (%llu samples) left out: see --event, --root event",
			       first->name, event->name, (unsigned long long)event->sample_count);
	}
	return first;
}

static void choose_event(struct collapse *c)
{
	const char *wanted = c->options.event, *weight = c->options.weight;

	if (wanted && strcmp(wanted, "all"))
		c->event = event_named(&c->data, wanted);
	else if (!wanted && !roots_has(&c->roots, "event"))
		c->event = first_with_samples(c);
	/* Each tick of a clock is one sample; a counter's sample is what it counted. */
	c->by_period = weight ? !strcmp(weight, "period") : c->event && !event_is_clock(c->event);
}

static uint64_t parse_instant(struct collapse *c, const char *text, const char *option, uint64_t missing)
{
	uint64_t first_ns = clock_wall(&c->clock, c->sideband.first_ns);
	uint64_t last_ns = clock_wall(&c->clock, c->sideband.last_ns);
	struct instant when;

	if (!text)
		return missing;
	if (!instant_parse(text, &when))
		die_usage("%s: '%s' is no time such as 10:15:02.5, 2026-11-21T10:15:02Z, +2.5s or -10s",
			  option, text);
	if (!c->clock.count && (when.kind == INSTANT_EPOCH || when.kind == INSTANT_CLOCK))
		die("%s: no wall-clock time in this recording (perf record -k CLOCK_MONOTONIC adds it); "
		    "give an offset such as +2.5s", option);
	return instant_resolve(&when, first_ns, last_ns);
}

static void choose_times(struct collapse *c)
{
	clock_read(&c->clock, &c->data);
	c->from_ns = parse_instant(c, c->options.from, "--from", 0);
	c->to_ns = parse_instant(c, c->options.to, "--to", UINT64_MAX);
	if (c->options.timed && !c->clock.count)
		warn("no wall-clock time in this recording (perf record -k CLOCK_MONOTONIC adds it); "
		     "times are those of the kernel's own clock");
}

/* --- samples ---------------------------------------------------------------------- */

static void note_timed(struct collapse *c, uint64_t wall_ns, uint64_t value, uint32_t stack)
{
	c->timed = xgrow(c->timed, &c->timed_cap, c->timed_count + 1, sizeof(*c->timed));
	c->timed[c->timed_count++] = (struct timed_sample){ wall_ns, value, stack };
}

static void add_sample(struct collapse *c, struct sample *s)
{
	uint64_t wall_ns = clock_wall(&c->clock, s->time_ns), value = c->by_period ? s->period : 1;
	struct origin *o = &c->origin;
	uint32_t words[ROOT_WORDS_MAX], root, stack;
	size_t count;

	if (wall_ns < c->from_ns || wall_ns >= c->to_ns)
		return;
	if (!o->samples++ || s->time_ns < o->first_ns)
		o->first_ns = s->time_ns;
	if (s->time_ns > o->last_ns)
		o->last_ns = s->time_ns;
	count = roots_key(&c->roots, s, words);
	root = intern_add(&c->root_keys, (const char *)words, count * sizeof(*words));
	stack = stacks_add(&c->stacks, s, root, &c->sideband.spaces,
			   spaces_find(&c->sideband.spaces, s->pid, s->time_ns), value);
	if (c->options.timed)
		note_timed(c, wall_ns, value, stack);
}

static void read_samples(struct collapse *c)
{
	struct record_cursor cursor = perfdata_records(&c->data);
	struct sample sample;
	struct record r;

	while (record_next(&cursor, &r)) {
		if (r.type != PERF_RECORD_SAMPLE || !sample_read(&c->data, &r, &sample))
			continue;
		if (c->event && sample.event != c->event)
			continue;
		if (c->options.no_stack) {
			sample.chain_count = 0;
			sample.ip = 0;
		}
		add_sample(c, &sample);
		progress("%s: %llu %%", c->data.path,
			 (unsigned long long)(100 * (cursor.at - c->data.data.offset) / c->data.data.size));
	}
	progress_clear();
}

/* --- symbols ---------------------------------------------------------------------- */

static void resolve(struct collapse *c)
{
	struct places *places = &c->stacks.places;

	perfdata_drop_pages(&c->data);
	if (c->recorded.present) {
		places_resolve(places, &c->sideband.modules, recorded_source, &c->recorded);
		return;
	}
	live_expect_kernel(&c->live, c->data.osrelease, c->sideband.kernel_symbol,
			   c->sideband.kernel_address);
	places_resolve(places, &c->sideband.modules, live_source, &c->live);
}

/* --- output ----------------------------------------------------------------------- */

static bool matches_any(struct regexp **all, const char *text, size_t len)
{
	for (; *all; all++) {
		if (regexp_match(*all, text, len))
			return true;
	}
	return false;
}

static bool is_kept(const char *text, size_t len, const void *argument)
{
	const struct collapse *c = argument;

	if (*c->include && !matches_any(c->include, text, len))
		return false;
	return !matches_any(c->exclude, text, len);
}

static const char *unit_of(const struct collapse *c)
{
	if (!c->by_period)
		return "samples";
	return c->event ? event_unit(c->event) : "period";
}

static int write_output(struct collapse *c)
{
	struct outfile out = {0};
	struct str filter = {0}, roots = {0};
	int status;

	describe_filter(&c->options, &filter);
	c->origin.data = &c->data;
	c->origin.sideband = &c->sideband;
	c->origin.clock = &c->clock;
	c->origin.event = c->event;
	c->origin.unit = unit_of(c);
	c->origin.filter = filter.len ? filter.buf + 1 : "";
	roots_names(&c->roots, &roots);
	c->origin.roots = roots.buf;
	c->origin.truncated = c->stacks.truncated;
	status = outfile_open(&out, c->options.output);
	if (!status) {
		output_header(out.file, &c->origin, &c->fold);
		if (c->options.timed)
			output_timed(out.file, &c->fold, &c->names, c->timed, c->timed_count);
		else
			output_lines(out.file, &c->fold, &c->names);
		status = outfile_commit(&out);
	}
	str_free(&filter);
	str_free(&roots);
	return status;
}

/* A capture that shows little should say so, and why.  Of one of ours the collector
 * has said it, and its pictures say it. */
static void judge(const struct collapse *c)
{
	if (c->recorded.present)
		return;
	if (fold_looks_short(&c->fold))
		warn("%llu of %llu user stacks end after one or two frames, before the start of their "
		     "thread: code built without frame pointers? (-fno-omit-frame-pointer)",
		     (unsigned long long)c->fold.short_user, (unsigned long long)c->fold.user);
	if (c->fold.unresolved * 4 > c->fold.frames)
		warn("%llu of %llu frames have no name", (unsigned long long)c->fold.unresolved,
		     (unsigned long long)c->fold.frames);
}

static int check_something_is_left(const struct collapse *c)
{
	if (!c->sideband.samples)
		return error("%s: holds no samples", c->data.path);
	if (!c->origin.samples)
		return error("%s: no sample of its %llu is left after --event, --from, --to", c->data.path,
			     (unsigned long long)c->sideband.samples);
	return 0;
}

static int run(struct collapse *c)
{
	c->include = compile_all(&c->options.include, "--include");
	c->exclude = compile_all(&c->options.exclude, "--exclude");
	if (perfdata_open(&c->data, c->data.path) < 0)
		return -1;
	recorded_symbols_read(&c->recorded, &c->data);
	if (!c->recorded.present && !c->options.scan_only)
		live_start(&c->live);
	sideband_read(&c->sideband, &c->data);
	if (c->options.scan_only)
		return 0;
	c->roots.data = &c->data;
	c->roots.sideband = &c->sideband;
	choose_event(c);
	choose_times(c);
	read_samples(c);
	if (check_something_is_left(c) < 0)
		return -1;
	resolve(c);
	c->names = (struct names){ .style = &c->options.style, .modules = &c->sideband.modules,
				   .places = &c->stacks.places };
	fold_stacks(&c->fold, &c->stacks, &c->names, &c->roots, &c->root_keys,
		    *c->include || *c->exclude ? is_kept : NULL, c);
	if (!c->fold.kept_value)
		return error("%s: no stack is left after --include, --exclude", c->data.path);
	if (write_output(c) < 0)
		return -1;
	judge(c);
	return c->options.strict && (c->data.cut || c->sideband.damaged) ? -1 : 0;
}

static void collapse_free(struct collapse *c)
{
	for (size_t i = 0; c->include && c->include[i]; i++)
		regexp_free(c->include[i]);
	for (size_t i = 0; c->exclude && c->exclude[i]; i++)
		regexp_free(c->exclude[i]);
	free(c->include);
	free(c->exclude);
	free(c->timed);
	fold_free(&c->fold);
	names_free(&c->names);
	stacks_free(&c->stacks);
	intern_free(&c->root_keys);
	roots_free(&c->roots);
	clock_free(&c->clock);
	sideband_free(&c->sideband);
	live_free(&c->live);
	recorded_symbols_free(&c->recorded);
	perfdata_close(&c->data);
}

int main(int argc, char **argv)
{
	static struct collapse collapse;
	int status = 1; /* failed, unless we reach the last line */

	program_begin("pyrograph collapse");
	parse_options(&collapse, argc, argv);
	if (run(&collapse) < 0)
		goto out;
	status = 0;
out:
	collapse_free(&collapse);
	return status;
}
