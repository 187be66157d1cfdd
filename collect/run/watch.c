#include "collect/run/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "collect/machine/procfs.h"
#include "collect/run/collection.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/format/shipping.h"
#include "core/memory.h"
#include "core/opts.h"
#include "core/secret.h"
#include "core/wallclock.h"

/* What must survive an exec: the state of the budget, and when the recording ends (CLOCK_MONOTONIC; 0: never). */
#define STATE "PYROGRAPH_WATCH"

#define DEFAULT_DIR "/var/lib/pyrograph/watch"
#define DEFAULT_COLLECTORS "cpu,sched,offcpu"

enum { DEFAULT_HZ = 99, MAX_HZ = 999, TICK_S = 5, ARGUMENTS_MAX = 24 };

static const char examples[] = "  pyrograph watch                                    until it is stopped\n"
			       "  pyrograph watch --dir /srv/watch --ring 24h --most 20G\n"
			       "  pyrograph watch cpu,sched,offcpu,io --budget 2%    more, at a higher price\n"
			       "  pyrograph watch --align 10s                        as on all other hosts\n"
			       "  pyrograph watch --align 10s --ship http://store:8123/perf --service shop\n"
			       "  pyrograph watch --ship pyroscope+http://pyroscope:4040 --service shop\n"
			       "  pyrograph collapse --root host " DEFAULT_DIR "/*.data\n";

static void watch_check(struct watch *w)
{
	struct watch_plan *p = &w->plan;

	if (!*p->dir)
		die_usage("--dir needs a directory");
	if (p->window_ns < NS_PER_SEC)
		die_usage("--window is a second or more");
	if (p->ring_ns < p->window_ns)
		die_usage("--ring is shorter than a --window");
	if (p->align_ns && p->window_ns % p->align_ns && p->align_ns % p->window_ns)
		die_usage("--align must divide --window, or be a multiple of it");
	p->shipping.dir = p->dir;
	p->shipping.spread_ns = p->align_ns ? p->window_ns / 2 : 0;
	p->tick_ns = TICK_S * NS_PER_SEC;
	if (p->tick_ns > p->window_ns / 2)
		p->tick_ns = p->window_ns / 2;
}

void watch_parse(struct watch *w, int argc, char **argv)
{
	struct watch_plan *p = &w->plan;
	const char *budget = "1%";
	const struct opt opts[] = {
		{ 'o', "dir", "DIR", "where the windows are [" DEFAULT_DIR "]", .text = &p->dir },
		{ 0, "window", "TIME", "a recording for each [1m]", .ns = &p->window_ns },
		{ 0, "ring", "TIME", "keep them this long [60m]", .ns = &p->ring_ns },
		{ 0, "most", "SIZE", "keep at most this much [2G]", .bytes = &p->most },
		{ 0, "align", "TIME",
		  "windows end as on all hosts: when the wall clock\n"
		  "                            is a multiple of --window, the first at one of TIME",
		  .ns = &p->align_ns },
		{ 0, "budget", "PERCENT", "of one CPU, at most: else it does less [1%]", .text = &budget },
		{ 'F', "freq", "HZ", "samples a second on each CPU [99]", .num = &w->hz, .min = 1, .max = MAX_HZ },
		{ 0, "call-graph", "HOW", "user stacks: fp, dwarf, auto, no [fp]", .text = &w->call_graph,
		  .choices = "fp dwarf auto no" },
		{ 0, "min", "TIME", "leave out shorter blocks [1ms]", .ns = &w->min_ns },
		{ 0, "outlier", "TIME", "record spans this long one by one [10ms]", .ns = &p->outlier_ns },
		{ 0, "ship", "ADDRESS", "send each recording there:\n                            " SHIPPING_FORMS,
		  .text = &p->shipping.to },
		{ 0, "ship-event", "NAME", "... only this event (repeatable) [all]", .list = &p->shipping.events },
		{ 0, "service", "NAME", "what runs here: a name for queries of the store",
		  .text = &p->shipping.service },
		{ 0, "spool-max", "SIZE", "in DIR/spool, while the store is away [1G]",
		  .text = &p->shipping.spool_max },
		{ 0, "user", "NAME", "of the store", .text = &p->shipping.user },
		{ 0, "password-file", "FILE", "whose first line is the password", .text = &p->shipping.password_file },
		{ 0, "ca", "FILE", "certificates that may sign the store's", .text = &p->shipping.ca },
		{ 'd', "duration", "TIME", "stop after 5m, 2h, ...", .ns = &w->duration_ns },
		{ .name = "no-watchdog", .flag = &w->no_watchdog },
		{ 0 }
	};
	const struct manual manual = {
		.usage = "[options] [COLLECTOR,...]",
		.about = "Records all the time, at a bounded cost, into a directory: the last hour.\n"
			 "COLLECTORS are those of collect [" DEFAULT_COLLECTORS "], the costliest last:\n"
			 "they are dropped first above the budget, once the rate is down to 19 Hz.",
		.examples = examples,
	};

	*w = (struct watch){ .plan = { .dir = DEFAULT_DIR,
				       .window_ns = 60 * NS_PER_SEC,
				       .ring_ns = 3600 * NS_PER_SEC,
				       .most = 2ull << 30,
				       .outlier_ns = 10000000,
				       .off = "" },
			     .collectors = DEFAULT_COLLECTORS,
			     .hz = DEFAULT_HZ,
			     .call_graph = "fp",
			     .min_ns = 1000000 };
	argc = opts_parse(opts, &manual, argc, argv);
	if (argc > 1)
		die_usage("unexpected argument '%s'", argv[1]);
	if (argc)
		w->collectors = argv[0];
	if (p->shipping.to) {
		p->shipping.argument = p->shipping.to;
		p->shipping.to = secret_address((char *)(uintptr_t)p->shipping.to);
	}
	p->budget.limit = budget_read(budget);
	watch_check(w);
	shipping_check(&p->shipping);
}

