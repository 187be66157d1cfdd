#include "collect/cpu/cpu_filter.h"

#include <bpf/libbpf.h>
#include <linux/perf_event.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_pythons.h"
#include "collect/machine/kernel_defects.h"
#include "collect/run/opening.h"
#include "collect/sampling/sampler.h"
#include "core/error.h"

#ifdef NO_BPF

void cpu_filter_prepare(struct collection *c, size_t first, enum cpu_filter_wish wish)
{
	(void)c;
	(void)first;
	(void)wish;
}

int cpu_filter_prepare_group(struct collection *c, size_t first, const char *cgroup)
{
	(void)c;
	(void)first;
	return error("--cgroup %s: samples of a group of version 1 need BPF, which this build has not", cgroup);
}

int cpu_filter_start(struct collection *c)
{
	(void)c;
	return 0;
}

int cpu_filter_stop(struct collection *c, uint64_t end_ns)
{
	(void)c;
	(void)end_ns;
	return 0;
}

void cpu_filter_free(void)
{
}

#else

#include "bpf/cpu_filter.skel.h" /* needs bpf/targets.h */

static struct cpu_filter_bpf *filter;
static bool filters; /* it drops samples */

static bool cpu_filter_fits(const struct event *e)
{
	const struct perf_event_attr *a = &e->attr;

	return a->freq && !e->cgroup &&
	       (a->type == PERF_TYPE_HARDWARE ||
		(a->type == PERF_TYPE_SOFTWARE && a->config == PERF_COUNT_SW_CPU_CLOCK));
}

/* Events of threads cost 0.6 us at each switch, and each new thread 3 us for each event, of which there are two for each
 * CPU (tests/bench/creation.c).  Dropped samples cost other processes 7 us each in a virtual machine: 0.07 % at 99 Hz. */
enum { MANY_HZ = 999 };

static bool cpu_filter_is_cheaper(const struct collection *c)
{
	bool programs = false;

	for (size_t i = 0; i < c->source_count; i++)
		programs |= c->sources[i]->looks_at_everybody;
	return programs || c->wish.stack_hz <= MANY_HZ;
}

static bool cpu_filter_is_worth_it(const struct collection *c, size_t first, enum cpu_filter_wish wish)
{
	if (c->whole_machine || wish == CPU_FILTER_NEVER || (wish == CPU_FILTER_CHEAPER && !cpu_filter_is_cheaper(c)) ||
	    bpf_object_obstacle(cpu_filter_bpf__elf_bytes))
		return false;
	for (size_t i = first; i < c->events.count; i++) {
		if (!cpu_filter_fits(&c->events.list[i]) || !sampler_probe_cpu(&c->events.list[i], c->all_cpus.list[0]))
			return false;
	}
	return c->events.count > first;
}

/* Does the kernel run BPF programs at the samples of such an event? */
static bool cpu_filter_may_copy(const struct event *e)
{
	return !event_is_tracepoint(e) && e->attr.type != PERF_TYPE_BREAKPOINT;
}

/* The program copies what Python runs, for stacks that are walked.  Samples are taken in interrupts. */
static bool cpu_filter_knows_python(const struct collection *c)
{
	return c->wish.stack_bytes && !kernel_defect(RISK_USER_READS);
}

static bool cpu_filter_copies(const struct collection *c, size_t first)
{
	if (!cpu_filter_knows_python(c) || bpf_object_obstacle(cpu_filter_bpf__elf_bytes))
		return false;
	for (size_t i = first; i < c->events.count; i++) {
		if (!cpu_filter_may_copy(&c->events.list[i]))
			return false;
	}
	return c->events.count > first;
}

/* Returns the program that runs at each sample, or -1. */
static int cpu_filter_load(struct collection *c, const char *cgroup)
{
	struct cpu_filter_bpf *s = filter = cpu_filter_bpf__open();

	if (!s)
		return -1;
	bpf_program__set_autoload(filters ? s->progs.cpu_python : s->progs.cpu_sample, false);
	if (!filters) {
		bpf_program__set_autoload(s->progs.target_fork, false);
		bpf_program__set_autoload(s->progs.target_exec, false);
	} else if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, collection_targets(c), cgroup,
				       !c->opt.no_inherit)) {
		return -1;
	}
	if (cpu_filter_knows_python(c) && bpf_pythons_share(s->obj, &c->events))
		return -1;
	if (cpu_filter_bpf__load(s))
		return -1;
	if (cpu_filter_knows_python(c))
		bpf_pythons_note(s->obj, &c->events);
	return bpf_program__fd(filters ? s->progs.cpu_sample : s->progs.cpu_python);
}

/* The events sample all threads, and the program drops what is not a target's. */
static void cpu_filter_open_to_all(const struct collection *c, struct event *e)
{
	e->everybody = true;
	e->attr.inherit = 0;
	if (c->opt.command) /* whose exec the program sees */
		e->attr.enable_on_exec = e->attr.disabled = 0;
}

void cpu_filter_prepare(struct collection *c, size_t first, enum cpu_filter_wish wish)
{
	int program;

	filters = cpu_filter_is_worth_it(c, first, wish);
	program = filters || cpu_filter_copies(c, first) ? cpu_filter_load(c, NULL) : -1;

	if (program < 0) {
		cpu_filter_free();
		bpf_forget_complaint();
		return;
	}
	for (size_t i = first; i < c->events.count; i++) {
		if (filters)
			cpu_filter_open_to_all(c, &c->events.list[i]);
		c->events.list[i].filter = program;
	}
	if (filters) {
		c->is_target = bpf_is_target;
		c->add_targets = bpf_targets_add;
	}
}

int cpu_filter_prepare_group(struct collection *c, size_t first, const char *cgroup)
{
	const char *obstacle = bpf_object_obstacle(cpu_filter_bpf__elf_bytes);
	int program;

	for (size_t i = first; i < c->events.count && !obstacle; i++)
		obstacle =
			cpu_filter_fits(&c->events.list[i]) ? NULL : "only timers and counters with a frequency can be";
	if (obstacle)
		return error("--cgroup %s: samples of a group of version 1: %s", cgroup, obstacle);
	filters = true;
	program = cpu_filter_load(c, cgroup);
	for (size_t i = first; i < c->events.count && program >= 0; i++)
		c->events.list[i].filter = program;
	return program < 0 ? -1 : 0;
}

int cpu_filter_start(struct collection *c)
{
	struct targets again = { 0 };
	const struct targets *targets;
	int status;

	if (!filter || !filters)
		return 0;
	targets = opening_targets(c, &again);
	status = bpf_attached("cpu", filter->obj, cpu_filter_bpf__attach(filter), targets, c->command.pid);
	targets_free(&again);
	return status;
}

int cpu_filter_stop(struct collection *c, uint64_t end_ns)
{
	(void)end_ns;
	if (filter)
		c->recording.tally.losses[LOSS_lost_pythons] += filter->bss->python_lost;
	return 0;
}

void cpu_filter_free(void)
{
	cpu_filter_bpf__destroy(filter);
	filter = NULL;
}

#endif
