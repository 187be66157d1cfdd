#include "collect/syscalls/syscalls_program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "collect/bpf/bpf_memory.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/bpf/sched_switch.h"
#include "collect/syscalls/syscall_names.h"
#include "core/error.h"
#include "core/memory.h"

#include "bpf/syscalls.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

enum { RING_SIZE = 16 << 20, COPIES_RING_SIZE = 64 << 20, BLOCKS_PER_THREAD = 4, ENTRIES_PER_THREAD = 8 };

static struct {
	struct syscalls_bpf *skeleton;
	struct bpf_ring ring;
	syscalls_take *take;
	struct call_sums *sums, *no_sums; /* of each possible CPU */
	int cpus;
	struct syscall_about abouts[2 * SYSCALLS_NUMBERS];
} program;

static void syscalls_program_take_record(void *context, const void *data, size_t size)
{
	const struct call_record *r = data;
	size_t needed = offsetof(struct call_record, stack);

	(void)context;
	if (size < offsetof(struct call_record, by))
		return;
	if (!(r->flags & CALL_SUM)) {
		if (size < needed)
			return;
		needed += (r->kernel_count > 0 ? (size_t)r->kernel_count : 0) * sizeof(*r->stack);
		needed += (r->user_count > 0 ? (size_t)r->user_count : 0) * sizeof(*r->stack);
		if (r->copied)
			needed += r->copied >= sizeof(struct user_copy) ? r->copied : UINT32_MAX;
		if (size < needed)
			return;
	}
	program.take(r);
}

static void syscalls_program_set_options(struct syscalls_bpf *s, const struct syscalls_rules *rules)
{
	uint32_t ring = rules->walks ? COPIES_RING_SIZE : RING_SIZE;

	if (rules->walks) {
		s->rodata->rules.walks = 1;
		s->rodata->rules.copies_max = rules->copies_max;
		bpf_map__set_value_size(s->maps.scratch, sizeof(struct call_record) + USER_COPY_MAX);
	}
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->yield_nr = SYS_sched_yield;
	s->rodata->rules.min_ns = rules->min_ns;
	s->rodata->is_selective = rules->call != NULL;
	s->rodata->only_errors = rules->only_errors;
	s->rodata->rules.some_cpus = rules->cpus != NULL;
	if (rules->cpus)
		bpf_set_cpus((uint64_t *)s->rodata->rules.cpu_mask, SPAN_CPUS, rules->cpus);
	s->rodata->rules.wake_at = ring / 4;
	s->rodata->rules.urgent_ns = rules->urgent_ns;
	s->rodata->rules.copy_below = ring / 2;
	bpf_map__set_max_entries(s->maps.off_cpu_going, rules->max_threads);
	bpf_map__set_max_entries(s->maps.block_stacks, rules->max_threads / BLOCKS_PER_THREAD + 1);
	bpf_map__set_max_entries(s->maps.kept_entries, rules->max_threads / ENTRIES_PER_THREAD + 1);
	bpf_map__set_max_entries(s->maps.ring, ring);
}

static int set_abouts(void)
{
	int map = bpf_map__fd(program.skeleton->maps.abouts);

	for (uint32_t i = 0; i < 2 * SYSCALLS_NUMBERS; i++) {
		if (bpf_map_update_elem(map, &i, &program.abouts[i], BPF_ANY))
			return bpf_failure("syscalls", "tell its program of the calls", errno);
	}
	return 0;
}

static void make_tables(void)
{
	program.cpus = libbpf_num_possible_cpus();
	if (program.cpus < 1)
		program.cpus = 1;
	program.sums = xcalloc((size_t)program.cpus, sizeof(*program.sums));
	program.no_sums = xcalloc((size_t)program.cpus, sizeof(*program.no_sums));
}

const char *syscalls_program_obstacle(void)
{
	return bpf_object_obstacle(syscalls_bpf__elf_bytes);
}

