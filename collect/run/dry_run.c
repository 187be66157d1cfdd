#include "collect/run/dry_run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/recording/refusal.h"
#include "collect/sampling/sample_cost.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/outfile.h"
#include "core/wallclock.h"

#define COUNT_NS (5 * NS_PER_SEC)

enum {
	SAMPLE_NS = 2500,   /* for a sample, besides its interrupt: walking or copying its stack */
	SAMPLE_BYTES = 350, /* in the recording */
	SPAN_BYTES = 200,
	STACKS_EACH = 20, /* maximum number of stacks that a thread's sums of a second have */
};

/* One event that is counted. */
struct counter {
	const char *name; /* a name in source_price.event, or the name for all CPU time */
	int *fds;
	size_t fd_count, fd_cap;
	double each_second;
};

struct counters {
	struct counter *list;
	size_t count, cap;
};

static int dry_run_open(struct counter *n, const struct perf_event_attr *attr, pid_t tid, int cpu)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno == ESRCH) /* it has ended */
		return 0;
	if (fd < 0)
		return error("cannot count %s: %s", n->name, refusal_limit(errno) ?: strerror(errno));
	n->fds = xgrow(n->fds, &n->fd_cap, n->fd_count + 1, sizeof(*n->fds));
	n->fds[n->fd_count++] = fd;
	return 0;
}

/* For each CPU, or each thread of the targets and what it starts. */
static int dry_run_count(const struct collection *c, struct counter *n)
{
	const struct targets *targets = collection_targets(c);
	struct events events = { 0 };
	struct perf_event_attr attr = { .size = sizeof(attr) };
	int status = events_add(&events, n->name);

	if (!status) {
		attr.type = events.list[0].attr.type;
		attr.config = events.list[0].attr.config;
		attr.inherit = targets && !c->opt.no_inherit;
	}
	for (size_t i = 0; !status && !targets && i < c->cpus.count; i++)
		status = dry_run_open(n, &attr, -1, c->cpus.list[i]);
	for (size_t i = 0; !status && targets && i < targets->count; i++)
		status = dry_run_open(n, &attr, targets->list[i].tid, -1);
	events_free(&events);
	return status;
}

/* NULL: it is not counted. */
static struct counter *dry_run_find(const struct counters *all, const char *name)
{
	for (size_t i = 0; i < all->count; i++) {
		if (!strcmp(all->list[i].name, name))
			return &all->list[i];
	}
	return NULL;
}

static int dry_run_add(const struct collection *c, struct counters *all, const char *name)
{
	if (dry_run_find(all, name))
		return 0;
	all->list = xgrow(all->list, &all->cap, all->count + 1, sizeof(*all->list));
	all->list[all->count] = (struct counter){ .name = name };
	return dry_run_count(c, &all->list[all->count++]);
}

static void dry_run_read(struct counters *all, uint64_t ns)
{
	for (size_t i = 0; i < all->count; i++) {
		struct counter *n = &all->list[i];
		uint64_t value, sum = 0;

		for (size_t k = 0; k < n->fd_count; k++) {
			if (read(n->fds[k], &value, sizeof(value)) == sizeof(value))
				sum += value;
			close(n->fds[k]);
		}
		free(n->fds);
		n->each_second = (double)sum * (double)NS_PER_SEC / (double)ns;
	}
}

/* What a second of a recording takes. */
struct dry_run_cost {
	double ns, bytes;
};

/* "sched:sched_switch" counts switches; for samples, CPU time in ns is counted. */
#define CPU_TIME "task-clock"

static struct dry_run_cost dry_run_samples(const struct collection *c, const struct counters *all, struct str *out)
{
	const struct counter *time = dry_run_find(all, CPU_TIME);
	double busy = time ? time->each_second / (double)NS_PER_SEC : (double)c->cpus.count;
	double samples = busy * (double)c->wish.stack_hz;

