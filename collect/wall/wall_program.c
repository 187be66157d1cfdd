#include "collect/wall/wall_program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/bpf/bpf_ring.h"

#include "bpf/wall.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

static const char finds_threads[] = "bpf_task_from_pid";

static struct {
	struct wall_bpf *skeleton;
	struct bpf_ring ring;
	struct wall_slot *slots;
	struct wall_cpu *cpus;
	uint64_t *listed;
	size_t slots_size, cpus_size, listed_size;
	struct bpf_link *list; /* the iterator over a list; NULL: this kernel has none */
	wall_take *take;
} program;

static void wall_program_take_record(void *context, const void *data, size_t size)
{
	const struct wall_record *r = data;
	size_t needed = offsetof(struct wall_record, stack);

	(void)context;
	if (size < needed || r->count > WALL_FRAMES || r->slot >= program.skeleton->rodata->max_slots)
		return;
	needed += (r->count > 0 ? (size_t)r->count : 0) * sizeof(*r->stack);
	if (size >= needed)
		program.take(r);
}

static void wall_program_set_options(struct wall_bpf *s, const struct wall_rules *rules)
{
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->yield_nr = SYS_sched_yield;
	s->rodata->max_slots = rules->max_threads;
	bpf_map__set_max_entries(s->maps.slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.free_slots, rules->max_threads);
}

/* Only Linux 6.2 and later find a thread by its id. */
static void wall_program_choose_programs(struct wall_bpf *s)
{
	bool has_list = bpf_has_function(finds_threads);

	bpf_program__set_autoattach(s->progs.wall_visit, false);
	bpf_program__set_autoload(s->progs.wall_visit, has_list);
	bpf_program__set_autoload(s->progs.wall_wakeup, has_list);
	bpf_program__set_autoload(s->progs.wall_wakeup_new, has_list);
}

const char *wall_program_obstacle(void)
{
	return bpf_function_obstacle(finds_threads, wall_bpf__elf_bytes);
}

int wall_program_load(const struct wall_rules *rules, wall_take *take)
{
	struct wall_bpf *s;
	int err;

	if (bpf_check_object("wall", wall_bpf__elf_bytes) || bpf_function_check("wall", finds_threads))
		return -1;
	s = program.skeleton = wall_bpf__open();
	if (!s)
		return bpf_failure("wall", "open its program", errno);
	program.take = take;
	wall_program_choose_programs(s);
	wall_program_set_options(s, rules);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	err = wall_bpf__load(s);
	if (err)
		return bpf_load_failure("wall", s->obj, -err, "--max-threads");
	program.slots = bpf_map_memory("wall", s->maps.slots, sizeof(*program.slots), &program.slots_size);
	program.cpus = bpf_map_memory("wall", s->maps.cpus, sizeof(*program.cpus), &program.cpus_size);
	program.listed = bpf_map_memory("wall", s->maps.list, sizeof(*program.listed), &program.listed_size);
	if (!program.slots || !program.cpus || !program.listed)
		return -1;
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), wall_program_take_record, NULL))
		return bpf_failure("wall", "map its ring", errno);
	return 0;
}

static int attach_list(void)
{
	union bpf_iter_link_info info = { .task = { .tid = (uint32_t)gettid() } };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &info, .link_info_len = sizeof(info));

	if (!bpf_program__autoload(program.skeleton->progs.wall_visit))
		return 0;
	program.list = bpf_program__attach_iter(program.skeleton->progs.wall_visit, &options);
	return program.list ? 0 : bpf_failure("wall", "look at a list of threads", errno);
}

int wall_program_start(const struct targets *targets, int command)
{
	int err = wall_bpf__attach(program.skeleton);

	return bpf_attached("wall", program.skeleton->obj, err, targets, command) || attach_list() ? -1 : 0;
}

void wall_program_begin(uint64_t begin_ns)
{
	program.skeleton->data->control.begin_ns = begin_ns;
}

