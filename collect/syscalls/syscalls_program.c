#include "collect/syscalls/syscalls_program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "collect/bpf/sched_switch.h"
#include "collect/syscalls/syscall_names.h"
#include "core/memory.h"

#include "bpf/syscalls.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

enum { BLOCKS_PER_THREAD = 4, ENTRIES_PER_THREAD = 8 };

struct span_program syscalls_program = {
	.name = "syscalls",
	.event_name = RECORDING_CALLS,
	.bytes = syscalls_bpf__elf_bytes,
	.option = "--max-threads",
	.records = "scratch",
};

static struct {
	struct syscalls_bpf *skeleton;
	struct call_sums *sums, *no_sums; /* of each possible CPU */
	int cpus;
	struct syscall_about abouts[2 * SYSCALLS_NUMBERS];
} own;

/* ---- loading ---- */

static void syscalls_program_set_options(struct syscalls_bpf *s, const struct syscalls_rules *rules)
{
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->yield_nr = SYS_sched_yield;
	s->rodata->is_selective = rules->call != NULL;
	s->rodata->only_errors = rules->only_errors;
	bpf_map__set_max_entries(s->maps.off_cpu_going, rules->max_threads);
	bpf_map__set_max_entries(s->maps.block_stacks, rules->max_threads / BLOCKS_PER_THREAD + 1);
	bpf_map__set_max_entries(s->maps.kept_entries, rules->max_threads / ENTRIES_PER_THREAD + 1);
	bpf_program__set_autoattach(s->progs.syscalls_look, false);
}

static int set_abouts(void)
{
	int map = bpf_map__fd(own.skeleton->maps.abouts);

	for (uint32_t i = 0; i < 2 * SYSCALLS_NUMBERS; i++) {
		if (bpf_map_update_elem(map, &i, &own.abouts[i], BPF_ANY))
			return bpf_failure("syscalls", "tell its program of the calls", errno);
	}
	return 0;
}

static void make_tables(void)
{
	own.cpus = libbpf_num_possible_cpus();
	if (own.cpus < 1)
		own.cpus = 1;
	own.sums = xcalloc((size_t)own.cpus, sizeof(*own.sums));
	own.no_sums = xcalloc((size_t)own.cpus, sizeof(*own.no_sums));
}

int syscalls_program_load(const struct collection *c, const struct syscalls_rules *rules)
{
	struct syscalls_bpf *s;

	syscall_abouts(own.abouts, rules->call);
	if (span_program_check(&syscalls_program))
		return -1;
	s = own.skeleton = syscalls_bpf__open();
	if (!s)
		return bpf_failure("syscalls", "open its program", errno);
	syscalls_program.object = SPAN_OBJECT(s);
	if (sched_switch_choose("syscalls", s->progs.syscalls_switch, s->progs.syscalls_switch_old, NULL))
		return -1;
	syscalls_program_set_options(s, rules);
	if (span_program_load(&syscalls_program, c, rules->min_ns, rules->cgroup))
		return -1;
	make_tables();
	return set_abouts();
}

/* ---- data ---- */

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
		syscalls_program.take(NULL, &r, sizeof(r));
}

void syscalls_program_take_sums(void)
{
	struct syscalls_bpf *s = own.skeleton;
	int map = bpf_map__fd(s->maps.sums);
	uint32_t full = s->bss->filling;

	s->bss->filling = !full;
	bpf_wait_for_programs();
	if (bpf_map_lookup_elem(map, &full, own.sums))
		return;
	bpf_map_update_elem(map, &full, own.no_sums, BPF_ANY);
	for (int cpu = 0; cpu < own.cpus; cpu++) {
		for (size_t i = 0; i < SYSCALLS_SUMS; i++)
			syscalls_program_take_sum(&own.sums[cpu].of[i], (uint32_t)cpu);
	}
}

int syscalls_program_look(uint32_t flag, uint64_t before_ns)
{
	struct syscalls_bpf *s = own.skeleton;

	s->bss->look_for = flag;
	s->bss->look_ns = before_ns;
	return bpf_iterate("syscalls", s->progs.syscalls_look, "calls that go on");
}

uint64_t syscalls_program_no_begin(void)
{
	return own.skeleton->bss->no_begin;
}

uint64_t syscalls_program_restarted(void)
{
	return own.skeleton->bss->restarted;
}

void syscalls_program_free(void)
{
	span_program_free(&syscalls_program);
	free(own.sums);
	free(own.no_sums);
	memset(&own, 0, sizeof(own));
}