	str_addf(out, "%.0f samples", samples);
	return (struct dry_run_cost){ samples * (double)(sample_cost_ns() + SAMPLE_NS), samples * SAMPLE_BYTES };
}

/* Stacks cost no more than the share --budget of each CPU; walking them takes the collector about as long again. */
static struct dry_run_cost dry_run_spans(const struct collection *c, const struct source_price *prices,
					 const struct counters *all, double threads, struct str *out)
{
	struct dry_run_cost cost = { 0 };
	double stacks = 0, most = c->opt.budget * (double)c->cpus.count * (double)NS_PER_SEC, events = 0;

	for (; prices->event; prices++) {
		const struct counter *n = dry_run_find(all, prices->event);

		str_addf(out, "%s%.0f %s", out->len ? ", " : "", n->each_second, n->name);
		cost.ns += n->each_second * prices->ns;
		stacks += n->each_second * prices->stack_ns;
		events += n->each_second;
	}
	cost.ns += 2 * (most > 0 && stacks > most ? most : stacks);
	cost.bytes = SPAN_BYTES * (events < threads * STACKS_EACH ? events : threads * STACKS_EACH);
	return cost;
}

/* "0.10 0.20 0.30 2/412 9124": 412 is the number of threads. */
static double dry_run_threads(const struct collection *c)
{
	struct str text = { 0 };
	const char *slash = read_whole("/proc/loadavg", &text) ? NULL : strchr(str_text(&text), '/');
	double threads = slash ? strtod(slash + 1, NULL) : 0;

	str_free(&text);
	return c->whole_machine ? threads : (double)c->targets.count;
}

static void dry_run_print(const char *name, const char *what, const struct dry_run_cost *cost, size_t cpus)
{
	printf("%-10s %6.2f %% of the machine, %10s a second%s%s\n", name,
	       100 * cost->ns / (double)NS_PER_SEC / (double)cpus, size_text((uint64_t)cost->bytes).text,
	       *what ? ": " : "", what);
}

static void dry_run_tell(const struct collection *c, const struct counters *all, uint64_t ns)
{
	struct dry_run_cost sum = { 0 };
	double threads = dry_run_threads(c);

	printf("in %.1f s, %.0f threads on %zu CPUs; a recording would take about\n", (double)ns / (double)NS_PER_SEC,
	       threads, c->all_cpus.count);
	for (size_t i = 0; i < c->source_count; i++) {
		const struct source_price *prices = c->sources[i]->prices;
		struct dry_run_cost cost = { 0 };
		struct str what = { 0 };

		if (!prices) {
			printf("%-10s not known beforehand\n", c->sources[i]->name);
			continue;
		}
		cost = prices->event ? dry_run_spans(c, prices, all, threads, &what) : dry_run_samples(c, all, &what);
		str_puts(&what, " a second");
		dry_run_print(c->sources[i]->name, what.buf, &cost, c->all_cpus.count);
		sum.ns += cost.ns;
		sum.bytes += cost.bytes;
		str_free(&what);
	}
	dry_run_print("all", "", &sum, c->all_cpus.count);
}

static int dry_run_open_all(const struct collection *c, struct counters *all)
{
	for (size_t i = 0; i < c->source_count; i++) {
		for (const struct source_price *p = c->sources[i]->prices; p && p->event; p++) {
			if (dry_run_add(c, all, p->event))
				return -1;
		}
	}
	return c->whole_machine ? 0 : dry_run_add(c, all, CPU_TIME);
}

int dry_run(struct collection *c)
{
	struct counters all = { 0 };
	uint64_t begin_ns = monotonic_ns();
	int status = dry_run_open_all(c, &all);

	session_set_duration(&c->session, c->opt.duration_ns ?: COUNT_NS);
	while (!status && !(session_wait(&c->session, 0) & SESSION_OVER))
		;
	dry_run_read(&all, monotonic_ns() - begin_ns);
	if (!status)
		dry_run_tell(c, &all, monotonic_ns() - begin_ns);
	free(all.list);
	return status || flush_stdout() < 0;
}
