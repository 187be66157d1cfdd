#include "collect/wakeup/wakeup_program.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_memory.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/bpf/sched_switch.h"

#include "bpf/wakeup.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

enum { RING_SIZE = 16 << 20, COPIES_RING_SIZE = 64 << 20 };

static struct {
	struct wakeup_bpf *skeleton;
	struct bpf_ring ring;
	struct wakeup_slot *slots;
	size_t slots_size;
	wakeup_take *take;
} program;

static void wakeup_program_take_record(void *context, const void *data, size_t size)
{
	const struct wakeup_record *r = data;
	size_t needed = offsetof(struct wakeup_record, stack);

	(void)context;
	if (size < needed || r->slice_count > WAKEUP_WALK)
		return;
	needed += (r->kernel_count > 0 ? (size_t)r->kernel_count : 0) * sizeof(*r->stack.entries);
	needed += (r->user_count > 0 ? (size_t)r->user_count : 0) * sizeof(*r->stack.entries);
	if (r->copied)
		needed += r->copied >= sizeof(struct user_copy) ? r->copied : UINT32_MAX;
	if (size >= needed)
		program.take(r, r->stack.entries);
}

static int wakeup_program_choose_programs(struct wakeup_bpf *s)
{
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->yield_nr = SYS_sched_yield;
	return sched_switch_choose("wakeup", s->progs.wakeup_switch, s->progs.wakeup_switch_old, NULL);
}

static void wakeup_program_set_walks(struct wakeup_bpf *s, const struct wakeup_rules *rules)
{
	if (!rules->walks)
		return;
	s->rodata->rules.walks = 1;
	s->rodata->rules.copies_max = rules->copies_max;
	bpf_map__set_value_size(s->maps.scratch, sizeof(struct wakeup_record) + USER_COPY_MAX);
	bpf_map__set_value_size(s->maps.kept, USER_COPY_MAX);
	bpf_map__set_max_entries(s->maps.kept, WAKEUP_COPIES);
}

static void wakeup_program_set_options(struct wakeup_bpf *s, const struct wakeup_rules *rules)
{
	uint32_t ring = rules->walks ? COPIES_RING_SIZE : RING_SIZE;

	wakeup_program_set_walks(s, rules);
	s->rodata->rules.min_ns = rules->min_ns;
	s->rodata->max_slots = rules->max_threads;
	s->rodata->rules.wake_at = ring / 4;
	s->rodata->rules.urgent_ns = rules->urgent_ns;
	s->rodata->rules.copy_below = ring / 2;
	s->rodata->rules.some_cpus = rules->cpus != NULL;
	if (rules->cpus)
		bpf_set_cpus((uint64_t *)s->rodata->rules.cpu_mask, SPAN_CPUS, rules->cpus);
	bpf_map__set_max_entries(s->maps.slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.stacks, rules->max_threads);
	bpf_map__set_max_entries(s->maps.free_slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.ring, ring);
}

const char *wakeup_program_obstacle(void)
{
	return bpf_object_obstacle(wakeup_bpf__elf_bytes);
}

int wakeup_program_load(const struct wakeup_rules *rules, wakeup_take *take)
{
	struct wakeup_bpf *s;
	int err;

	if (bpf_check_object("wakeup", wakeup_bpf__elf_bytes))
		return -1;
	s = program.skeleton = wakeup_bpf__open();
	if (!s)
		return bpf_failure("wakeup", "open its program", errno);
	program.take = take;
	if (wakeup_program_choose_programs(s))
		return -1;
	wakeup_program_set_options(s, rules);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	err = wakeup_bpf__load(s);
	if (err)
		return bpf_load_failure("wakeup", s->obj, -err, "--max-threads");
	program.slots = bpf_map_memory("wakeup", s->maps.slots, sizeof(*program.slots), &program.slots_size);
	if (!program.slots)
		return -1;
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), wakeup_program_take_record, NULL))
		return bpf_failure("wakeup", "map its ring", errno);
	return 0;
}

int wakeup_program_start(const struct targets *targets, int command)
{
	return bpf_attached("wakeup", program.skeleton->obj, wakeup_bpf__attach(program.skeleton), targets, command);
}

int wakeup_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

void wakeup_program_drain(void)
{
	bpf_ring_drain(&program.ring);
}

void wakeup_program_round(void)
{
	bpf_ring_round(&program.ring);
}

void wakeup_program_begin(uint64_t begin_ns)
{
	program.skeleton->data->control.begin_ns = begin_ns;
}

void wakeup_program_end(uint64_t end_ns)
{
	program.skeleton->data->control.end_ns = end_ns;
}

void wakeup_program_stop(void)
{
	wakeup_bpf__detach(program.skeleton);
	bpf_wait_for_programs();
	wakeup_program_drain();
}

const struct wakeup_slot *wakeup_program_slots(size_t *count)
{
	uint32_t used = program.skeleton->bss->next_slot, max = program.skeleton->rodata->max_slots;

	*count = used < max ? used : max;
	return program.slots;
}

struct bpf_losses wakeup_program_losses(void)
{
	const struct wakeup_bpf *s = program.skeleton;

	return (struct bpf_losses){
		.records = s->data->control.lost,
		.threads = s->data->control.untracked_threads,
		.switches = s->data->control.untracked_switches,
	};
}

uint64_t wakeup_program_uncopied(void)
{
	return program.skeleton->data->control.uncopied;
}

uint64_t wakeup_program_memory(void)
{
	return bpf_memory(program.skeleton->obj);
}

uint64_t wakeup_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

void wakeup_program_free(void)
{
	bpf_ring_close(&program.ring);
	if (program.slots)
		munmap(program.slots, program.slots_size);
	wakeup_bpf__destroy(program.skeleton);
	memset(&program, 0, sizeof(program));
}
