#include "collect/sched/sched_isolated.h"

#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/procfs.h"
#include "collect/sampling/live_stack.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/utf8.h"
#include "core/wallclock.h"

static const char option[] = "--assert-isolated";

/* Add the CPUs listed in a file of the kernel.  If there are none, the file is empty or says "(null)". */
static void sched_isolated_add_file(struct cpus *cpus, const char *name)
{
	struct str text = { 0 };
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/%s", name);
	if (!read_whole(path, &text))
		cpus_read(cpus, str_text(&text));
	str_free(&text);
}

void isolated_choose(struct isolated *i, const char *text)
{
	struct cpus online = { 0 };

	if (*text && !cpus_read(&i->cpus, text))
		die_usage("%s needs CPU numbers such as 2-3,5, not '%s'", option, text);
	if (!*text) {
		sched_isolated_add_file(&i->cpus, "isolated");
		sched_isolated_add_file(&i->cpus, "nohz_full");
		if (!i->cpus.count)
			die_usage("%s: this kernel isolates no CPUs (isolcpus= and nohz_full= on its "
				  "command line do): say which are meant: %s=2-3",
				  option, option);
	}
	cpus_online(&online);
	for (size_t n = 0; n < i->cpus.count; n++) {
		if (!cpus_have(&online, i->cpus.list[n]))
			die_usage("%s: CPU %d is not online on this machine", option, i->cpus.list[n]);
	}
	cpus_free(&online);
}

void isolated_check_word(const char *word)
{
	struct cpus cpus = { 0 };

	if (cpus_read(&cpus, word))
		die_usage("%s takes its CPUs after '=': %s=%s", option, option, word);
	cpus_free(&cpus);
}

static struct visitor *sched_isolated_find(struct isolated *i, uint32_t cpu, uint32_t pid, uint32_t tid)
{
	struct visitor *v;

	for (size_t n = 0; n < i->count; n++) {
		v = &i->visitors[n];
		if (v->cpu == cpu && v->pid == pid && v->tid == tid)
			return v;
	}
	i->visitors = xgrow(i->visitors, &i->cap, i->count + 1, sizeof(*i->visitors));
	v = &i->visitors[i->count++];
	*v = (struct visitor){ .cpu = cpu, .pid = pid, .tid = tid };
	return v;
}

void isolated_add_entry(struct isolated *i, const struct sched_entry *e)
{
	struct visitor *v = sched_isolated_find(i, e->cpu, e->pid, e->tid);

	memcpy(v->comm, e->name.comm, sizeof(e->name.comm));
	v->time_ns = e->time_ns;
	v->stack_count = e->stack_count < SCHED_STACK ? e->stack_count : SCHED_STACK;
	memcpy(v->stack, e->stack, v->stack_count * sizeof(*v->stack));
}

void isolated_add_time(struct isolated *i, uint32_t cpu, uint32_t pid, uint32_t tid, uint64_t ns, uint64_t count,
		       uint64_t longest_ns)
{
	struct visitor *v;

	if (!tid || !cpus_have(&i->cpus, (int)cpu))
		return;
	v = sched_isolated_find(i, cpu, pid, tid);
	v->ns += ns;
	v->count += count;
	if (longest_ns > v->longest_ns)
		v->longest_ns = longest_ns;
	if (!v->comm[0]) { /* the thread was there from the beginning */
		struct str name = { 0 };

		if (read_comm((pid_t)pid, (pid_t)tid, &name))
			snprintf(v->comm, sizeof(v->comm), "%s", str_text(&name));
		str_free(&name);
	}
}

void isolated_rename(struct visitor *v, const struct sched_name *name)
{
	memcpy(v->comm, name->comm, sizeof(name->comm));
}

/* By CPU, longest time first. */
static int sched_isolated_by_time(const void *left, const void *right)
{
	const struct visitor *a = left, *b = right;

	return ORDER(a->cpu, b->cpu) ?: ORDER(b->ns, a->ns) ?: ORDER(a->tid, b->tid);
}

/* Print a name, which may contain any bytes, without control characters for terminals. */
static void print_name(const char *name)
{
	struct str text = { 0 };

	printable_add(&text, name, strlen(name));
	fputs(str_text(&text), stdout);
	str_free(&text);
}

static void print_visitor(const struct visitor *v, const struct anchor *a, struct live_names *names)
{
	uint64_t chain[1 + SCHED_STACK] = { (uint64_t)PERF_CONTEXT_KERNEL };
	struct str stack = { 0 }, when = { 0 };

	printf("%12.3f %8" PRIu64 " %12.3f  %" PRIu32 "/%" PRIu32 " ", (double)v->ns / 1e6, v->count,
	       (double)v->longest_ns / 1e6, v->pid, v->tid);
	print_name(v->comm);
	if (!v->time_ns) {
		printf("\n%36sthere at the beginning\n", "");
		return;
	}
	memcpy(chain + 1, v->stack, v->stack_count * sizeof(*v->stack));
	live_stack_add(&stack, names, (int)v->pid, chain, 1 + v->stack_count);
	wallclock_add(&when, a->realtime_ns - a->monotonic_ns + v->time_ns);
	printf("\n%36s%s %s\n", "", str_text(&when), str_text(&stack));
	str_free(&when);
	str_free(&stack);
}

bool isolated_report(struct isolated *i, const struct anchor *a)
{
	struct live_names names = { 0 };
	size_t at = 0;
	bool alone = true;

	if (i->count)
		qsort(i->visitors, i->count, sizeof(*i->visitors), sched_isolated_by_time);
	for (size_t n = 0; n < i->cpus.count; n++) {
		size_t first = at, threads;

		while (at < i->count && i->visitors[at].cpu == (uint32_t)i->cpus.list[n])
			at++;
		threads = at - first;
		printf("CPU %d: %zu thread%s ran%s\n", i->cpus.list[n], threads, threads == 1 ? "" : "s",
		       threads > 1 ? ", where one may" : "");
		if (threads)
			printf("%12s %8s %12s  %s\n", "ms", "times", "longest, ms",
			       "pid/tid name; below: when it first came, and its kernel stack");
		for (size_t v = first; v < at; v++)
			print_visitor(&i->visitors[v], a, &names);
		alone &= threads <= 1;
	}
	live_names_free(&names);
	return alone;
}

void isolated_free(struct isolated *i)
{
	free(i->visitors);
	cpus_free(&i->cpus);
	*i = (struct isolated){ 0 };
}
