#include "collect/cpu_options.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"

enum { MAX_HZ = 10000000 };

static const struct manual manual = {
	.usage = "[options] -a | -p PID | COMMAND...",
	.about = "Samples the stacks of what runs on the CPUs into a recording (perf.data format).",
	.examples = "  pyrograph collect cpu -a -d 5                  the machine, five seconds\n"
		    "  pyrograph collect cpu -p 8513 -F 999           a process, until Ctrl-C\n"
		    "  pyrograph collect cpu -e page-faults -- ./a b  a command\n"
		    "  pyrograph collect cpu --name '^java$' --wait --until-exit\n",
	.operands_end = true,
};

static void parse(struct cpu_options *o, int argc, char **argv)
{
	int64_t pages = 0;
	const struct opt table[] = {
		{ 'a', "all-cpus", NULL, "the whole machine", .flag = &o->all },
		{ 'p', "pid", "PID,...", "these processes, with all their threads",
		  .list = &o->selection.pids },
		{ 't', "tid", "TID,...", "these threads", .list = &o->selection.tids },
		{ 0, "name", "REGEXP", "processes with such a name", .text = &o->selection.name },
		{ 0, "thread", "REGEXP", "of the processes, threads with such a name",
		  .text = &o->selection.thread },
		{ 0, "wait", NULL, "wait until they appear", .flag = &o->wait },
		{ 0, "until-exit", NULL, "stop when they are gone, also with -a",
		  .flag = &o->until_exit },
		{ 'd', "duration", "TIME", "stop after 5, 500ms, 2m, ...", .ns = &o->duration_ns },
		{ 'F', "freq", "HZ", "samples a second on each CPU [99]",
		  .num = &o->hz, .min = 1, .max = MAX_HZ },
		{ 'c', "count", "N", "instead: a sample every N events",
		  .num = &o->period, .min = 1, .max = INT64_MAX },
		{ 'e', "event", "EVENT", "cycles, page-faults, subsystem:name, ...",
		  .list = &o->events },
		{ 'C', "cpu", "CPUS", "only on these, e.g. 0-3,5", .text = &o->cpus },
		{ 0, "user", NULL, "only user code", .flag = &o->user },
		{ 0, "kernel", NULL, "only kernel code", .flag = &o->kernel },
		{ 0, "no-inherit", NULL, "do not follow new threads and children",
		  .flag = &o->no_inherit },
		{ 'm', "ring", "SIZE", "ring buffer of each CPU [2M; 512k without rights]",
		  .bytes = &o->ring_size },
		{ 0, "mmap-pages", "N", NULL, .num = &pages, .min = 1, .max = 1 << 20 },
		{ 'o', "output", "FILE", "the recording [pyrograph.data]", .text = &o->output },
		{0}
	};

	*o = (struct cpu_options){ .hz = 0, .output = "pyrograph.data" };
	argc = opts_parse(table, &manual, argc, argv);
	if (argc)
		o->command = argv;
	argv[argc] = NULL;
	if (pages)
		o->ring_size = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void check(const struct cpu_options *o)
{
	bool selected = selection_given(&o->selection);

	if (!selected && !o->all && !o->cpus && !o->command)
		die_usage("what shall be recorded? -a (the whole machine), -p PID, --name REGEXP, or "
			  "a COMMAND");
	selection_check(&o->selection);
	if (selected && o->command)
		die_usage("a COMMAND and -p, -t or --name exclude each other");
	if (selected && o->all && !o->until_exit && !o->wait)
		die_usage("-a is the whole machine; with -p, -t or --name it wants --wait or "
			  "--until-exit");
	if (!selected && (o->wait || o->until_exit))
		die_usage("--wait and --until-exit want -p, -t or --name");
	if (o->user && o->kernel)
		die_usage("--user and --kernel exclude each other");
	if (o->hz && o->period)
		die_usage("-F and -c exclude each other");
	if (!strcmp(o->output, "-"))
		die_usage("a recording cannot go to a pipe: its header is completed at the end");
}

void cpu_options_parse(struct cpu_options *o, int argc, char **argv)
{
	parse(o, argc, argv);
	check(o);
}