/* Visit all threads, or the list. */
static int wall_program_run(struct bpf_link *link)
{
	int fd = bpf_iter_create(bpf_link__fd(link)), err = errno;
	char nothing[64];
	ssize_t n;

	if (fd < 0)
		return bpf_failure("wall", "look at threads", err);
	/* The program writes nothing into the file: the end comes once all threads were visited. */
	do {
		n = read(fd, nothing, sizeof(nothing));
		err = errno;
	} while (n > 0 || (n < 0 && (err == EAGAIN || err == EINTR)));
	close(fd);
	return n < 0 ? bpf_failure("wall", "look at threads", err) : 0;
}

int wall_program_round(uint64_t now_ns, bool all, bool *looked_at_all)
{
	struct wall_bpf__bss *bss = program.skeleton->bss;
	uint32_t bank = (bss->round_number + 1) & 1;
	int status;

	*looked_at_all = all || !program.list || !bss->round_number || bss->listed[bank] > WALL_LIST;
	bss->listed[!bank] = 0;
	bss->last_round_ns = bss->round_ns;
	bss->round_ns = now_ns;
	__atomic_store_n(&bss->round_number, bss->round_number + 1, __ATOMIC_SEQ_CST);
	status = wall_program_run(*looked_at_all ? program.skeleton->links.wall_look : program.list);
	bpf_ring_drain(&program.ring);
	return status;
}

bool wall_program_can_check(void)
{
	return program.list != NULL;
}

int wall_program_check(const uint32_t *tids, size_t count)
{
	struct wall_bpf__bss *bss = program.skeleton->bss;
	int status;

	if (!count)
		return 0;
	for (size_t i = 0; i < count && i < WALL_LIST; i++)
		program.listed[2 * WALL_LIST + i] = tids[i];
	bss->check_count = (uint32_t)count;
	status = wall_program_run(program.list);
	bss->check_count = 0;
	return status;
}

uint32_t wall_program_running(uint32_t cpu)
{
	const struct wall_cpu *c = &program.cpus[cpu % WALL_CPUS];

	return c->round_ns == program.skeleton->bss->round_ns ? c->tid : 0;
}

struct wall_slot *wall_program_slots(size_t *count)
{
	uint32_t used = program.skeleton->bss->next_slot, max = program.skeleton->rodata->max_slots;

	*count = used < max ? used : max;
	return program.slots;
}

void wall_program_forget(uint32_t slot)
{
	int threads = bpf_map__fd(program.skeleton->maps.target_threads);
	struct target_thread thread;
	uint32_t tid = program.slots[slot].tid;

	program.slots[slot] = (struct wall_slot){ 0 };
	if (!bpf_map_lookup_elem(threads, &tid, &thread) && thread.slot == slot + 1) {
		thread.slot = 0;
		bpf_map_update_elem(threads, &tid, &thread, BPF_ANY);
	}
	bpf_map_update_elem(bpf_map__fd(program.skeleton->maps.free_slots), NULL, &slot, BPF_ANY);
}

struct wall_counts wall_program_counts(void)
{
	return (struct wall_counts){ .rounds = program.skeleton->bss->round_number,
				     .walks = program.skeleton->bss->walks,
				     .passed_over = program.skeleton->bss->passed_over };
}

void wall_program_set_stride(uint32_t stride)
{
	program.skeleton->data->stride = stride;
}

struct bpf_losses wall_program_losses(void)
{
	const struct wall_bpf *s = program.skeleton;

	return (struct bpf_losses){ .records = s->data->control.lost,
				    .threads = s->data->control.untracked_threads,
				    .switches = s->data->control.untracked_switches };
}

uint64_t wall_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

void wall_program_free(void)
{
	bpf_ring_close(&program.ring);
	if (program.slots)
		munmap(program.slots, program.slots_size);
	if (program.cpus)
		munmap(program.cpus, program.cpus_size);
	if (program.listed)
		munmap(program.listed, program.listed_size);
	bpf_link__destroy(program.list);
	wall_bpf__destroy(program.skeleton);
	memset(&program, 0, sizeof(program));
}
