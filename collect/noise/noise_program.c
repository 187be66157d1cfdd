#include "collect/noise/noise_program.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_ring.h"
#include "core/memory.h"

#include "bpf/noise.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

static struct {
	struct noise_bpf *skeleton;
	struct bpf_ring ring;
	struct noise_takers takers;
	const struct cpus *cpus;
	struct noise_cpu *states; /* [NOISE_CPUS] */
	size_t states_size;
	uint64_t start_ns;
} program;

static void noise_program_take_record(void *context, const void *data, size_t size)
{
	(void)context;
	if (size >= sizeof(struct noise_record))
		program.takers.record(data);
}

/* ---- what there is ---- */

static bool noise_program_is_there(const struct btf *kernel, const char *tracepoint)
{
	char type[128]; /* typedef void (*btf_trace_NAME)(...) */

	snprintf(type, sizeof(type), "btf_trace_%s", tracepoint);
	return kernel && btf__find_by_name_kind(kernel, type, BTF_KIND_TYPEDEF) > 0;
}

/* Tracepoints that this kernel does not have, such as interrupts of other processors, are left out. */
static void leave_out_unknown(struct noise_bpf *s, const char *missing[NOISE_MISSING])
{
	static const struct {
		const char *tracepoint, *what;
	} parts[] = {
		{ "nmi_handler", "non-maskable interrupts" },
		{ "csd_function_entry", "functions that other CPUs call here, by name" },
		{ "local_timer_entry", "the processor's own interrupts" },
		{ "workqueue_execute_start", "work of workqueues" },
	};
	struct btf *kernel = bpf_kernel_types();
	struct bpf_program *one;
	size_t count = 0;

	bpf_object__for_each_program(one, s->obj)
	{
		if (one != s->progs.noise_look)
			bpf_program__set_autoload(
				one, noise_program_is_there(kernel, strchr(bpf_program__section_name(one), '/') + 1));
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (!noise_program_is_there(kernel, parts[i].tracepoint))
			missing[count++] = parts[i].what;
	}
	missing[count] = NULL;
}

const char *noise_program_obstacle(void)
{
	return bpf_object_obstacle(noise_bpf__elf_bytes);
}

const void *noise_program_object(size_t *size)
{
	return noise_bpf__elf_bytes(size);
}

/* ---- loading ---- */

int noise_program_load(const struct noise_rules *rules, const struct noise_takers *takers,
		       const char *missing[NOISE_MISSING])
{
	struct noise_bpf *s;
	int err;

	if (bpf_check_object("noise", noise_bpf__elf_bytes))
		return -1;
	s = program.skeleton = noise_bpf__open();
	if (!s)
		return bpf_failure("noise", "open its program", errno);
	program.takers = *takers;
	program.cpus = rules->cpus;
	s->rodata->rules.min_ns = rules->min_ns;
	s->rodata->rules.urgent_ns = rules->urgent_ns;
	s->rodata->rules.wake_at = rules->ring / 4;
	s->rodata->spins = rules->spins;
	bpf_set_cpus((uint64_t *)s->rodata->rules.cpu_mask, NOISE_CPUS, rules->cpus);
	bpf_map__set_max_entries(s->maps.ring, rules->ring);
	bpf_program__set_autoload(s->progs.noise_look, true);
	bpf_program__set_autoattach(s->progs.noise_look, false);
	leave_out_unknown(s, missing);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, NULL, rules->inherit))
		return -1;
	err = noise_bpf__load(s);
	if (err)
		return bpf_load_failure("noise", s->obj, -err, NULL);
	program.states = bpf_map_memory("noise", s->maps.noise_cpus, sizeof(*program.states), &program.states_size);
	if (!program.states)
		return -1;
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), noise_program_take_record, NULL))
		return bpf_failure("noise", "map its ring", errno);
	return 0;
}

int noise_program_start(const struct targets *targets, int command)
{
	return bpf_attached("noise", program.skeleton->obj, noise_bpf__attach(program.skeleton), targets, command);
}

