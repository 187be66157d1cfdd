#include "collect/alloc/native_alloc.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/native_alloc.h"
#include "collect/alloc/allocators.h"
#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_pythons.h"
#include "collect/machine/procfs.h"
#include "collect/machine/targets.h"
#include "collect/recording/event.h"
#include "collect/recording/refusal.h"
#include "collect/run/collection.h"
#include "collect/sampling/output_event.h"
#include "collect/sampling/stack_walk.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/unwind/unwinder.h"

#ifndef NO_BPF
#include <bpf/libbpf.h>

#include "bpf/native_alloc.skel.h"
#endif

/* ---- the BPF programs ---- */

/* bpf/native_alloc.bpf.c, attached to the functions by which processes allocate (collect/alloc/allocators.h). */

struct native_rules {
	uint64_t interval;             /* bytes from one sample to the next, on average */
	const struct targets *targets; /* single threads, or NULL: whole processes */
	bool inherit;
};

#ifdef NO_BPF

/* Check rights and load the programs.  Returns 0, or -1 after a message. */
static int native_program_load(const struct native_rules *rules, struct events *events)
{
	(void)rules, (void)events;
	return bpf_check("alloc --native");
}

/* From now on, send samples to e, which the sampler has opened; targets: as in struct native_rules.  Returns 0, or -1
 * after a message. */
static int native_program_start(struct event *e, const struct targets *targets)
{
	(void)e, (void)targets;
	return -1;
}

/* Probe those allocators of process pid that are not probed yet; call it again when the process has mapped more files.
 *  Returns the number of files, -1 after a message. */
static int native_program_attach(int pid)
{
	(void)pid;
	return -1;
}

/* Probe, for process pid, the allocators of the program that it is going to execute. */
static int native_program_attach_command(int pid, const char *name)
{
	(void)pid, (void)name;
	return -1;
}

/* Probe the allocators of process pid in all processes that use the same files. */
static int native_program_attach_everywhere(int pid)
{
	(void)pid;
	return -1;
}

/* Detach the programs.  Returns the number of copies of Python frames that were lost. */
static uint64_t native_program_stop(void)
{
	return 0;
}
static void native_program_free(void)
{
}

#else

static const char name[] = "alloc --native";

/* A file is probed for one process, or for all (-1). */
struct probed {
	size_t file;
	int pid;
};

static struct {
	struct native_alloc_bpf *skeleton;
	struct allocators allocators;
	struct probed *probed;
	size_t probed_count, probed_cap;
	struct bpf_link **links;
	size_t link_count, link_cap;
	int pid; /* the process for which files are being probed */
	bool failed;
} program;

/* ---- loading ---- */

static void set_draw(struct native_alloc_draw *draw, uint64_t interval)
{
	draw->scale = (uint64_t)ceil((double)interval * log(2));
	for (int i = 0; i <= NATIVE_ALLOC_STEPS; i++)
		draw->log2_of[i] = (uint32_t)(log2(1 + (double)i / NATIVE_ALLOC_STEPS) * NATIVE_ALLOC_ONE);
}

static int native_program_load(const struct native_rules *rules, struct events *events)
{
	struct native_alloc_bpf *s;
	struct target_rules who;
	int err;

	if (check_uprobes(name) || bpf_check_object(name, native_alloc_bpf__elf_bytes))
		return -1;
	s = program.skeleton = native_alloc_bpf__open();
	if (!s)
		return bpf_failure(name, "open its program", errno);
	set_draw((struct native_alloc_draw *)&s->rodata->draw, rules->interval);
	if (bpf_targets_prepare(s->obj, &who, rules->targets, NULL, rules->inherit))
		return -1;
	memcpy((void *)&s->rodata->target_rules, &who, sizeof(who));
	if (bpf_pythons_share(s->obj, events))
		return bpf_failure(name, "use the maps of Python", errno);
	err = native_alloc_bpf__load(s);
	if (err)
		return bpf_load_failure(name, s->obj, -err, NULL);
	bpf_pythons_note(s->obj, events);
	return 0;
}

