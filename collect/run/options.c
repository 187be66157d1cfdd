#include "collect/run/options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/machine/kernel_defects.h"
#include "collect/run/budget.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/regexp.h"
#include "core/str.h"

/* Share of each CPU at which programs that talk over a socket are hardly slowed down (docs/figures.md). */
#define DEFAULT_BUDGET "3%"

struct table {
	struct opt *rows;
	size_t count, cap;
};

static void run_options_add_rows(struct table *t, const struct opt *rows)
{
	for (; rows && rows->name; rows++) {
		t->rows = xgrow(t->rows, &t->cap, t->count + 2, sizeof(*t->rows));
		t->rows[t->count++] = *rows;
		t->rows[t->count] = (struct opt){ 0 };
	}
}

static bool run_options_find(const struct table *t, const char *name)
{
	for (size_t i = 0; i < t->count; i++) {
		if (!strcmp(t->rows[i].name, name))
			return true;
	}
	return false;
}

static bool has_source(const char *name, const struct source *const *sources, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(sources[i]->name, name))
			return true;
	}
	return false;
}

static bool have_account(const struct source *const *sources, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (sources[i]->has_account)
			return true;
	}
	return false;
}

/* The order: targets and duration, then the options of each source, then how to record. */
static void build_table(struct table *t, struct collect_options *o, int64_t *pages, const struct source *const *sources,
			size_t count)
{
	/* The source itself does not need this option, so it is accepted, but not listed. */
	const char *lanes_help =
		has_source(COLLECT_LANES, sources, count) ? NULL : "quantities over time as well: as of collect lanes";
	const struct opt first[] = {
		{ 'a', "all-cpus", NULL, "the whole machine", .flag = &o->all },
		{ 'p', "pid", "PID,...", "these processes with all their threads", .list = &o->selection.pids },
		{ 0, "children", NULL, NULL, .flag = &o->selection.children },
		{ 't', "tid", "TID,...", "these threads", .list = &o->selection.tids },
		{ 0, "name", "REGEXP", "processes with such a name", .text = &o->selection.name },
		{ .name = "container", .arg = "REGEXP", .text = &o->owners.container },
		{ .name = "pod", .arg = "REGEXP", .text = &o->owners.pod },
		{ .name = "namespace", .arg = "REGEXP", .text = &o->owners.space },
		{ .name = "systemd-unit", .arg = "REGEXP", .text = &o->owners.unit },
		{ 0, "thread", "REGEXP", "only threads of these processes with such a name",
		  .text = &o->selection.thread },
		{ 0, "threads", "REGEXP",
		  "only threads whose full name matches, as a JVM\n"
		  "                            gives it, also those that start later",
		  .text = &o->threads },
		{ 0, "wait", NULL, "wait until they appear", .flag = &o->wait },
		{ 0, "until-exit", NULL, "stop when they have ended, also with -a", .flag = &o->until_exit },
		{ 'd', "duration", "TIME", "stop after 5, 500ms, 2m; --dry-run: only the cost", .ns = &o->duration_ns },
		{ 'C', "cpu", "CPUS", "only on these, e.g. 0-3,5", .text = &o->cpus },
		{ 0 }
	};
	/* A source may have a budget of its own (noise).  If no source limits stacks, the option is accepted, but not
	 * listed. */
	const char *budget_help = have_account(sources, count) ? "for stacks of spans, of each CPU; none [3%]" : NULL;
	const struct opt budget[] = {
		{ 0, "budget", "PERCENT", budget_help, .text = &o->budget_word },
		{ 0 },
	};
	const struct opt min[] = { { 0, "min", "TIME", NULL, .text = &o->min_word }, { 0 } };
	const struct opt last[] = {
		{ 0, COLLECT_WINDOWS_OPTION, "A,B", "only in calls of function A; between A and B",
		  .text = &o->between },
		{ 0, "between-of", "WHOM", NULL, .text = &o->between_of },
		{ 0, "dry-run", NULL, NULL, .flag = &o->dry_run },
		{ 0, "no-watchdog", NULL, NULL, .flag = &o->no_watchdog },
		{ 0, "force", NULL, NULL, .flag = &o->force },
		{ 0, "no-inherit", NULL, "do not follow new threads and children", .flag = &o->no_inherit },
		{ 0, "jvm", "HOW", "Java: vmstructs, perfmap, off [what fits the JVM]", .text = &o->jvm_word,
		  .choices = "vmstructs perfmap off" },
		{ 0, "jvm-inline", "WHICH", "inlined Java methods: nearest, certain [nearest]", .text = &o->jvm_inline,
		  .choices = "nearest certain" },
		{ 'm', "ring", "SIZE", "ring buffer of each CPU [a second; alloc: 16M]", .bytes = &o->ring_size },
		{ 0, "mmap-pages", "N", NULL, .num = pages, .min = 1, .max = 1 << 20 },
		{ 'o', "output", "FILE", "the recording [pyrograph.data]", .text = &o->output },
		{ 0, "keep", "TIME", "flight recorder: keep this much, write it ...", .ns = &o->keep_ns },
		{ 0, COLLECT_WHEN_OPTION, "CONDITION",
		  "... when offcpu>50ms, runnable>5ms, throttled>20ms,\n"
		  "                            io>1, syscall>20ms, lane:udp>1M ...; adds collectors",
		  .list = &o->whens },
		{ 0, "when-line", "FILE=REGEXP", "... when a file gets such a line", .list = &o->when_lines },
		{ 0, "after", "TIME", NULL, .ns = &o->after_ns },
		{ 0, "rest", "TIME", "then pause [30]; --after, --most, --then, --report", .ns = &o->rest_ns },
		{ 0, "most", "N", NULL, .num = &o->most, .min = 1, .max = 1000000 },
		{ 0, "then", "COMMAND", NULL, .text = &o->then },
		{ 0, "report", NULL, NULL, .flag = &o->report },
		{ 0, COLLECT_LANES_OPTION, NULL, lanes_help, .flag = &o->lanes },
		{ 0 }
	};

	run_options_add_rows(t, first);
	for (size_t i = 0; i < count; i++)
		run_options_add_rows(t, sources[i]->options);
	if (!run_options_find(t, "budget"))
		run_options_add_rows(t, budget);
	if (run_options_find(t, "min"))
		run_options_add_rows(t, min);
	run_options_add_rows(t, last);
}

