/* cpu: the source that samples stacks with perf_event_open(2). */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/cpu/cpu_filter.h"
#include "collect/machine/cgroup.h"
#include "collect/machine/procfs.h"
#include "collect/recording/refusal.h"
#include "collect/run/collection.h"
#include "collect/sampling/stack_walk.h"
#include "core/error.h"
#include "core/unwind/unwinder.h"

enum { DEFAULT_HZ = 99, MAX_HZ = 10000000 };

static bool user, kernel, frame_pointers, no_stacks;
static const char *call_graph, *cgroup, *sample_by;
static int cgroup_directory;    /* 0: not open */
static struct text_list wanted; /* events */
static int64_t hz, period;      /* 0: not given */

static const struct opt options[] = {
	{ 'F', "freq", "HZ", "samples a second on each CPU [99]", .num = &hz, .min = 1, .max = MAX_HZ },
	{ 'c', "count", "N", "a sample every N events instead", .num = &period, .min = 1, .max = INT64_MAX },
	{ 'e', "event", "EVENT", "cycles, page-faults, subsystem:name, ...", .list = &wanted },
	{ 0, "call-graph", "HOW",
	  "user stacks: dwarf[,BYTES] (by unwind tables), fp\n"
	  "                            (frame pointers), no; auto is dwarf, or fp\n"
	  "                            where too much would be copied [auto]",
	  .text = &call_graph, .choices = "auto dwarf fp no" },
	{ 'g', "frame-pointers", NULL, NULL, .flag = &frame_pointers },
	{ 0, "cgroup", "GROUP", "threads of this control group or below", .text = &cgroup },
	{ 0, "sample-by", "WAY", NULL, .text = &sample_by },
	{ 0, "user", NULL, "only user code", .flag = &user },
	{ 0, "kernel", NULL, "only kernel code", .flag = &kernel },
	{ 0 }
};

static void check_rate(void)
{
	int64_t max = read_sysctl("kernel/perf_event_max_sample_rate", INT64_MAX);

	if (hz > max)
		die("-F %" PRId64 " is above kernel.perf_event_max_sample_rate (%" PRId64
		    "): lower -F, or sudo sysctl kernel.perf_event_max_sample_rate=%" PRId64,
		    hz, max, hz);
}

/* "auto", "fp", "dwarf", "dwarf,BYTES", "no" */
static void check_call_graph(struct collection *c)
{
	const char *bytes = strchr(call_graph, ',');
	size_t word = bytes ? (size_t)(bytes - call_graph) : strlen(call_graph);
	uint64_t n = CALL_GRAPH_BYTES;

	if (frame_pointers && strcmp(call_graph, "fp"))
		die_usage("-g is --call-graph fp: leave one out");
	if (call_graph[0] == '-')
		die_usage("--call-graph needs a value: auto, fp, dwarf, dwarf,BYTES or no");
	c->wish.choose_stacks = !strcmp(call_graph, "auto");
	if (c->wish.choose_stacks)
		return;
	no_stacks = !strcmp(call_graph, "no");
	if (no_stacks || !strcmp(call_graph, "fp"))
		return;
	if (word != strlen("dwarf") || strncmp(call_graph, "dwarf", word))
		die_usage("--call-graph is auto, fp, dwarf, dwarf,BYTES or no, not '%s'", call_graph);
	if (bytes && !parse_size(bytes + 1, &n))
		n = 0;
	if (n == CALL_GRAPH_MAX_BYTES + 8) /* "64k": the maximum */
		n = CALL_GRAPH_MAX_BYTES;
	if (!n || n % 8 || n > CALL_GRAPH_MAX_BYTES)
		die_usage("--call-graph dwarf,BYTES: BYTES must be a multiple of 8, at most %d (64k), "
			  "not '%s'",
			  CALL_GRAPH_MAX_BYTES, bytes + 1);
	if (!unwind_sample_registers())
		die("--call-graph dwarf works on x86-64 and aarch64: use --call-graph fp");
	c->wish.stack_bytes = (uint32_t)n;
	if (c->opt.ring_size && c->opt.ring_size < 4 * n)
		die_usage("--ring must hold four stacks of %llu bytes at least, or be left out", (unsigned long long)n);
}

/* "-g dwarf -- ./program", as if -g took a value. */
static void check_flag(const struct collection *c)
{
	const char *word = c->opt.command ? c->opt.command[0] : "";

	if (frame_pointers && (!strcmp(word, "fp") || !strcmp(word, "dwarf") || !strncmp(word, "dwarf,", 6)))
		die_usage("-g takes no value: it is --call-graph fp (to run a command of this name, give "
			  "its path)\nDid you mean '--call-graph %s'?",
			  word);
}

/* It needs walked stacks. */
static void check_jvm(const struct collection *c)
{
	const char *way = c->opt.jvm_word;

	if (way && !strcmp(way, "vmstructs") && !c->wish.choose_stacks && !c->wish.stack_bytes)
		die_usage("--jvm vmstructs needs walked stacks: --call-graph auto or dwarf, not %s",
			  no_stacks ? "no" : "fp");
}

/* "sched:sched_switch" rather than "cycles:u" */
static bool names_tracepoint(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon && colon[1 + strspn(colon + 1, "ukp")];
}

