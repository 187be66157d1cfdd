#include "collect/sched/sched_program.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_chain.h"
#include "collect/bpf/bpf_memory.h"
#include "collect/bpf/sched_switch.h"

#include "bpf/sched.skel.h" /* needs bpf/sched.h and bpf/targets.h */

static const char name[] = "sched";

enum {
	MAX_ENTRIES = 16384, /* threads times guarded CPUs */
	RING_SIZE = 4 << 20,
	EVENT_RING_SIZE = 16 << 20,
	LEAD_NS = 200000, /* a new epoch is announced this long before it begins */
};

static uint32_t power_of_two(uint32_t least)
{
	uint32_t n = 1;

	while (n < least)
		n *= 2;
	return n;
}

static void choose_sizes(struct sched_program *p, const struct collection *c, const struct sched_settings *s)
{
	uint32_t most = bpf_tid_limit();

	p->thread_limit = s->max_threads ? s->max_threads : c->whole_machine ? SCHED_THREADS : SCHED_TARGETS;
	p->is_all = p->thread_limit >= most;
	if (p->is_all)
		p->thread_limit = most - 1;
	p->free_size = power_of_two(p->thread_limit);
	p->cpu_limit = (uint32_t)libbpf_num_possible_cpus();
}

static void size_maps(struct sched_program *p, const struct collection *c, const struct sched_settings *s)
{
	struct sched_bpf *skeleton = p->skeleton;
	uint32_t ring = s->detail.singly ? EVENT_RING_SIZE : RING_SIZE;

	if (c->opt.ring_size > ring && c->opt.ring_size <= 1u << 30)
		ring = power_of_two((uint32_t)c->opt.ring_size);
	if (c->wish.bpf_ring_most && c->wish.bpf_ring_most < ring)
		ring = c->wish.bpf_ring_most;
	ring = ring_share_program(&c->wish.rings, ring);
	bpf_map__set_max_entries(skeleton->maps.sched_threads, 1 + p->thread_limit + p->cpu_limit);
	bpf_map__set_max_entries(skeleton->maps.sched_cpus, p->cpu_limit);
	bpf_map__set_max_entries(skeleton->maps.sched_free, p->free_size);
	bpf_map__set_max_entries(skeleton->maps.sched_ring, ring);
	if (s->guarded)
		bpf_map__set_max_entries(skeleton->maps.sched_entries, MAX_ENTRIES);
}

struct taker {
	struct sched_program *program;
	sched_record_fn *take;
	void *context;
};

static void sched_program_take_record(void *context, const void *data, size_t size)
{
	struct taker *t = context;
	const struct sched_record *record = data;

	if (size < (record->kind == SCHED_ENTRY ? sizeof(struct sched_entry) : sizeof(*record)))
		return;
	if (record->kind == SCHED_LOW)
		t->program->wants_flush = true;
	else
		t->take(t->context, record);
}

static int open_maps(struct sched_program *p, sched_record_fn *take, void *context)
{
	static struct taker taker;

	taker = (struct taker){ p, take, context };
	p->threads = bpf_map_memory(name, p->skeleton->maps.sched_threads, sizeof(*p->threads), NULL);
	p->cpus = bpf_map_memory(name, p->skeleton->maps.sched_cpus, sizeof(*p->cpus), NULL);
	p->free_slots = bpf_map_memory(name, p->skeleton->maps.sched_free, sizeof(*p->free_slots), NULL);
	if (!p->threads || !p->cpus || !p->free_slots)
		return -1;
	if (bpf_ring_open(&p->ring, bpf_map__fd(p->skeleton->maps.sched_ring), sched_program_take_record, &taker))
		return bpf_failure(name, "read its ring", errno);
	return 0;
}

static void prepare_maps(struct sched_program *p, const struct collection *c, const struct cpus *guarded)
{
	struct sched_control *control = p->control;

	*control = (struct sched_control){ .begin_ns = UINT64_MAX, .end_ns = UINT64_MAX };
	for (uint32_t slot = 1; slot <= p->thread_limit; slot++)
		p->free_slots[control->free_tail++] = slot;
	for (uint32_t cpu = 0; cpu < p->cpu_limit; cpu++)
		p->cpus[cpu].wanted = !c->opt.cpus;
	for (size_t i = 0; i < c->cpus.count; i++)
		p->cpus[c->cpus.list[i]].wanted = 1;
	for (size_t i = 0; guarded && i < guarded->count; i++)
		p->cpus[guarded->list[i]].guarded = 1;
}

