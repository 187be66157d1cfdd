#include "collect/run/trigger.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/procfs.h"
#include "core/error.h"
#include "core/opts.h"
#include "core/str.h"

/* Is it pyrograph-collect with --keep, with a handler for SIGUSR1?  The signal would kill any other process. */
static bool trigger_is_recorder(int pid)
{
	char path[64];
	struct str text = { 0 };
	uint64_t blocked = 0;
	const char *line;
	bool named;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	read_whole(path, &text);
	named = !strncmp(str_text(&text), "Name:\tpyrograph-colle\n", 22);
	line = strstr(str_text(&text), "\nSigBlk:\t");
	if (line)
		blocked = strtoull(line + 9, NULL, 16);
	str_free(&text);
	return named && blocked >> (SIGUSR1 - 1) & 1;
}

static int trigger_ask(int pid)
{
	if (kill(pid, SIGUSR1))
		return error("process %d cannot be asked: %s", pid, strerror(errno));
	printf("%d\n", pid);
	return 0;
}

static int ask_all(void)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	size_t asked = 0, refused = 0;

	while (dir && (entry = readdir(dir))) {
		uint64_t pid;

		if (!parse_u64(entry->d_name, &pid) || !trigger_is_recorder((int)pid))
			continue;
		if (trigger_ask((int)pid))
			refused++;
		else
			asked++;
	}
	if (dir)
		closedir(dir);
	if (proc_obstacle())
		error("%s", proc_obstacle());
	else if (!asked && !refused)
		error("nobody records with --keep");
	return !asked || refused;
}

int trigger_run(int argc, char **argv)
{
	int64_t pid = 0;
	const struct opt opts[] = {
		{ 'p', "pid", "PID", "only this one", .num = &pid, .min = 1, .max = INT32_MAX },
		{ 0 },
	};
	static const struct manual manual = {
		.usage = "[-p PID]",
		.about = "Makes recorders with --keep write what they keep; prints their PIDs.",
		.examples = "  pyrograph collect cpu,offcpu -a --keep 10s &\n"
			    "  pyrograph trigger    that was slow: what happened in the last 10 seconds?\n",
	};

	if (opts_parse(opts, &manual, argc, argv))
		die_usage("unexpected argument '%s'", argv[0]);
	if (!pid)
		return ask_all();
	if (!trigger_is_recorder((int)pid)) {
		error("process %d does not record with --keep", (int)pid);
		return 1;
	}
	return trigger_ask((int)pid) ? 1 : 0;
}