/* Samples per second on each CPU; 0: unknown. */
static int64_t sampling_hz(void)
{
	int64_t each = period ? 0 : hz ? hz : DEFAULT_HZ;

	for (size_t i = 0; i < wanted.count && !hz; i++) {
		if (names_tracepoint(wanted.items[i]))
			return 0;
	}
	return each * (wanted.count ? (int64_t)wanted.count : 1);
}

static enum cpu_filter_wish sample_by_wish(void)
{
	if (!sample_by)
		return CPU_FILTER_CHEAPER;
	if (strcmp(sample_by, "cpu") != 0 && strcmp(sample_by, "thread") != 0)
		die_usage("--sample-by is cpu or thread, not '%s'", sample_by);
	return strcmp(sample_by, "cpu") ? CPU_FILTER_NEVER : CPU_FILTER_ALWAYS;
}

static void cpu_check(struct collection *c)
{
	sample_by_wish();
	check_flag(c);
	if (user && kernel)
		die_usage("--user and --kernel exclude each other");
	if (hz && period)
		die_usage("-F and -c exclude each other");
	if (call_graph)
		check_call_graph(c);
	else
		c->wish.choose_stacks = !frame_pointers;
	check_jvm(c);
	c->wish.stack_hz = sampling_hz();
	c->wish.frame_pointers = !c->wish.choose_stacks && !c->wish.stack_bytes;
	check_rate();
}

/* Hardware cycles if available, as precise as possible. */
static void add_default_event(struct events *events)
{
	struct event *e;

	events_add(events, "cycles");
	e = &events->list[events->count - 1];
	for (e->attr.precise_ip = 3; !sampler_probe(e); e->attr.precise_ip--) {
		if (e->attr.precise_ip)
			continue;
		events_drop_last(events);
		events_add(events, "cpu-clock");
		detail("no hardware cycle counter here: sampling cpu-clock, by timer");
		return;
	}
}

/* Exclude the kernel if we may not sample it. */
static bool limited_to_user(const struct collection *c, size_t first)
{
	bool needed = kernel || c->whole_machine;

	for (size_t i = first; i < c->events.count; i++) {
		const struct event *e = &c->events.list[i];

		needed |= event_is_tracepoint(e) || e->attr.exclude_user;
	}
	if (user || needed || may_sample_kernel())
		return user;
	if (!perf_obstacle()) /* otherwise perf does not work at all, and that is reported instead */
		inform("no right to sample the kernel (%s): user code only", kernel_obstacle());
	return true;
}

static int open_cgroup(void)
{
	struct cgroup_found found = { 0 };
	struct str path = { 0 };
	int status = cgroup_find(cgroup, &found);

	if (!status && cgroup_for_perf(&found, &path)) {
		cgroup_directory = open(path.buf, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (cgroup_directory < 0)
			status = error("--cgroup %s: %s", cgroup, strerror(errno));
	}
	cgroup_found_free(&found);
	str_free(&path);
	return status;
}

static int cpu_prepare(struct collection *c)
{
	struct sampling how = collection_sampling(c);
	size_t first = c->events.count;

	if (cgroup && open_cgroup())
		return -1;
	for (size_t i = 0; i < wanted.count; i++) {
		if (events_add(&c->events, wanted.items[i]))
			return -1;
	}
	if (!wanted.count)
		add_default_event(&c->events);
	how.frequency_hz = hz ? (uint64_t)hz : DEFAULT_HZ;
	how.frequency_chosen = hz;
	how.period = (uint64_t)period;
	how.user_only = limited_to_user(c, first);
	how.kernel_only = kernel;
	how.no_stacks = no_stacks;
	how.stack_bytes = c->wish.stack_bytes;
	for (size_t i = first; i < c->events.count; i++) {
		event_configure(&c->events.list[i], &how);
		c->events.list[i].cgroup = cgroup_directory;
	}
	if (cgroup && cgroup_directory <= 0)
		return cpu_filter_prepare_group(c, first, cgroup);
	cpu_filter_prepare(c, first, sample_by_wish());
	return 0;
}

static void cpu_release(void)
{
	cpu_filter_free();
	free(wanted.items);
	wanted = (struct text_list){ 0 };
	if (cgroup_directory > 0)
		close(cgroup_directory);
	cgroup_directory = 0;
}

static const struct source_price cpu_prices[] = { { 0 } };

const struct source cpu_source = {
	.name = "cpu",
	.prices = cpu_prices,
	.about = "samples stacks of running code: which code uses the CPUs",
	.examples = "  pyrograph collect cpu -a -d 5                  the machine, five seconds\n"
		    "  pyrograph collect cpu -p 8513 -F 999           a process, until Ctrl-C\n"
		    "  pyrograph collect cpu -e page-faults -- ./a b  a command\n"
		    "  pyrograph collect cpu --call-graph fp ./a      ... by frame pointers\n"
		    "  pyrograph collect cpu --name '^java$' --wait   a JVM, when it starts\n",
	.options = options,
	.cgroup = &cgroup,
	.obstacle = perf_obstacle,
	.check = cpu_check,
	.prepare = cpu_prepare,
	.start = cpu_filter_start,
	.stop = cpu_filter_stop,
	.free = cpu_release,
};