const char *sched_program_obstacle(void)
{
	return bpf_object_obstacle(sched_bpf__elf_bytes);
}

const void *sched_program_object(size_t *size)
{
	return sched_bpf__elf_bytes(size);
}

int sched_program_load(struct sched_program *p, const struct collection *c, const struct sched_settings *settings,
		       sched_record_fn *take, void *context)
{
	int err;

	if (bpf_check_object(name, sched_bpf__elf_bytes))
		return -1;
	p->skeleton = sched_bpf__open();
	if (!p->skeleton)
		return bpf_failure(name, "open its program", errno);
	choose_sizes(p, c, settings);
	size_maps(p, c, settings);
	p->skeleton->rodata->have_regs = bpf_has_registers();
	p->skeleton->rodata->yield_nr = SYS_sched_yield;
	if (sched_switch_choose(name, p->skeleton->progs.sched_switch, p->skeleton->progs.sched_switch_4, NULL) ||
	    bpf_targets_prepare(p->skeleton->obj, &p->skeleton->rodata->target_rules, collection_targets(c),
				settings->cgroup, !c->opt.no_inherit))
		return -1;
	p->skeleton->rodata->sched_free_size = p->free_size;
	p->skeleton->rodata->sched_idle_slot = p->thread_limit + 1;
	p->skeleton->rodata->sched_guard = settings->guarded != NULL;
	p->skeleton->rodata->sched_events = settings->detail.singly;
	p->skeleton->rodata->sched_least_ns = settings->detail.min_ns;
	p->skeleton->rodata->sched_some_cpus = c->opt.cpus != NULL;
	bpf_program__set_autoattach(p->skeleton->progs.sched_look, false);
	p->knows_cost = settings->cost && bpf_cost_enable();
	bpf_chain_prepare(p->skeleton->obj);
	err = sched_bpf__load(p->skeleton);
	if (err)
		return bpf_load_failure(name, p->skeleton->obj, -err, "--max-threads");
	p->control = &p->skeleton->bss->sched_control;
	p->memory = bpf_memory(p->skeleton->obj);
	if (open_maps(p, take, context))
		return -1;
	prepare_maps(p, c, settings->guarded);
	return 0;
}

/* Assume that idle threads run; the first switch on a CPU corrects it. */
static void start_idle_threads(struct sched_program *p, const struct collection *c, uint64_t begin_ns)
{
	for (size_t i = 0; c->whole_machine && i < c->cpus.count; i++) {
		uint32_t cpu = (uint32_t)c->cpus.list[i];
		struct sched_thread *t = &p->threads[p->thread_limit + 1 + cpu];

		t->state = RECORDING_RUNNING;
		t->cpu = cpu;
		t->last_cpu = cpu;
		t->since_ns = begin_ns;
	}
}

/* The first scan finds all threads that had no events so far. */
int sched_program_scan(struct sched_program *p)
{
	return bpf_iterate(name, p->skeleton->progs.sched_scan, "scan existing threads");
}

static void sched_program_publish(__u64 *where, uint64_t value)
{
	__atomic_store_n(where, value, __ATOMIC_SEQ_CST);
}

static void sched_program_sleep_until(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
		;
}

/* Look for the targets again, since the program sees only threads started after it was attached, and the first look was
 * earlier. */
static int fill_targets(struct sched_program *p, struct collection *c)
{
	if (c->opt.command)
		return bpf_targets_await_exec(p->skeleton->obj, c->command.pid);
	if (c->whole_machine)
		return 0;
	targets_find(&c->targets, &c->opt.selection, false);
	return bpf_targets_fill(p->skeleton->obj, &c->targets);
}

int sched_program_start(struct sched_program *p, struct collection *c)
{
	int err = bpf_chain_join(p->skeleton->obj) ?: sched_bpf__attach(p->skeleton);

	if (err)
		return bpf_failure(name, "attach its program to the scheduler's tracepoints", -err);
	return fill_targets(p, c);
}

