#include "collect/faults/faults_program.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/bpf/bpf_memory.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/bpf/sched_switch.h"
#include "core/error.h"
#include "core/memory.h"

#include "bpf/faults.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

enum { RING_SIZE = 16 << 20, COPIES_RING_SIZE = 64 << 20 };

static struct {
	struct faults_bpf *skeleton;
	struct bpf_ring ring;
	faults_take *take;
	const struct cpus *cpus;
	bool knows_access;        /* the tracepoints of begins are there */
	struct bpf_link **events; /* of ends, and of begins, on each CPU */
	size_t event_count, event_cap;
} program;

static void faults_program_take_record(void *context, const void *data, size_t size)
{
	const struct fault_record *r = data;
	size_t needed = offsetof(struct fault_record, stack);

	(void)context;
	if (size < needed)
		return;
	needed += (r->kernel_count > 0 ? (size_t)r->kernel_count : 0) * sizeof(*r->stack);
	needed += (r->user_count > 0 ? (size_t)r->user_count : 0) * sizeof(*r->stack);
	if (r->copied)
		needed += r->copied >= sizeof(struct user_copy) ? r->copied : UINT32_MAX;
	if (size >= needed)
		program.take(r, needed);
}

/* ---- what this kernel has ---- */

/* Tracepoints without which a part of a fault's time is just "blocked" or "on a CPU", ... */
static const struct part {
	const char *tracepoint;
	const char *programs[2];
	const char *what; /* ... as we say it; NULL: an older kernel does not have the thing itself */
} parts[] = {
	{ "contention_begin", { "faults_contention_begin", "faults_contention_end" }, "waits for mmap_lock" },
	{ "mm_vmscan_direct_reclaim_begin", { "faults_reclaim_begin", "faults_reclaim_end" }, "reclaim" },
	{ "mm_vmscan_memcg_reclaim_begin",
	  { "faults_memcg_reclaim_begin", "faults_memcg_reclaim_end" },
	  "reclaim by a cgroup's limit" },
	{ "mm_compaction_begin", { "faults_compaction_begin", "faults_compaction_end" }, "compaction" },
};

_Static_assert(sizeof(parts) / sizeof(*parts) < FAULTS_MISSING, "a NULL ends the list");

static bool faults_program_has_tracepoint(const struct btf *btf, const char *name)
{
	char type[128];

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	return btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF) > 0;
}

static void faults_program_choose_parts(struct faults_bpf *s, const struct btf *btf,
					const char *missing[FAULTS_MISSING])
{
	size_t count = 0;

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		bool has = faults_program_has_tracepoint(btf, parts[i].tracepoint);

		for (size_t k = 0; k < 2; k++)
			bpf_program__set_autoload(bpf_object__find_program_by_name(s->obj, parts[i].programs[k]), has);
		if (!has)
			missing[count++] = parts[i].what;
	}
	missing[count] = NULL;
}

static int faults_program_choose_programs(struct faults_bpf *s, const char *missing[FAULTS_MISSING])
{
	struct btf *btf = bpf_kernel_types();
	bool has;

	if (!btf)
		return bpf_failure("faults", "read the kernel's types", errno);
	has = faults_program_has_tracepoint(btf, "page_fault_user");
	faults_program_choose_parts(s, btf, missing);
	bpf_program__set_autoload(s->progs.faults_user, has);
	bpf_program__set_autoload(s->progs.faults_kernel, has);
	bpf_program__set_autoload(s->progs.faults_begin, !has);
	program.knows_access = has;
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->yield_nr = SYS_sched_yield;
	return sched_switch_choose("faults", s->progs.faults_switch, s->progs.faults_switch_old, NULL);
}

static void faults_program_set_options(struct faults_bpf *s, const struct faults_rules *rules)
{
	uint32_t ring = rules->walks ? COPIES_RING_SIZE : RING_SIZE;

	if (rules->walks) {
		s->rodata->rules.walks = 1;
		s->rodata->rules.copies_max = rules->copies_max;
		bpf_map__set_value_size(s->maps.scratch, sizeof(struct fault_record) + USER_COPY_MAX);
	}
	s->rodata->rules.min_ns = rules->min_ns;
	s->rodata->rules.wake_at = ring / 4;
	s->rodata->rules.urgent_ns = rules->urgent_ns;
	s->rodata->rules.copy_below = ring / 2;
	bpf_map__set_max_entries(s->maps.off_cpu_going, rules->max_threads);
	bpf_map__set_max_entries(s->maps.ring, ring);
}

const char *faults_program_obstacle(void)
{
	return bpf_object_obstacle(faults_bpf__elf_bytes);
}

