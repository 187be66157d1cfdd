#include "collect/faults/faults_program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/bpf/sched_switch.h"
#include "core/memory.h"

#include "bpf/faults.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

struct span_program faults_program = {
	.name = "faults",
	.event_name = RECORDING_FAULTS,
	.bytes = faults_bpf__elf_bytes,
	.option = "--max-threads",
	.records = "scratch",
};

static struct faults_bpf *skeleton;
static bool knows_access; /* the tracepoints of begins are there */

static struct {
	struct bpf_link **list; /* of ends, and of begins, on each CPU */
	size_t count, cap;
} events;

/* Without these but the first, a part of a fault's time is just "blocked" or "on a CPU". */
static const struct span_tracepoint tracepoints[] = {
	{ "page_fault_user", { "faults_user", "faults_kernel" }, NULL },
	{ "contention_begin", { "faults_contention_begin", "faults_contention_end" }, "waits for mmap_lock" },
	{ "mm_vmscan_direct_reclaim_begin", { "faults_reclaim_begin", "faults_reclaim_end" }, "reclaim" },
	{ "mm_vmscan_memcg_reclaim_begin",
	  { "faults_memcg_reclaim_begin", "faults_memcg_reclaim_end" },
	  "reclaim by a cgroup's limit" },
	{ "mm_compaction_begin", { "faults_compaction_begin", "faults_compaction_end" }, "compaction" },
	{ 0 },
};

static int faults_program_choose(struct faults_bpf *s)
{
	const struct btf *types = span_program_choose(&faults_program, tracepoints);

	if (!types)
		return -1;
	knows_access = bpf_has_tracepoint(types, "page_fault_user");
	bpf_program__set_autoload(s->progs.faults_begin, !knows_access);
	bpf_program__set_autoattach(s->progs.faults_begin, false);
	bpf_program__set_autoattach(s->progs.faults_minor, false);
	bpf_program__set_autoattach(s->progs.faults_major, false);
	return sched_switch_choose("faults", s->progs.faults_switch, s->progs.faults_switch_old, NULL);
}

int faults_program_load(const struct collection *c, uint64_t min_ns, uint32_t threads, const char *cgroup)
{
	struct faults_bpf *s;

	if (span_program_check(&faults_program))
		return -1;
	s = skeleton = faults_bpf__open();
	if (!s)
		return bpf_failure("faults", "open its program", errno);
	faults_program.object = SPAN_OBJECT(s);
	if (faults_program_choose(s))
		return -1;
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->yield_nr = SYS_sched_yield;
	bpf_map__set_max_entries(s->maps.off_cpu_going, threads);
	return span_program_load(&faults_program, c, min_ns, cgroup);
}

bool faults_program_knows_access(void)
{
	return knows_access;
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
	events.list = xgrow(events.list, &events.cap, events.count + 1, sizeof(*events.list));
	events.list[events.count++] = link; /* which owns fd */
	return 0;
}

int faults_program_add_cpu(int cpu)
{
	const struct faults_bpf *s = skeleton;

	if (faults_program_open_event(cpu, PERF_COUNT_SW_PAGE_FAULTS_MIN, s->progs.faults_minor) ||
	    faults_program_open_event(cpu, PERF_COUNT_SW_PAGE_FAULTS_MAJ, s->progs.faults_major))
		return -1;
	return knows_access ? 0 : faults_program_open_event(cpu, PERF_COUNT_SW_PAGE_FAULTS, s->progs.faults_begin);
}

static void close_events(void)
{
	for (size_t i = 0; i < events.count; i++)
		bpf_link__destroy(events.list[i]);
	events.count = 0;
}

void faults_program_halt(void)
{
	close_events();
	span_program_halt(&faults_program);
}

/* ---- sums ---- */

static void faults_program_take_rest(const struct fault_sum *s, uint32_t cpu, uint32_t kind)
{
	struct fault_record r = {
		.cpu = cpu,
		.flags = FAULT_SUM | FAULT_REST | kind << 1,
		.pid = s->pid,
		.tid = s->tid,
		.begin_ns = s->begin_ns,
		.end_ns = skeleton->data->control.end_ns,
		.ip = s->ip,
		.count = s->count,
		.ns = s->ns,
		.longest_ns = s->longest_ns,
		.user_count = 1,
		.stack = { s->ip },
	};

	memcpy(r.parts, s->parts, sizeof(r.parts));
	if (s->count)
		faults_program.take(NULL, &r, sizeof(r));
}

void faults_program_take_rests(void)
{
	int cpus = libbpf_num_possible_cpus();
	struct fault_sums *sums = cpus > 0 ? xcalloc((size_t)cpus, sizeof(*sums)) : NULL;
	uint32_t zero = 0;

	if (sums && !bpf_map_lookup_elem(bpf_map__fd(skeleton->maps.sums), &zero, sums)) {
		for (int i = 0; i < cpus * FAULTS_SUMS; i++)
			faults_program_take_rest(&sums[i / FAULTS_SUMS].of[i % FAULTS_SUMS],
						 (uint32_t)(i / FAULTS_SUMS), (uint32_t)(i % FAULTS_SUMS));
	}
	free(sums);
}

void faults_program_free(void)
{
	close_events();
	free(events.list);
	memset(&events, 0, sizeof(events));
	span_program_free(&faults_program);
}
