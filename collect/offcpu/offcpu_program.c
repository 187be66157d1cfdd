#include "collect/offcpu/offcpu_program.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_memory.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/bpf/sched_switch.h"

#include "bpf/offcpu.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

enum { RING_SIZE = 16 << 20, COPIES_RING_SIZE = 64 << 20 };

static struct {
	struct offcpu_bpf *skeleton;
	struct bpf_ring ring;
	volatile struct offcpu_slot *slots;
	size_t slots_size;
	offcpu_take *take;
	bool running;
} program;

static void offcpu_program_take_record(void *context, const void *data, size_t size)
{
	const struct offcpu_record *r = data;
	size_t needed = offsetof(struct offcpu_record, stack);

	(void)context;
	if (size < needed)
		return;
	needed += (r->kernel_count > 0 ? (size_t)r->kernel_count : 0) * sizeof(*r->stack);
	needed += (r->user_count > 0 ? (size_t)r->user_count : 0) * sizeof(*r->stack);
	if (r->copied)
		needed += r->copied >= sizeof(struct user_copy) ? r->copied : UINT32_MAX;
	if (size >= needed)
		program.take(r);
}

static int offcpu_program_choose_programs(struct offcpu_bpf *s, const struct offcpu_rules *rules)
{
	bool at_exit;

	if (sched_switch_choose("offcpu", s->progs.offcpu_switch, s->progs.offcpu_switch_old, &at_exit))
		return -1;
	at_exit &= !rules->at_return;
	bpf_program__set_autoload(s->progs.offcpu_exit, at_exit);
	bpf_program__set_autoload(s->progs.offcpu_return, !at_exit);
	s->rodata->at_exit = at_exit;
	s->rodata->have_regs = bpf_has_registers();
	return 0;
}

static void offcpu_program_set_walks(struct offcpu_bpf *s, const struct offcpu_rules *rules)
{
	if (!rules->walks)
		return;
	s->rodata->rules.walks = 1;
	s->rodata->rules.copies_max = rules->copies_max;
	bpf_map__set_value_size(s->maps.scratches, sizeof(struct offcpu_record) + USER_COPY_MAX);
}

static void offcpu_program_set_options(struct offcpu_bpf *s, const struct offcpu_rules *rules)
{
	uint32_t ring;

	offcpu_program_set_walks(s, rules);
	ring = s->rodata->rules.walks ? COPIES_RING_SIZE : RING_SIZE;
	if (rules->ring_most && rules->ring_most < ring)
		ring = rules->ring_most;
	s->rodata->rules.min_ns = rules->min_ns;
	s->rodata->max_ns = rules->max_ns;
	s->rodata->state_mask = rules->states;
	s->rodata->max_slots = rules->max_threads;
	s->rodata->wakers = rules->wakers;
	s->rodata->rules.wake_at = ring / 4;
	s->rodata->rules.urgent_ns = rules->urgent_ns;
	s->rodata->rules.copy_below = ring / 2;
	s->rodata->rules.some_cpus = rules->cpus != NULL;
	if (rules->cpus)
		bpf_set_cpus((uint64_t *)s->rodata->rules.cpu_mask, SPAN_CPUS, rules->cpus);
	bpf_map__set_max_entries(s->maps.slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.free_slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.ring, ring);
}

const char *offcpu_program_obstacle(void)
{
	return bpf_object_obstacle(offcpu_bpf__elf_bytes);
}

int offcpu_program_load(const struct offcpu_rules *rules, offcpu_take *take)
{
	struct offcpu_bpf *s;
	int err;

	if (bpf_check_object("offcpu", offcpu_bpf__elf_bytes))
		return -1;
	s = program.skeleton = offcpu_bpf__open();
	if (!s)
		return bpf_failure("offcpu", "open its program", errno);
	program.take = take;
	if (offcpu_program_choose_programs(s, rules))
		return -1;
	offcpu_program_set_options(s, rules);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	err = offcpu_bpf__load(s);
	if (err)
		return bpf_load_failure("offcpu", s->obj, -err, "--max-threads");
	program.slots = bpf_map_memory("offcpu", s->maps.slots, sizeof(*program.slots), &program.slots_size);
	if (!program.slots)
		return -1;
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), offcpu_program_take_record, NULL))
		return bpf_failure("offcpu", "map its ring", errno);
	return 0;
}

static int run_look(uint32_t what)
{
	program.skeleton->bss->look = what;
	return bpf_iterate("offcpu", program.skeleton->progs.offcpu_look, "look at all threads");
}

int offcpu_program_start(const struct targets *targets, int command)
{
	struct offcpu_bpf *s = program.skeleton;
	int err;

	bpf_program__set_autoattach(s->progs.offcpu_look, false);
	err = offcpu_bpf__attach(s);
	program.running = !err;
	return bpf_attached("offcpu", s->obj, err, targets, command);
}

int offcpu_program_begin(void)
{
	return run_look(OFFCPU_LOOK_START);
}

int offcpu_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

void offcpu_program_drain(void)
{
	bpf_ring_drain(&program.ring);
}

void offcpu_program_round(void)
{
	bpf_ring_round(&program.ring);
}

volatile struct offcpu_slot *offcpu_program_slots(size_t *count)
{
	uint32_t used = program.skeleton->bss->next_slot, max = program.skeleton->rodata->max_slots;

	*count = used < max ? used : max;
	return program.slots;
}

int offcpu_program_look(void)
{
	int status = run_look(OFFCPU_LOOK_ASKED);

	offcpu_program_drain();
	return status;
}

void offcpu_program_end(uint64_t end_ns)
{
	program.skeleton->data->control.end_ns = end_ns;
}

void offcpu_program_stop(void)
{
	if (!program.running)
		return;
	program.running = false;
	offcpu_bpf__detach(program.skeleton);
	bpf_wait_for_programs();
	offcpu_program_drain();
}

struct bpf_losses offcpu_program_losses(void)
{
	const struct offcpu_bpf *s = program.skeleton;

	return (struct bpf_losses){
		.records = s->data->control.lost,
		.threads = s->data->control.untracked_threads,
		.switches = s->data->control.untracked_switches,
	};
}

uint64_t offcpu_program_left_out(void)
{
	size_t count;
	volatile struct offcpu_slot *slots = offcpu_program_slots(&count);
	uint64_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += slots[i].left_out;
	return n;
}

uint64_t offcpu_program_uncopied(void)
{
	return program.skeleton->data->control.uncopied;
}

uint64_t offcpu_program_memory(void)
{
	return bpf_memory(program.skeleton->obj);
}

uint64_t offcpu_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

void offcpu_program_free(void)
{
	bpf_ring_close(&program.ring);
	if (program.slots)
		munmap((void *)program.slots, program.slots_size);
	offcpu_bpf__destroy(program.skeleton);
	memset(&program, 0, sizeof(program));
}
