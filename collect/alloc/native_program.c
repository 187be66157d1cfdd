#include "collect/alloc/native_program.h"

#include "collect/bpf/bpf.h"

#ifdef NO_BPF

int native_program_load(const struct native_rules *rules)
{
	(void)rules;
	return bpf_check("alloc --native");
}
int native_program_start(struct event *e, const struct targets *targets)
{
	(void)e, (void)targets;
	return -1;
}
int native_program_attach(int pid)
{
	(void)pid;
	return -1;
}
int native_program_attach_command(int pid, const char *name)
{
	(void)pid, (void)name;
	return -1;
}
int native_program_attach_everywhere(int pid)
{
	(void)pid;
	return -1;
}
void native_program_stop(void)
{
}
void native_program_free(void)
{
}

#else

#include <bpf/libbpf.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bpf/native_alloc.h"
#include "bpf/native_alloc.skel.h"
#include "collect/alloc/allocators.h"
#include "collect/recording/refusal.h"
#include "collect/sampling/output_event.h"
#include "core/memory.h"

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

int native_program_load(const struct native_rules *rules)
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
	err = native_alloc_bpf__load(s);
	return err ? bpf_load_failure(name, s->obj, -err, NULL) : 0;
}

int native_program_start(struct event *e, const struct targets *targets)
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

/* Is the error not a failure?  The process may be gone, or the first instruction cannot be probed. */
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

int native_program_attach(int pid)
{
	size_t count;

	program.pid = pid;
	count = allocators_of_process(&program.allocators, pid, probe, NULL);
	return program.failed ? -1 : (int)count;
}

int native_program_attach_command(int pid, const char *command)
{
	program.pid = pid;
	allocators_of_command(&program.allocators, command, probe, NULL);
	return program.failed ? -1 : 0;
}

int native_program_attach_everywhere(int pid)
{
	size_t count;

	program.pid = -1;
	count = allocators_of_process(&program.allocators, pid, probe, NULL);
	return program.failed ? -1 : (int)count;
}

void native_program_stop(void)
{
	for (size_t i = 0; i < program.link_count; i++)
		bpf_link__destroy(program.links[i]);
	program.link_count = 0;
}

void native_program_free(void)
{
	native_program_stop();
	native_alloc_bpf__destroy(program.skeleton);
	allocators_free(&program.allocators);
	free(program.probed);
	free(program.links);
	memset(&program, 0, sizeof(program));
}

#endif