void noise_program_spin(int cpu, int tid)
{
	if (cpu < NOISE_CPUS)
		program.skeleton->bss->run_tids[cpu] = (uint32_t)tid;
}

int noise_program_begin(uint64_t start_ns)
{
	program.start_ns = start_ns;
	program.skeleton->data->control.begin_ns = start_ns;
	return bpf_iterate("noise", program.skeleton->progs.noise_look, "look at who runs");
}

int noise_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

void noise_program_drain(void)
{
	bpf_ring_drain(&program.ring);
}

void noise_program_round(void)
{
	bpf_ring_round(&program.ring);
}

/* ---- sums ---- */

/* Pass the sums of turns with this lowest bit, and forget them. */
static void take_sums(uint32_t turn)
{
	int fd = bpf_map__fd(program.skeleton->maps.noise_sums);
	struct noise_key *keys = NULL, key, *before = NULL;
	size_t count = 0, cap = 0;
	struct noise_sum sum;

	while (!bpf_map_get_next_key(fd, before, &key)) {
		keys = xgrow(keys, &cap, count + 1, sizeof(*keys));
		keys[count++] = key;
		before = &key;
	}
	for (size_t i = 0; i < count; i++) {
		if (keys[i].turn != (turn & 1) || bpf_map_lookup_elem(fd, &keys[i], &sum))
			continue;
		bpf_map_delete_elem(fd, &keys[i]);
		program.takers.sum(&keys[i], &sum);
	}
	free(keys);
}

void noise_program_turn(void)
{
	uint32_t over = program.skeleton->bss->turn++;

	bpf_wait_for_programs();
	take_sums(over);
}

/* ---- the end ---- */

void noise_program_end(uint64_t end_ns)
{
	program.skeleton->data->control.end_ns = end_ns;
}

/* What has not ended on a CPU. */
static void noise_program_take_open(uint32_t cpu, uint64_t end_ns)
{
	struct noise_cpu *state = &program.states[cpu];

	if (!state->depth || state->depth > NOISE_DEPTH) {
		*state = (struct noise_cpu){ .since_ns = program.start_ns, .depth = 1, .items = { state->first } };
		state->items[0].begin_ns = program.start_ns;
	}
	if (end_ns > state->since_ns)
		state->items[state->depth - 1].ns += end_ns - state->since_ns;
	for (uint32_t i = 0; i < state->depth; i++) {
		const struct noise_item *item = &state->items[i];
		struct noise_key key = { item->id, cpu, item->kind, state->items[0].pid, (uint32_t)state->items[0].id,
					 0,        0 };
		struct noise_sum sum = {
			.ns = item->ns - item->summed_ns,
			.count = 1,
			.longest_ns = item->ns,
			.longest_at_ns = item->begin_ns,
		};

		memcpy(sum.name, item->name, NOISE_NAME);
		program.takers.sum(&key, &sum);
	}
}

void noise_program_stop(uint64_t end_ns)
{
	noise_bpf__detach(program.skeleton);
	bpf_wait_for_programs();
	noise_program_drain();
	take_sums(0);
	take_sums(1);
	for (size_t i = 0; i < program.cpus->count; i++)
		noise_program_take_open((uint32_t)program.cpus->list[i], end_ns);
}

const volatile uint64_t *noise_program_events(int cpu)
{
	return (const volatile uint64_t *)&program.states[cpu].events;
}

struct noise_losses noise_program_losses(void)
{
	struct noise_losses lost = { .summed = program.skeleton->data->control.lost };

	for (size_t i = 0; i < program.cpus->count; i++) {
		lost.missed += program.states[program.cpus->list[i]].missed;
		lost.unplaced_ns += program.states[program.cpus->list[i]].unplaced;
		lost.unplaced += program.states[program.cpus->list[i]].unplaced_count;
	}
	return lost;
}

uint64_t noise_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

void noise_program_free(void)
{
	bpf_ring_close(&program.ring);
	if (program.states)
		munmap(program.states, program.states_size);
	noise_bpf__destroy(program.skeleton);
	memset(&program, 0, sizeof(program));
}
