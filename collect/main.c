/* pyrograph collect: records a running system; "collect cpu,sched" fills one recording from several sources.
 *
 * To add one: a folder that defines its struct source, NAME_source, and a row here. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/bindings/bindings.h"
#include "collect/bpf/bpf.h"
#include "collect/machine/kernel_defects.h"
#include "collect/machine/procfs.h"
#include "collect/run/collection.h"
#include "collect/run/conditions.h"
#include "collect/run/options.h"
#include "collect/run/trigger.h"
#include "collect/run/watch.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "core/opts.h"
#include "core/outfile.h"
#include "core/verbs.h"

#define SOURCES(X)   \
	X(cpu)       \
	X(sched)     \
	X(offcpu)    \
	X(wakeup)    \
	X(faults)    \
	X(syscalls)  \
	X(io)        \
	X(locks)     \
	X(lanes)     \
	X(processes) \
	X(wall)      \
	X(windows)   \
	X(noise)     \
	X(alloc)

/* A build without BPF leaves out the sources that need it (listed in the Makefile).  Their addresses are NULL, and they
 * can only report this. */
#ifdef NO_BPF
#define DECLARE(name) extern const struct source name##_source __attribute__((weak));
#else
#define DECLARE(name) extern const struct source name##_source;
#endif
SOURCES(DECLARE)

#define ROW(name) { #name, &name##_source },
static const struct row {
	const char *name;
	const struct source *source;
} rows[] = { SOURCES(ROW) };

enum { SOURCE_COUNT = sizeof(rows) / sizeof(*rows) };

static struct source absent[SOURCE_COUNT];
static const struct source *sources[SOURCE_COUNT];

static void collect_main_find_sources(void)
{
	for (size_t i = 0; i < SOURCE_COUNT; i++) {
		absent[i] =
			(struct source){ .name = rows[i].name, .about = "not in this build", .obstacle = bpf_obstacle };
		sources[i] = rows[i].source ? rows[i].source : &absent[i];
	}
}

static bool is_absent(const struct source *s)
{
	return s >= absent && s < absent + SOURCE_COUNT;
}

static const char examples[] = "  pyrograph collect cpu -a -d 5 -o rec.data        the whole machine\n"
			       "  pyrograph collect cpu -p PID -F 999 -o rec.data  a process, until Ctrl-C\n"
			       "  pyrograph collect cpu -- make -j8                a command\n"
			       "  pyrograph collect cpu,sched,offcpu -p PID        several into one recording\n";

static const struct source *collect_main_find(const char *name)
{
	struct nearest meant = { 0 };

	for (size_t i = 0; i < SOURCE_COUNT; i++) {
		if (!strcmp(sources[i]->name, name))
			return sources[i];
		nearest_try(&meant, name, sources[i]->name);
	}
	if (strchr(program_name, ','))
		program_name = "pyrograph collect"; /* its --help lists them */
	if (meant.name)
		die_usage("there is no collector '%s'\nDid you mean '%s'?", name, meant.name);
	die_usage("there is no collector '%s'", name);
}

/* Read "cpu,sched".  Returns the number of sources. */
static size_t collect_main_choose(const char *list, const struct source *chosen[SOURCE_COUNT])
{
	size_t count = 0;

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		char *name = xstrndup(at, strcspn(at, ","));
		const struct source *s = collect_main_find(name);

		free(name);
		for (size_t i = 0; i < count; i++) {
			if (chosen[i] == s)
				die_usage("%s twice in '%s'", s->name, list);
		}
		chosen[count++] = s;
	}
	return count;
}

/* Add a source to the first `count` ones, unless it is among them.  Returns how many there are then. */
static size_t collect_main_add(const char *name, const struct source *chosen[SOURCE_COUNT], size_t count)
{
	const struct source *source = collect_main_find(name);

	for (size_t i = 0; i < count; i++) {
		if (chosen[i] == source)
			return count;
	}
	chosen[count++] = source;
	return count;
}

/* All sources, beginning with the chosen ones.  Options of the others may be given, too, since these sources may be
 * added. */
static void order(const struct source *const *chosen, size_t count, const struct source *all[SOURCE_COUNT])
{
	size_t n = count;

	memcpy(all, chosen, count * sizeof(*all));
	for (size_t i = 0; i < SOURCE_COUNT; i++) {
		size_t k = 0;

		while (k < count && chosen[k] != sources[i])
			k++;
		if (k == count)
			all[n++] = sources[i];
	}
}

/* Add the sources that options ask for; the last *added ones are for conditions of the flight recorder.  Returns how
 * many there are then. */
static size_t add_by_options(const struct source *chosen[SOURCE_COUNT], size_t count, size_t *added, int argc,
			     char **argv)
{
	const struct source *all[SOURCE_COUNT];
	const char *condition;
	size_t before;
	int at[3] = { 0 };

	order(chosen, count, all);
	if (collect_options_look(COLLECT_LANES_OPTION, all, SOURCE_COUNT, argc, argv, &at[0]))
		count = collect_main_add(COLLECT_LANES, chosen, count);
	if (collect_options_look(COLLECT_WINDOWS_OPTION, all, SOURCE_COUNT, argc, argv, &at[1]))
		count = collect_main_add(COLLECT_WINDOWS, chosen, count);
	before = count;
	while ((condition = collect_options_look(COLLECT_WHEN_OPTION, all, SOURCE_COUNT, argc, argv, &at[2]))) {
		if (conditions_source(condition))
			count = collect_main_add(conditions_source(condition), chosen, count);
	}
	*added = count - before;
	return count;
}