/* ---- levels ----------------------------------------------------------------- */

static char *watch_argument(const char *name, uint64_t ns)
{
	struct str text = { 0 };

	str_addf(&text, "%s%" PRIu64 "ns", name, ns);
	return text.buf;
}

/* This budget is a share of one CPU; that of collect, for stacks, is a share of each CPU. */
static char *watch_budget_argument(double limit)
{
	struct str text = { 0 };

	str_addf(&text, "--budget=%g%%", 100 * limit / (double)sysconf(_SC_NPROCESSORS_ONLN));
	return text.buf;
}

static bool watch_has(const struct source *const *sources, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(sources[i]->name, name))
			return true;
	}
	return false;
}

static bool has_option(const struct source *const *sources, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++) {
		for (const struct opt *o = sources[i]->options; o && o->name; o++) {
			if (!strcmp(o->name, name))
				return true;
		}
	}
	return false;
}

/* The arguments of "collect", without options that these sources lack. */
static int watch_make_arguments(const struct watch *w, const struct source *const *sources, size_t count, int64_t hz,
				char *argv[ARGUMENTS_MAX])
{
	char number[24];
	int n = 0;

	argv[n++] = xstrdup("watch");
	argv[n++] = xstrdup("-a");
	if (watch_has(sources, count, "cpu")) {
		snprintf(number, sizeof(number), "-F%" PRId64, hz);
		argv[n++] = xstrdup(number);
		argv[n++] = xstrdup("--call-graph");
		argv[n++] = xstrdup(w->call_graph);
	}
	if (!strcmp(w->call_graph, "fp") || !strcmp(w->call_graph, "no")) {
		argv[n++] = xstrdup("--ring=512k"); /* samples of a second */
		argv[n++] = xstrdup("--jvm=off");   /* so that JVMs are not asked for maps all the time */
	}
	if (!has_option(sources, count, "budget"))
		argv[n++] = watch_budget_argument(w->plan.budget.limit);
	if (has_option(sources, count, "min"))
		argv[n++] = watch_argument("--min=", w->min_ns);
	if (w->no_watchdog)
		argv[n++] = xstrdup("--no-watchdog");
	if (w->end_ns)
		argv[n++] = watch_argument("--duration=", w->end_ns > monotonic_ns() ? w->end_ns - monotonic_ns() : 1);
	argv[n] = NULL;
	return n;
}

static void list_off(struct watch *w, const struct source *const *sources, size_t from, size_t count)
{
	str_clear(&w->off);
	for (size_t i = from; i < count; i++)
		str_addf(&w->off, "%s%s", w->off.len ? "," : "", sources[i]->name);
	w->plan.off = str_text(&w->off);
}

static void watch_tell(const struct watch *w, size_t collectors, const struct source *const *sources)
{
	struct str names = { 0 };

	for (size_t i = 0; i < collectors; i++)
		str_addf(&names, "%s%s", i ? ", " : "", sources[i]->name);
	inform("recording %s at %" PRId64 " Hz%s%s into %s", str_text(&names), w->plan.hz,
	       *w->plan.off ? ", without " : "", w->plan.off, w->plan.dir);
	str_free(&names);
}

/* ---- beginning anew --------------------------------------------------------- */

