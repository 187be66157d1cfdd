#include "collect/run/own_cost.h"

#include <dirent.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/machine/anchors.h"
#include "collect/machine/procfs.h"
#include "core/wallclock.h"

static uint64_t own_cost_time_of(int who)
{
	struct rusage used;

	if (getrusage(who, &used))
		return 0;
	return (uint64_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * NS_PER_SEC +
	       (uint64_t)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
}

uint64_t own_cpu_ns(void)
{
	return own_cost_time_of(RUSAGE_SELF) + own_cost_time_of(RUSAGE_CHILDREN);
}

/* The number after "KEY:" in a file of /proc; 0: there is none. */
static uint64_t read_key(const char *path, const char *key)
{
	struct str text = { 0 };
	const char *line;
	uint64_t number = 0;

	read_whole(path, &text);
	line = strstr(str_text(&text), key);
	if (line)
		number = strtoull(line + strlen(key), NULL, 10);
	str_free(&text);
	return number;
}

uint64_t own_memory(void)
{
	return read_key("/proc/self/status", "RssAnon:") * 1024;
}

/* ---- BPF -------------------------------------------------------------------- */

static int count_bpf(void)
{
	union bpf_attr attr = { .enable_stats.type = BPF_STATS_RUN_TIME };

	return (int)syscall(SYS_bpf, BPF_ENABLE_STATS, &attr, sizeof(attr));
}

/* The time of all programs that we have open. */
static uint64_t bpf_ns(void)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;
	char link[64], path[300];
	uint64_t ns = 0;

	while (dir && (entry = readdir(dir))) {
		ssize_t len = readlinkat(dirfd(dir), entry->d_name, link, sizeof(link) - 1);

		if (len <= 0)
			continue;
		link[len] = '\0';
		if (strcmp(link, "anon_inode:bpf-prog") != 0)
			continue;
		snprintf(path, sizeof(path), "/proc/self/fdinfo/%s", entry->d_name);
		ns += read_key(path, "run_time_ns:");
	}
	if (dir)
		closedir(dir);
	return ns;
}

void own_cost_begin(struct own_cost *o)
{
	own_cost_end(o);
	o->begin_ns = o->end_ns ? o->end_ns : monotonic_ns();
	o->cpu_ns = o->end_ns ? o->end_cpu_ns : own_cpu_ns();
	o->end_ns = o->counted_ns = 0;
}

void own_cost_tick(struct own_cost *o)
{
	uint64_t now = monotonic_ns();

	if (o->stats > 0) {
		uint64_t ns = bpf_ns();

		if (ns >= o->bpf_ns) { /* less: a program has gone, or there was no descriptor to look with */
			o->bpf_share = (double)(ns - o->bpf_ns) / (double)(now - o->counted_ns);
			o->bpf_counted = true;
		}
		own_cost_end(o);
	} else if (!o->counted_ns && !o->bpf_denied) {
		o->stats = count_bpf();
		o->bpf_denied = o->stats < 0;
		o->bpf_ns = bpf_ns();
		o->counted_ns = now;
	}
}

double own_cost_share(struct own_cost *o)
{
	o->end_ns = monotonic_ns();
	o->end_cpu_ns = own_cpu_ns();
	if (o->end_ns == o->begin_ns)
		return 0;
	return (double)(o->end_cpu_ns - o->cpu_ns) / (double)(o->end_ns - o->begin_ns) + o->bpf_share;
}

void own_cost_end(struct own_cost *o)
{
	if (o->stats > 0)
		close(o->stats);
	o->stats = 0;
}