static int collect_main_run(int argc, char **argv)
{
	const struct source *chosen[SOURCE_COUNT];
	size_t added, count = collect_main_choose(argv[0], chosen);

	count = add_by_options(chosen, count, &added, argc, argv);
	for (size_t i = 0; i < count; i++) {
		if (is_absent(chosen[i]) && bpf_check(chosen[i]->name))
			return 1;
	}
	return collection_run(chosen, count, added, argc, argv);
}

static const char *obstacle_of(const struct source *s)
{
	const char *obstacle = proc_obstacle();

	return obstacle ? obstacle : source_obstacle(s);
}

/* "without sched, offcpu: no right to load BPF programs" */
static void tell_obstacle(const struct source *const *chosen, size_t count, const char *obstacle)
{
	struct str names = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *own = obstacle_of(chosen[i]);

		if (own && !strcmp(own, obstacle))
			str_addf(&names, "%s%s", names.len ? ", " : "", chosen[i]->name);
	}
	inform("without %s: %s", names.buf, obstacle);
	str_free(&names);
}

/* docs/platforms.md has the details. */
#define KERNELS_TRIED                                                                                                \
	"Linux 5.10, 6.1, 6.12, 6.18, 7.2 and 7.3 were run, the last on 2026-12-01; of others, parts of the source " \
	"were read."

/* Those of the kernel that runs, and what is done about them. */
static void print_kernel_defects(void)
{
	static const char *const avoided[] = {
		[RISK_UPROBES] = "no uprobes are set",
		[RISK_USER_READS] =
			"user stacks of spans of time are followed by frame pointers, and Python has no functions",
	};

	for (size_t risk = 0; risk < sizeof(avoided) / sizeof(*avoided); risk++) {
		const char *defect = kernel_defect((enum kernel_risk)risk);

		if (defect)
			printf("\n%s: %s, unless --force is given\n", defect, avoided[risk]);
	}
}

/* collector  least Linux  here
 * sched      5.12         yes
 * locks      5.15         this kernel has no bpf_timer_start(): Linux 5.15 or later is needed */
static void print_least_kernels(const struct source *const *chosen, size_t count)
{
	puts("collector  least Linux  here");
	for (size_t i = 0; i < count; i++) {
		const char *obstacle = obstacle_of(chosen[i]);
		size_t size = 0;
		const void *object = source_object(chosen[i], &size);

		printf("%-11s%-13s%s\n", chosen[i]->name, bpf_least_kernel(object, size), obstacle ? obstacle : "yes");
	}
	print_kernel_defects();
	puts("\n" KERNELS_TRIED);
}

/* "pyrograph collect usable cpu,sched": prints which of them can be used here, and why the others cannot. */
static int run_usable(int argc, char **argv)
{
	static bool kernels;
	static const struct opt usable_options[] = {
		{ 'k', "kernels", NULL, "a table, with the least Linux of each", .flag = &kernels }, { 0 }
	};
	static const struct manual manual = {
		.usage = "[options] [NAME,...]",
		.about = "Prints which collectors can be used here, and says why others cannot.",
	};
	const struct source *chosen[SOURCE_COUNT];
	const char *told = NULL;
	size_t count = SOURCE_COUNT, usable = 0;

	memcpy(chosen, sources, sizeof(chosen));
	if (opts_parse(usable_options, &manual, argc, argv))
		count = collect_main_choose(argv[0], chosen);
	if (kernels) {
		print_least_kernels(chosen, count);
		return flush_stdout() < 0;
	}
	for (size_t i = 0; i < count; i++) {
		const char *obstacle = obstacle_of(chosen[i]);

		if (!obstacle)
			printf("%s%s", usable++ ? "," : "", chosen[i]->name);
		else if (!told || strcmp(told, obstacle))
			tell_obstacle(chosen, count, told = obstacle);
	}
	puts("");
	return flush_stdout() < 0;
}

/* "pyrograph watch": collectors that cannot be used here are left out. */
static int run_watch(int argc, char **argv)
{
	const struct source *chosen[SOURCE_COUNT];
	struct watch watch;
	size_t count, usable = 0;

	watch_parse(&watch, argc, argv);
	count = collect_main_choose(watch.collectors, chosen);
	for (size_t i = 0; i < count; i++) {
		const char *obstacle = obstacle_of(chosen[i]);

		if (obstacle)
			warn("without %s: %s", chosen[i]->name, obstacle);
		else
			chosen[usable++] = chosen[i];
	}
	if (!usable) {
		error("nothing can be recorded here");
		return 1;
	}
	return watch_run(&watch, chosen, usable);
}

/* The list as given is the verb. */
static const char *find_list(int argc, char **argv)
{
	int at = (argc > 2 && !strcmp(argv[1], "help")) || completion_asked(argc, argv) ? 2 : 1;

	return argc > at && argv[at][0] != '-' && strchr(argv[at], ',') ? argv[at] : NULL;
}

int main(int argc, char **argv)
{
	struct verb verbs[SOURCE_COUNT + 6] = { 0 };

	collect_main_find_sources();
	for (size_t i = 0; i < SOURCE_COUNT; i++)
		verbs[i] = (struct verb){ sources[i]->name, sources[i]->about, collect_main_run };
	verbs[SOURCE_COUNT] = (struct verb){ "usable", "which of these can be used here", run_usable };
	verbs[SOURCE_COUNT + 1] =
		(struct verb){ "bindings", "functions that a process has not bound yet (a list)", bindings_run };
	verbs[SOURCE_COUNT + 2] =
		(struct verb){ "trigger", "make recorders with --keep write what they keep", trigger_run };
	verbs[SOURCE_COUNT + 3] = (struct verb){ "watch", "all the time, at a bounded cost: the last hour", run_watch };
	verbs[SOURCE_COUNT + 4] = (struct verb){ find_list(argc, argv), "", collect_main_run };
	return verbs_run(verbs, "pyrograph collect", examples, argc, argv);
}