int syscalls_program_load(const struct syscalls_rules *rules, syscalls_take *take)
{
	struct syscalls_bpf *s;
	int err;

	syscall_abouts(program.abouts, rules->call);
	if (bpf_check_object("syscalls", syscalls_bpf__elf_bytes))
		return -1;
	s = program.skeleton = syscalls_bpf__open();
	if (!s)
		return bpf_failure("syscalls", "open its program", errno);
	program.take = take;
	if (sched_switch_choose("syscalls", s->progs.syscalls_switch, s->progs.syscalls_switch_old, NULL))
		return -1;
	syscalls_program_set_options(s, rules);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	bpf_program__set_autoattach(s->progs.syscalls_look, false);
	err = syscalls_bpf__load(s);
	if (err)
		return bpf_load_failure("syscalls", s->obj, -err, "--max-threads");
	make_tables();
	if (set_abouts())
		return -1;
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), syscalls_program_take_record, NULL))
		return bpf_failure("syscalls", "map its ring", errno);
	return 0;
}

int syscalls_program_start(const struct targets *targets, int command)
{
	struct syscalls_bpf *s = program.skeleton;

	return bpf_attached("syscalls", s->obj, syscalls_bpf__attach(s), targets, command);
}

/* ---- data ---- */

int syscalls_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

void syscalls_program_drain(void)
{
	bpf_ring_drain(&program.ring);
}

void syscalls_program_round(void)
{
	bpf_ring_round(&program.ring);
}

static void syscalls_program_take_sum(const struct call_sum *s, uint32_t cpu)
{
	struct call_record r = {
		.cpu = cpu,
		.flags = CALL_SUM,
		.pid = s->pid,
		.tid = s->tid,
		.number = s->number,
		.error = s->error,
		.begin_ns = s->begin_ns,
		.end_ns = s->end_ns,
		.count = s->count,
		.ns = s->ns,
		.longest_ns = s->longest_ns,
	};

	memcpy(r.parts, s->parts, sizeof(r.parts));
	if (s->count)
		program.take(&r);
}

void syscalls_program_take_sums(void)
{
	struct syscalls_bpf *s = program.skeleton;
	int map = bpf_map__fd(s->maps.sums);
	uint32_t full = s->bss->filling;

	s->bss->filling = !full;
	bpf_wait_for_programs();
	if (bpf_map_lookup_elem(map, &full, program.sums))
		return;
	bpf_map_update_elem(map, &full, program.no_sums, BPF_ANY);
	for (int cpu = 0; cpu < program.cpus; cpu++) {
		for (size_t i = 0; i < SYSCALLS_SUMS; i++)
			syscalls_program_take_sum(&program.sums[cpu].of[i], (uint32_t)cpu);
	}
}

int syscalls_program_look(uint32_t flag, uint64_t before_ns)
{
	struct syscalls_bpf *s = program.skeleton;

	s->bss->look_for = flag;
	s->bss->look_ns = before_ns;
	return bpf_iterate("syscalls", s->progs.syscalls_look, "calls that go on");
}

void syscalls_program_begin(uint64_t begin_ns)
{
	program.skeleton->data->control.begin_ns = begin_ns;
}

void syscalls_program_end(uint64_t end_ns)
{
	program.skeleton->data->control.end_ns = end_ns;
}

void syscalls_program_stop(void)
{
	syscalls_bpf__detach(program.skeleton);
	bpf_wait_for_programs();
	syscalls_program_drain();
}

struct syscalls_losses syscalls_program_losses(void)
{
	const struct syscalls_bpf *s = program.skeleton;

	return (struct syscalls_losses){ s->data->control.lost, s->data->control.unpaired, s->bss->no_begin,
					 s->bss->restarted, s->data->control.uncopied };
}

uint64_t syscalls_program_memory(void)
{
	return bpf_memory(program.skeleton->obj);
}

uint64_t syscalls_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

void syscalls_program_free(void)
{
	bpf_ring_close(&program.ring);
	syscalls_bpf__destroy(program.skeleton);
	free(program.sums);
	free(program.no_sums);
	memset(&program, 0, sizeof(program));
}