static int native_program_start(struct event *e, const struct targets *targets)
{
	struct native_alloc_bpf *s = program.skeleton;

	if (output_event_start(e, bpf_map__fd(s->maps.output)))
		return bpf_failure(name, "use its rings", errno);
	if (!targets)
		return 0;
	s->links.target_fork = bpf_program__attach(s->progs.target_fork);
	if (!s->links.target_fork)
		return bpf_failure(name, "attach its program", errno);
	return bpf_targets_fill(s->obj, targets);
}

/* ---- probes ---- */

static struct bpf_program *native_program_of(enum allocator_kind kind)
{
	struct native_alloc_bpf *s = program.skeleton;
	struct bpf_program *const programs[ALLOCATOR_KINDS] = {
		[ALLOCATOR_MALLOC] = s->progs.native_malloc,   [ALLOCATOR_FIRST] = s->progs.native_first,
		[ALLOCATOR_SECOND] = s->progs.native_second,   [ALLOCATOR_THIRD] = s->progs.native_third,
		[ALLOCATOR_PRODUCT] = s->progs.native_product,
	};

	return programs[kind];
}

static bool is_probed(size_t file, int pid)
{
	for (size_t i = 0; i < program.probed_count; i++) {
		if (program.probed[i].file == file && (program.probed[i].pid == pid || program.probed[i].pid == -1))
			return true;
	}
	return false;
}

/* Is the error harmless?  The process may be gone, or the first instruction cannot be probed. */
static bool may_fail(int err)
{
	return err == ESRCH || err == ENOENT || err == EINVAL || err == EOPNOTSUPP;
}

/* Set the probe.  Returns whether this succeeded. */
static bool probe_function(const struct allocator_function *f, const char *path)
{
	struct bpf_link *link =
		bpf_program__attach_uprobe(native_program_of(f->kind), false, program.pid, path, f->offset);

	if (!link && !may_fail(errno) && !program.failed) {
		program.failed = true;
		bpf_failure(name, "probe malloc() and its like", errno);
	}
	if (!link)
		return false;
	program.links = xgrow(program.links, &program.link_cap, program.link_count + 1, sizeof(*program.links));
	program.links[program.link_count++] = link;
	return true;
}

static void probe(void *self, size_t file, const char *path)
{
	const struct allocator *a = &program.allocators.files[file];
	size_t done = 0;

	(void)self;
	if (is_probed(file, program.pid))
		return;
	for (size_t i = 0; i < a->count; i++)
		done += probe_function(&a->functions[i], path);
	if (!done)
		return; /* the next process may have a better path */
	program.probed = xgrow(program.probed, &program.probed_cap, program.probed_count + 1, sizeof(*program.probed));
	program.probed[program.probed_count++] = (struct probed){ file, program.pid };
}

static int native_program_attach(int pid)
{
	size_t count;

	program.pid = pid;
	count = allocators_of_process(&program.allocators, pid, probe, NULL);
	return program.failed ? -1 : (int)count;
}

static int native_program_attach_command(int pid, const char *command)
{
	program.pid = pid;
	allocators_of_command(&program.allocators, command, probe, NULL);
	return program.failed ? -1 : 0;
}

static int native_program_attach_everywhere(int pid)
{
	size_t count;

	program.pid = -1;
	count = allocators_of_process(&program.allocators, pid, probe, NULL);
	return program.failed ? -1 : (int)count;
}

static uint64_t native_program_stop(void)
{
	for (size_t i = 0; i < program.link_count; i++)
		bpf_link__destroy(program.links[i]);
	program.link_count = 0;
	return program.skeleton ? program.skeleton->bss->python_lost : 0;
}

static void native_program_free(void)
{
	native_program_stop();
	native_alloc_bpf__destroy(program.skeleton);
	allocators_free(&program.allocators);
	free(program.probed);
	free(program.links);
	memset(&program, 0, sizeof(program));
}

#endif

/* ---- the recording ---- */

