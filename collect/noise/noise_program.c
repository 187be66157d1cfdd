#include "collect/noise/noise_program.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collect/bpf/bpf.h"
#include "core/memory.h"
#include "core/wallclock.h"

#include "bpf/noise.skel.h"

enum { MASK_BITS = 1024, TRACEPOINT = sizeof("tp_btf/") - 1 };

static struct noise_bpf *skeleton;
static uint64_t start_ns;

/* Tracepoints that this kernel does not have, as others' interrupts, are left out. */
static void leave_out_unknown(struct noise_bpf *s)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, s->obj)
	{
		const char *section = bpf_program__section_name(program);

		if (libbpf_find_vmlinux_btf_id(section + TRACEPOINT, BPF_TRACE_RAW_TP) < 0)
			bpf_program__set_autoload(program, false);
	}
}

int noise_program_start(const struct cpus *cpus, uint64_t budget_ns)
{
	int err;

	if (bpf_check("noise"))
		return -1;
	skeleton = noise_bpf__open();
	if (!skeleton)
		return bpf_failure("noise", "open its program", errno);
	skeleton->rodata->budget_ns = budget_ns;
	bpf_set_cpus((uint64_t *)skeleton->rodata->cpu_mask, MASK_BITS, cpus);
	leave_out_unknown(skeleton);
	err = noise_bpf__load(skeleton);
	if (err)
		return bpf_load_failure("noise", skeleton->obj, -err, NULL);
	err = noise_bpf__attach(skeleton);
	if (err)
		return bpf_failure("noise", "attach its program", -err);
	start_ns = clock_ns(CLOCK_MONOTONIC);
	skeleton->bss->start_ns = start_ns;
	return 0;
}

static struct noise_source *source_of(struct noise_sources *s, const struct noise_key *key)
{
	for (size_t i = 0; i < s->count; i++) {
		if (!memcmp(&s->items[i].key, key, sizeof(*key)))
			return &s->items[i];
	}
	s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
	s->items[s->count] = (struct noise_source){ .key = *key };
	return &s->items[s->count++];
}

static void read_sums(struct noise_sources *s)
{
	int fd = bpf_map__fd(skeleton->maps.noise_sums);
	struct noise_key key, *before = NULL;
	struct noise_source source;

	while (!bpf_map_get_next_key(fd, before, &source.key)) {
		key = source.key;
		before = &key;
		if (bpf_map_lookup_elem(fd, &key, &source.sum))
			continue;
		s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
		s->items[s->count++] = source;
	}
}

static void add_open(struct noise_sources *s, uint32_t cpu, const struct noise_item *item, uint64_t budget_ns)
{
	struct noise_key key = { item->id, cpu, item->kind };
	struct noise_sum *sum = &source_of(s, &key)->sum;

	sum->ns += item->ns;
	sum->count++;
	sum->pid = item->pid;
	sum->over += budget_ns && item->ns > budget_ns;
	memcpy(sum->name, item->name, NOISE_NAME);
	if (item->ns >= sum->longest_ns) {
		sum->longest_ns = item->ns;
		sum->longest_at = item->begin_ns;
	}
}

/* What has not ended on a CPU. */
static void read_cpu(struct noise_sources *s, uint32_t cpu, uint64_t end_ns)
{
	struct noise_cpu state;

	if (bpf_map_lookup_elem(bpf_map__fd(skeleton->maps.noise_cpus), &cpu, &state))
		return;
	if (!state.depth || state.depth > NOISE_DEPTH) {
		state = (struct noise_cpu){ .since_ns = start_ns, .depth = 1 };
		state.items[0] = (struct noise_item){ .id = NOISE_UNSEEN, .begin_ns = start_ns };
	}
	if (end_ns > state.since_ns)
		state.items[state.depth - 1].ns += end_ns - state.since_ns;
	for (uint32_t i = 0; i < state.depth; i++)
		add_open(s, cpu, &state.items[i], skeleton->rodata->budget_ns);
	s->missed += state.missed;
	s->unplaced += state.unplaced;
}

int noise_program_stop(const struct cpus *cpus, struct noise_sources *s)
{
	uint64_t end_ns;

	skeleton->bss->start_ns = 0;
	end_ns = clock_ns(CLOCK_MONOTONIC);
	bpf_wait_for_programs();
	read_sums(s);
	for (size_t i = 0; i < cpus->count; i++)
		read_cpu(s, (uint32_t)cpus->list[i], end_ns);
	s->wall_ns = end_ns - start_ns;
	noise_bpf__destroy(skeleton);
	return 0;
}

void noise_sources_free(struct noise_sources *s)
{
	free(s->items);
	*s = (struct noise_sources){ 0 };
}