static void run_options_describe(struct str *about, struct str *examples, const struct source *const *sources,
				 size_t count)
{
	str_puts(about, "Records into one file (perf.data format):");
	for (size_t i = 0; i < count; i++) {
		str_addf(about, "\n  %-12s%s", sources[i]->name, sources[i]->about);
		if (sources[i]->examples)
			str_puts(examples, sources[i]->examples);
	}
}

void collect_options_parse(struct collect_options *o, const struct source *const *sources, size_t count, int argc,
			   char **argv)
{
	struct table table = { 0 };
	struct str about = { 0 }, examples = { 0 };
	int64_t pages = 0;
	struct manual manual = { .usage = "[options] -a | -p PID | COMMAND...", .operands_end = true };

	*o = (struct collect_options){ 0 };
	build_table(&table, o, &pages, sources, count);
	run_options_describe(&about, &examples, sources, count);
	manual.about = str_text(&about);
	manual.examples = str_text(&examples);
	argc = opts_parse(table.rows, &manual, argc, argv);
	if (argc)
		o->command = argv;
	argv[argc] = NULL;
	if (o->lanes && !has_source(COLLECT_LANES, sources, count))
		die_usage("--lanes cannot be abbreviated");
	if (o->between && !has_source(COLLECT_WINDOWS, sources, count))
		die_usage("--between cannot be abbreviated");
	if (o->between_of && !o->between)
		die_usage("--between-of belongs to --between");
	if (pages)
		o->ring_size = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
	free(table.rows);
	str_free(&about);
	str_free(&examples);
}

const char *collect_options_look(const char *option, const struct source *const *sources, size_t count, int argc,
				 char **argv, int *at)
{
	struct collect_options unused = { 0 };
	struct manual manual = { .operands_end = true };
	struct table table = { 0 };
	int64_t pages;
	const char *value;

	build_table(&table, &unused, &pages, sources, count);
	value = opts_look(table.rows, &manual, option, argc, argv, at);
	free(table.rows);
	return value;
}

static enum jvm_way jvm_way(const char *word)
{
	static const char *const words[] = {
		[JVM_VMSTRUCTS] = "vmstructs",
		[JVM_PERFMAP] = "perfmap",
		[JVM_OFF] = "off",
	};

	for (int i = JVM_VMSTRUCTS; word && i <= JVM_OFF; i++) {
		if (!strcmp(word, words[i]))
			return (enum jvm_way)i;
	}
	if (word)
		die_usage("--jvm is vmstructs, perfmap or off, not '%s'", word);
	return JVM_CHOOSE;
}

static bool jvm_certain(const char *word)
{
	if (word && strcmp(word, "nearest") != 0 && strcmp(word, "certain") != 0)
		die_usage("--jvm-inline is nearest or certain, not '%s'", word);
	return word && !strcmp(word, "certain");
}

void collect_options_check(struct collect_options *o)
{
	bool selected;

	if (owner_choice_given(&o->owners)) {
		owner_choice_check(&o->owners);
		o->selection.belongs = owner_choice_has;
		o->selection.describe = owner_choice_describe_any;
		o->selection.owners = &o->owners;
		if (o->selection.pids.count || o->selection.tids.count)
			die_usage("--container, --pod, --namespace and --systemd-unit choose processes: without -p and "
				  "-t");
	}
	selected = selection_given(&o->selection);
	if (o->force)
		kernel_defects_ignore();
	o->jvm = jvm_way(o->jvm_word);
	o->jvm_certain = jvm_certain(o->jvm_inline);
	o->budget = budget_read(o->budget_word ? o->budget_word : DEFAULT_BUDGET);

	if (!selected && !o->all && !o->cpus && !o->command)
		die_usage("nothing to record: give -a (the whole machine), -p PID, --name REGEXP, or "
			  "a COMMAND");
	if (o->dry_run && o->command)
		die_usage("--dry-run counts what runs already: give -a, -p PID or --name REGEXP");
	selection_check(&o->selection);
	if (o->threads)
		regexp_free(regexp_compile(o->threads, "--threads"));
	if (selected && o->command)
		die_usage("a COMMAND and -p, -t, --name, --container or the like exclude each other");
	if (selected && o->all && !o->until_exit && !o->wait)
		die_usage("-a is the whole machine; with -p, -t or --name it needs --wait or "
			  "--until-exit");
	if (!selected && (o->wait || o->until_exit))
		die_usage("--wait and --until-exit need -p, -t or --name");
	if (o->ring_size && o->ring_size < (uint64_t)sysconf(_SC_PAGESIZE))
		die_usage("--ring is in bytes, and a page (%ld) at least: 64k, 2M, ...", sysconf(_SC_PAGESIZE));
	if (o->output && !*o->output)
		die_usage("--output needs a file");
	if (o->output && !strcmp(o->output, "-"))
		die_usage("a recording cannot go to a pipe: its header is completed at the end");
}