static struct {
	double interval;
	size_t event;
	double bytes, objects; /* fractions that are not recorded yet, each less than 1 */
} run;

/* ---- samples ---- */

/* Take the integer part of *amount, and leave the fraction there, so that many small amounts lose nothing. */
static uint64_t take_whole(double *amount)
{
	double whole = floor(*amount);

	*amount -= whole;
	return (uint64_t)whole;
}

/* An allocation of n bytes is sampled with the probability p = 1 - exp(-n / interval), and stands for 1 / p such
 * allocations. */
bool native_alloc_weigh(struct walked_sample *s)
{
	struct native_alloc_sample sample;
	double chance;

	if (s->raw_len < sizeof(sample))
		return false;
	memcpy(&sample, s->raw, sizeof(sample));
	chance = -expm1(-(double)sample.bytes / run.interval);
	run.bytes += (double)sample.bytes / chance;
	run.objects += 1 / chance;
	s->weight = take_whole(&run.bytes);
	s->span.count = take_whole(&run.objects);
	s->span.longest_ns = sample.bytes;
	if (s->span.count != 1)
		s->span.flags &= ~(uint32_t)RECORDING_SINGLE;
	return true;
}

/* ---- the source ---- */

/* The targets if they are single threads; NULL if they are whole processes. */
static const struct targets *single_threads(const struct collection *c)
{
	return c->opt.selection.tids.count || c->opt.selection.thread ? collection_targets(c) : NULL;
}

int native_alloc_prepare(struct collection *c, uint64_t interval, uint32_t stack_bytes,
			 bool (*made)(void *self, struct walked_sample *s))
{
	struct sampling how = collection_sampling(c);
	struct native_rules rules = {
		.interval = interval,
		.targets = single_threads(c),
		.inherit = !c->opt.no_inherit,
	};

	if (!unwind_sample_registers())
		return error("alloc --native works on x86-64 and aarch64");
	if (native_program_load(&rules, &c->events))
		return -1;
	run.interval = (double)interval;
	how.stack_bytes = stack_bytes;
	how.user_only = true; /* probes are on user functions */
	run.event = output_event_add(&c->events, RECORDING_ALLOC, &how);
	c->events.list[run.event].made = made;
	return 0;
}

/* For all processes: probe the files that they map now. */
static int attach_everywhere(void)
{
	struct pids pids = { 0 };
	int status = 0, found = 0;

	pids_read(&pids, "/proc");
	for (size_t i = 0; i < pids.count && status >= 0; i++) {
		status = native_program_attach_everywhere(pids.list[i]);
		found += status > 0;
	}
	pids_free(&pids);
	if (status < 0)
		return -1;
	return found ? 0 : error("alloc --native: no process has a malloc() that could be seen");
}

static int attach_targets(struct collection *c)
{
	const struct pids *pids = &c->targets.processes;
	int found = 0;

	for (size_t i = 0; i < pids->count; i++) {
		int count = native_program_attach(pids->list[i]);

		if (count < 0)
			return -1;
		found += count;
	}
	return found ? 0
		     : error("alloc --native: no malloc() found in the %s (is it a static program without "
			     "symbols?)",
			     pids->count == 1 ? "process" : "processes");
}

int native_alloc_start(struct collection *c)
{
	if (native_program_start(&c->events.list[run.event], single_threads(c)))
		return -1;
	if (c->whole_machine)
		return attach_everywhere();
	if (c->opt.command)
		return native_program_attach_command(c->command.pid, c->opt.command[0]);
	return attach_targets(c);
}

/* A COMMAND may use another malloc() than expected, so probe what it has mapped by now. */
int native_alloc_drain(struct collection *c)
{
	if (c->opt.command && !c->whole_machine && native_program_attach(c->command.pid) < 0)
		return -1;
	return 0;
}

void native_alloc_stop(struct collection *c)
{
	c->recording.tally.losses[LOSS_lost_pythons] += native_program_stop();
}

void native_alloc_free(void)
{
	native_program_free();
}