int faults_program_load(const struct faults_rules *rules, faults_take *take, const char *missing[FAULTS_MISSING])
{
	struct faults_bpf *s;
	int err;

	if (bpf_check_object("faults", faults_bpf__elf_bytes))
		return -1;
	s = program.skeleton = faults_bpf__open();
	if (!s)
		return bpf_failure("faults", "open its program", errno);
	program.take = take;
	program.cpus = rules->cpus;
	if (faults_program_choose_programs(s, missing))
		return -1;
	faults_program_set_options(s, rules);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	bpf_program__set_autoattach(s->progs.faults_begin, false);
	bpf_program__set_autoattach(s->progs.faults_minor, false);
	bpf_program__set_autoattach(s->progs.faults_major, false);
	err = faults_bpf__load(s);
	if (err)
		return bpf_load_failure("faults", s->obj, -err, "--max-threads");
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), faults_program_take_record, NULL))
		return bpf_failure("faults", "map its ring", errno);
	return 0;
}

/* ---- software events ---- */

static int faults_program_open_event(int cpu, uint64_t config, const struct bpf_program *prog)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = config,
		.sample_period = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	struct bpf_link *link;

	if (fd < 0 && errno == ENODEV) /* the CPU has gone */
		return 0;
	if (fd < 0)
		return bpf_failure("faults", "count page faults", errno);
	link = bpf_program__attach_perf_event(prog, fd);
	if (!link) {
		close(fd);
		return bpf_failure("faults", "attach to the event of page faults", errno);
	}
	program.events = xgrow(program.events, &program.event_cap, program.event_count + 1, sizeof(*program.events));
	program.events[program.event_count++] = link; /* which owns fd */
	return 0;
}

int faults_program_add_cpu(int cpu)
{
	struct faults_bpf *s = program.skeleton;

	if (faults_program_open_event(cpu, PERF_COUNT_SW_PAGE_FAULTS_MIN, s->progs.faults_minor) ||
	    faults_program_open_event(cpu, PERF_COUNT_SW_PAGE_FAULTS_MAJ, s->progs.faults_major))
		return -1;
	return program.knows_access ? 0
				    : faults_program_open_event(cpu, PERF_COUNT_SW_PAGE_FAULTS, s->progs.faults_begin);
}

int faults_program_start(const struct targets *targets, int command)
{
	struct faults_bpf *s = program.skeleton;

	for (size_t i = 0; i < program.cpus->count; i++) {
		if (faults_program_add_cpu(program.cpus->list[i]))
			return -1;
	}
	return bpf_attached("faults", s->obj, faults_bpf__attach(s), targets, command);
}

bool faults_program_knows_access(void)
{
	return program.knows_access;
}

/* ---- data ---- */

int faults_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

void faults_program_drain(void)
{
	bpf_ring_drain(&program.ring);
}

void faults_program_round(void)
{
	bpf_ring_round(&program.ring);
}

void faults_program_begin(uint64_t begin_ns)
{
	program.skeleton->data->control.begin_ns = begin_ns;
}

void faults_program_end(uint64_t end_ns)
{
	program.skeleton->data->control.end_ns = end_ns;
}

static void close_events(void)
{
	for (size_t i = 0; i < program.event_count; i++)
		bpf_link__destroy(program.events[i]);
	program.event_count = 0;
}

void faults_program_stop(void)
{
	close_events();
	faults_bpf__detach(program.skeleton);
	bpf_wait_for_programs();
	faults_program_drain();
}

static void faults_program_take_rest(const struct fault_sum *s, uint32_t cpu, uint32_t kind)
{
	struct fault_record r = {
		.cpu = cpu,
		.flags = FAULT_SUM | FAULT_REST | kind << 1,
		.pid = s->pid,
		.tid = s->tid,
		.begin_ns = s->begin_ns,
		.end_ns = program.skeleton->data->control.end_ns,
		.ip = s->ip,
		.count = s->count,
		.ns = s->ns,
		.longest_ns = s->longest_ns,
		.user_count = 1,
		.stack = { s->ip },
	};

	memcpy(r.parts, s->parts, sizeof(r.parts));
	if (s->count)
		program.take(&r, sizeof(r));
}

void faults_program_take_rests(void)
{
	int cpus = libbpf_num_possible_cpus();
	struct fault_sums *sums = cpus > 0 ? xcalloc((size_t)cpus, sizeof(*sums)) : NULL;
	uint32_t zero = 0;

	if (sums && !bpf_map_lookup_elem(bpf_map__fd(program.skeleton->maps.sums), &zero, sums)) {
		for (int i = 0; i < cpus * FAULTS_SUMS; i++)
			faults_program_take_rest(&sums[i / FAULTS_SUMS].of[i % FAULTS_SUMS],
						 (uint32_t)(i / FAULTS_SUMS), (uint32_t)(i % FAULTS_SUMS));
	}
	free(sums);
}

struct faults_losses faults_program_losses(void)
{
	const struct faults_bpf *s = program.skeleton;

	return (struct faults_losses){ s->data->control.lost, s->data->control.unpaired };
}

uint64_t faults_program_uncopied(void)
{
	return program.skeleton->data->control.uncopied;
}

uint64_t faults_program_memory(void)
{
	return bpf_memory(program.skeleton->obj);
}

uint64_t faults_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

void faults_program_free(void)
{
	close_events();
	free(program.events);
	bpf_ring_close(&program.ring);
	faults_bpf__destroy(program.skeleton);
	memset(&program, 0, sizeof(program));
}