void sched_program_begin(struct sched_program *p, const struct collection *c)
{
	uint64_t least = monotonic_ns() + LEAD_NS; /* the others may have taken long */

	p->epoch_ns = c->begin_ns > least ? c->begin_ns : least;
	start_idle_threads(p, c, p->epoch_ns);
	sched_program_publish(&p->control->epochs[0], p->epoch_ns);
	sched_program_publish(&p->control->begin_ns, p->epoch_ns);
}

int sched_program_look_first(struct sched_program *p)
{
	sched_program_sleep_until(p->epoch_ns);
	bpf_wait_for_programs();
	if (sched_program_scan(p))
		return -1;
	sched_program_publish(&p->control->scanned, 1);
	return 0;
}

int sched_program_fd(const struct sched_program *p)
{
	return bpf_ring_fd(&p->ring);
}

void sched_program_drain(struct sched_program *p)
{
	bpf_ring_drain(&p->ring);
}

void sched_program_round(struct sched_program *p)
{
	bpf_ring_round(&p->ring);
}

unsigned sched_program_bank(const struct sched_program *p)
{
	return p->control->epochs[1] > p->control->epochs[0];
}

/* Publish a time in *where that is still in the future when the programs see it; wait for that time, and return it. */
static uint64_t announce(__u64 *where)
{
	uint64_t at;

	do {
		at = monotonic_ns() + LEAD_NS;
		sched_program_publish(where, at);
	} while (monotonic_ns() >= at);
	sched_program_sleep_until(at);
	bpf_wait_for_programs();
	return at;
}

unsigned sched_program_next_epoch(struct sched_program *p)
{
	unsigned bank = sched_program_bank(p);

	p->wants_flush = false;
	p->epoch_ns = announce(&p->control->epochs[!bank]);
	sched_program_publish(&p->control->asked, 0);
	return bank;
}

void sched_program_end(struct sched_program *p, uint64_t end_ns)
{
	sched_program_publish(&p->control->end_ns, end_ns);
}

void sched_program_stop(struct sched_program *p)
{
	sched_program_sleep_until(p->control->end_ns);
	sched_bpf__detach(p->skeleton);
	bpf_chain_leave(p->skeleton->obj);
	bpf_wait_for_programs();
	sched_program_drain(p);
}

/* The program cannot be run like this before Linux 5.10, nor on offline CPUs; then waits are charged when they end, as
 * far back as the slices reach. */
void sched_program_look(struct sched_program *p, uint32_t cpu, const struct sched_look *look)
{
	LIBBPF_OPTS(bpf_test_run_opts, how, .ctx_in = look, .ctx_size_in = sizeof(*look),
		    .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = cpu);

	bpf_prog_test_run_opts(bpf_program__fd(p->skeleton->progs.sched_look), &how);
}

bool sched_program_name(const struct sched_program *p, uint32_t tid, uint32_t cpu, struct sched_name *last)
{
	uint64_t key = (uint64_t)tid << 32 | cpu;

	return !bpf_map_lookup_elem(bpf_map__fd(p->skeleton->maps.sched_entries), &key, last);
}

void sched_program_give_back(struct sched_program *p, uint32_t slot)
{
	struct sched_control *c = p->control;

	memset(&p->threads[slot], 0, sizeof(p->threads[slot]));
	p->free_slots[c->free_tail & (p->free_size - 1)] = slot;
	sched_program_publish(&c->free_tail, c->free_tail + 1);
}

uint32_t sched_program_used(const struct sched_program *p)
{
	uint64_t taken = __atomic_load_n(&p->control->free_head, __ATOMIC_SEQ_CST);

	return taken < p->thread_limit ? (uint32_t)taken + 1 : p->thread_limit + 1;
}

struct bpf_cost sched_program_cost(const struct sched_program *p)
{
	return p->knows_cost ? bpf_cost(p->skeleton->obj) : (struct bpf_cost){ 0 };
}

uint64_t sched_program_missed(const struct sched_program *p)
{
	return p->skeleton ? bpf_missed(p->skeleton->obj) : 0;
}

void sched_program_free(struct sched_program *p)
{
	bpf_ring_close(&p->ring);
	sched_bpf__destroy(p->skeleton);
	*p = (struct sched_program){ 0 };
}
