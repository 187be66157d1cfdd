#include "collect/windows/windows_program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_ring.h"
#include "core/memory.h"

#include "bpf/windows.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

static const char name[] = "windows";

static struct {
	struct windows_bpf *skeleton;
	struct bpf_ring ring;
	const struct window_places *places;
	struct bpf_link **links;
	size_t link_count, link_cap;
	windows_take *take;
} program;

static void windows_program_take_record(void *context, const void *data, size_t size)
{
	(void)context;
	if (size >= sizeof(struct window_record))
		program.take(data);
}

/* Probes are set one by one: the skeleton cannot know where. */
static void windows_program_choose_programs(struct windows_bpf *s)
{
	struct bpf_program *const probes[] = {
		s->progs.window_begins,           s->progs.window_ends,           s->progs.window_changes,
		s->progs.window_begins_in_kernel, s->progs.window_ends_in_kernel, s->progs.window_changes_in_kernel,
		s->progs.window_enters,
	};

	for (size_t i = 0; i < sizeof(probes) / sizeof(*probes); i++)
		bpf_program__set_autoattach(probes[i], false);
}

const char *windows_program_obstacle(void)
{
	return bpf_object_obstacle(windows_bpf__elf_bytes);
}

int windows_program_load(const struct windows_rules *rules, windows_take *take)
{
	struct windows_bpf *s;
	int err;

	if (bpf_check_object(name, windows_bpf__elf_bytes))
		return -1;
	s = program.skeleton = windows_bpf__open();
	if (!s)
		return bpf_failure(name, "open its program", errno);
	program.take = take;
	windows_program_choose_programs(s);
	s->rodata->have_regs = bpf_has_registers();
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	err = windows_bpf__load(s);
	if (err)
		return bpf_load_failure(name, s->obj, -err, NULL);
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), windows_program_take_record, NULL))
		return bpf_failure(name, "map its ring", errno);
	return 0;
}

void windows_program_set(const struct window_places *places)
{
	program.places = places;
}

static struct bpf_program *windows_program_of(const struct window_place *p)
{
	const struct windows_bpf *s = program.skeleton;
	bool in_kernel = p->name;

	switch (p->what) {
	case WINDOW_BEGIN: return in_kernel ? s->progs.window_begins_in_kernel : s->progs.window_begins;
	case WINDOW_END: return in_kernel ? s->progs.window_ends_in_kernel : s->progs.window_ends;
	default: return in_kernel ? s->progs.window_changes_in_kernel : s->progs.window_changes;
	}
}

static int keep_link(struct bpf_link *link)
{
	if (!link)
		return bpf_failure(name, "set a probe of --between", errno);
	program.links = xgrow(program.links, &program.link_cap, program.link_count + 1, sizeof(*program.links));
	program.links[program.link_count++] = link;
	return 0;
}

static int set_probe(const struct window_place *p)
{
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .retprobe = p->returns, .ref_ctr_offset = p->semaphore);
	const struct bpf_program *enters = program.skeleton->progs.window_enters;

	if (p->name)
		return keep_link(bpf_program__attach_tracepoint(windows_program_of(p), p->path, p->name));
	if (p->returns && keep_link(bpf_program__attach_uprobe(enters, false, -1, p->path, p->offset)))
		return -1;
	return keep_link(bpf_program__attach_uprobe_opts(windows_program_of(p), -1, p->path, p->offset, &opts));
}

/* Ends come first: a window that has begun is not to miss its end. */
static int set_probes(void)
{
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < program.places->count; i++) {
			const struct window_place *p = &program.places->list[i];

			if ((p->what == WINDOW_BEGIN) == (pass == 1) && set_probe(p))
				return -1;
		}
	}
	return 0;
}

int windows_program_start(const struct targets *targets, int command)
{
	struct windows_bpf *s = program.skeleton;

	if (bpf_attached(name, s->obj, windows_bpf__attach(s), targets, command))
		return -1;
	if (set_probes())
		return -1;
	s->bss->is_set = 1;
	return 0;
}

_Static_assert((int)WINDOW_RETURNS == (int)RETURN_SLOTS_MAX, "all of them");

size_t windows_program_returns(uint32_t tid, struct return_slot slots[RETURN_SLOTS_MAX])
{
	struct window_returns r;
	size_t count;

	if (!program.skeleton || bpf_map_lookup_elem(bpf_map__fd(program.skeleton->maps.returns), &tid, &r))
		return 0;
	count = r.count < WINDOW_RETURNS ? r.count : WINDOW_RETURNS;
	for (size_t i = 0; i < count; i++) {
		size_t at = (r.count - 1 - i) % WINDOW_RETURNS;

		slots[i] = (struct return_slot){ r.list[at].slot, r.list[at].address, r.list[at].since_ns };
	}
	return count;
}

int windows_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

void windows_program_drain(void)
{
	bpf_ring_drain(&program.ring);
}

void windows_program_round(void)
{
	bpf_ring_round(&program.ring);
}

void windows_program_end(uint64_t end_ns)
{
	program.skeleton->data->control.end_ns = end_ns;
}

static void remove_probes(void)
{
	for (size_t i = 0; i < program.link_count; i++)
		bpf_link__destroy(program.links[i]);
	program.link_count = 0;
}

void windows_program_stop(void)
{
	remove_probes();
	windows_bpf__detach(program.skeleton);
	bpf_wait_for_programs();
	windows_program_drain();
}

uint64_t windows_program_lost(void)
{
	return program.skeleton->data->control.lost;
}

uint64_t windows_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

void windows_program_free(void)
{
	remove_probes();
	bpf_ring_close(&program.ring);
	windows_bpf__destroy(program.skeleton);
	free(program.links);
	memset(&program, 0, sizeof(program));
}