static void watch_read_state(struct watch *w)
{
	const char *text = getenv(STATE), *rest = text ? strchr(text, '/') : NULL;
	char *end;

	if (rest) {
		budget_parse(&w->plan.budget, text);
		w->end_ns = strtoull(rest + 1, &end, 10);
		w->plan.before = *end ? strtoull(end + 1, NULL, 10) : 0;
	} else if (w->duration_ns) {
		w->end_ns = monotonic_ns() + w->duration_ns;
	}
	unsetenv(STATE);
}

/* Take the arguments from the kernel, as ours were reordered. */
static char **own_arguments(struct str *text)
{
	char **argv = NULL;
	size_t count = 0, cap = 0;

	read_whole("/proc/self/cmdline", text);
	for (size_t at = 0; at < text->len; at += strlen(text->buf + at) + 1) {
		argv = xgrow(argv, &cap, count + 2, sizeof(*argv));
		argv[count++] = text->buf + at;
		argv[count] = NULL;
	}
	return argv;
}

/* The signals that end us stay blocked meanwhile, so that none is lost. */
static int begin_anew(const struct watch *w)
{
	struct str text = { 0 }, state = { 0 };
	char budget[64];
	char **argv = own_arguments(&text);

	budget_format(&w->plan.budget, budget);
	str_addf(&state, "%s/%" PRIu64 "/%" PRIu64, budget, w->end_ns, w->plan.before);
	setenv(STATE, state.buf, 1);
	if (w->plan.shipping.to)
		secret_pass(w->plan.shipping.to, w->plan.shipping.argument);
	if (program_is_called())
		setenv(PROGRAM_CALLER, program_name, 1);
	if (argv)
		execv("/proc/self/exe", argv);
	error("cannot begin anew: %s", strerror(errno));
	return 1;
}

/* ---- before anything is attached -------------------------------------------- */

enum { FORESEE_NS = 100000000 };

/* "ctxt 600136111": switches on all CPUs since the machine started */
static uint64_t watch_switches(void)
{
	static const char key[] = "\nctxt ";
	struct str text = { 0 };
	const char *line = read_whole("/proc/stat", &text) ? NULL : strstr(str_text(&text), key);
	uint64_t switches = line ? strtoull(line + strlen(key), NULL, 10) : 0;

	str_free(&text);
	return switches;
}

/* What a switch costs, in ns.  Nearly each switch is to a thread that was woken. */
static double watch_price(const struct source_price *prices)
{
	double ns = 0;

	for (; prices && prices->event; prices++) {
		if (!strcmp(prices->event, "context-switches") || !strcmp(prices->event, "sched:sched_waking"))
			ns += prices->ns;
	}
	return ns;
}

/* Where threads switch so often that the budget cannot be kept, do less from the beginning. */
static void watch_foresee(struct watch *w, const struct source *const *sources, size_t count)
{
	uint64_t switches = watch_switches(), since_ns = monotonic_ns();
	double *shares = xcalloc(count, sizeof(*shares)), sum = 0, rate;

	nanosleep(&(struct timespec){ .tv_nsec = FORESEE_NS }, NULL);
	rate = (double)(watch_switches() - switches) / (double)(monotonic_ns() - since_ns);
	if (w->end_ns) /* nothing was recorded meanwhile */
		w->end_ns += monotonic_ns() - since_ns;
	for (size_t i = 0; i < count; i++)
		sum += shares[i] = rate * watch_price(sources[i]->prices);
	if (budget_foresee(&w->plan.budget, shares))
		inform("threads switch %.0f times a second: all collectors would take %s of a CPU, above the budget of "
		       "%.3g %%: doing less",
		       rate * (double)NS_PER_SEC, percentage_text((uint64_t)(sum * 1e6 + 0.5), 1000000).text,
		       100 * w->plan.budget.limit);
	free(shares);
}

int watch_run(struct watch *w, const struct source *const *sources, size_t count)
{
	struct budget_level level;
	char *argv[ARGUMENTS_MAX];
	bool again = false;
	int argc, status;

	w->plan.budget.levels = budget_levels(w->hz, count);
	w->plan.budget.rates = budget_rates(w->hz);
	watch_read_state(w);
	if (!w->plan.budget.level || w->plan.budget.tried)
		watch_foresee(w, sources, count);
	level = budget_level(w->hz, count, w->plan.budget.level);
	w->plan.hz = level.hz;
	list_off(w, sources, level.collectors, count);
	watch_tell(w, level.collectors, sources);
	argc = watch_make_arguments(w, sources, level.collectors, level.hz, argv);
	status = collection_watch(&w->plan, &again, sources, level.collectors, argc, argv);
	for (int i = 0; i < argc; i++)
		free(argv[i]);
	str_free(&w->off);
	return !status && again ? begin_anew(w) : status;
}
