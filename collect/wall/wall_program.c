#include "collect/wall/wall_program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/wall.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

static const char finds_threads[] = "bpf_task_from_pid";

struct span_program wall_program = {
	.name = "wall",
	.event_name = RECORDING_WALL,
	.bytes = wall_bpf__elf_bytes,
	.option = "--max-threads",
};

static struct {
	struct wall_bpf *skeleton;
	struct wall_slot *slots;
	struct wall_cpu *cpus;
	uint64_t *listed;
	size_t slots_size, cpus_size, listed_size;
	struct bpf_link *list; /* the iterator over a list; NULL: this kernel has none */
} own;

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

int wall_program_load(struct collection *c, uint32_t threads, const char *cgroup)
{
	struct wall_bpf *s;

	if (span_program_check(&wall_program) || bpf_function_check("wall", finds_threads))
		return -1;
	s = own.skeleton = wall_bpf__open();
	if (!s)
		return bpf_failure("wall", "open its program", errno);
	wall_program.object = SPAN_OBJECT(s);
	wall_program_choose_programs(s);
	s->rodata->have_regs = bpf_has_registers();
	s->rodata->yield_nr = SYS_sched_yield;
	s->rodata->max_slots = threads;
	bpf_map__set_max_entries(s->maps.slots, threads);
	bpf_map__set_max_entries(s->maps.free_slots, threads);
	if (span_program_load(&wall_program, c, 0, cgroup))
		return -1;
	own.slots = bpf_map_memory("wall", s->maps.slots, sizeof(*own.slots), &own.slots_size);
	own.cpus = bpf_map_memory("wall", s->maps.cpus, sizeof(*own.cpus), &own.cpus_size);
	own.listed = bpf_map_memory("wall", s->maps.list, sizeof(*own.listed), &own.listed_size);
	return own.slots && own.cpus && own.listed ? 0 : -1;
}

static int attach_list(void)
{
	union bpf_iter_link_info info = { .task = { .tid = (uint32_t)gettid() } };
	LIBBPF_OPTS(bpf_iter_attach_opts, options, .link_info = &info, .link_info_len = sizeof(info));

	if (!bpf_program__autoload(own.skeleton->progs.wall_visit))
		return 0;
	own.list = bpf_program__attach_iter(own.skeleton->progs.wall_visit, &options);
	return own.list ? 0 : bpf_failure("wall", "look at a list of threads", errno);
}

int wall_program_start(struct collection *c)
{
	return span_program_start(&wall_program, c) || attach_list() ? -1 : 0;
}

/* Visit all threads, or the list. */
static int wall_program_run(struct bpf_link *link)
{
	int fd = bpf_iter_create(bpf_link__fd(link)), err = errno;
	char nothing[64];
	ssize_t n;

	if (fd < 0)
		return bpf_failure("wall", "look at threads", err);
	/* The program writes nothing into the file, so its end is reached once all threads were visited. */
	do {
		n = read(fd, nothing, sizeof(nothing));
		err = errno;
	} while (n > 0 || (n < 0 && (err == EAGAIN || err == EINTR)));
	close(fd);
	return n < 0 ? bpf_failure("wall", "look at threads", err) : 0;
}

int wall_program_round(uint64_t now_ns, bool all, bool *looked_at_all)
{
	struct wall_bpf__bss *bss = own.skeleton->bss;
	uint32_t bank = (bss->round_number + 1) & 1;
	int status;

	*looked_at_all = all || !own.list || !bss->round_number || bss->listed[bank] > WALL_LIST;
	bss->listed[!bank] = 0;
	bss->last_round_ns = bss->round_ns;
	bss->round_ns = now_ns;
	__atomic_store_n(&bss->round_number, bss->round_number + 1, __ATOMIC_SEQ_CST);
	status = wall_program_run(*looked_at_all ? own.skeleton->links.wall_look : own.list);
	span_program_take(&wall_program);
	return status;
}

bool wall_program_can_check(void)
{
	return own.list != NULL;
}

int wall_program_check(const uint32_t *tids, size_t count)
{
	struct wall_bpf__bss *bss = own.skeleton->bss;
	int status;

	if (!count)
		return 0;
	for (size_t i = 0; i < count && i < WALL_LIST; i++)
		own.listed[2 * WALL_LIST + i] = tids[i];
	bss->check_count = (uint32_t)count;
	status = wall_program_run(own.list);
	bss->check_count = 0;
	return status;
}

uint32_t wall_program_running(uint32_t cpu)
{
	const struct wall_cpu *c = &own.cpus[cpu % WALL_CPUS];

	return c->round_ns == own.skeleton->bss->round_ns ? c->tid : 0;
}

struct wall_slot *wall_program_slots(size_t *count)
{
	uint32_t used = own.skeleton->bss->next_slot, max = own.skeleton->rodata->max_slots;

	*count = used < max ? used : max;
	return own.slots;
}

void wall_program_forget(uint32_t slot)
{
	int threads = bpf_map__fd(own.skeleton->maps.target_threads);
	struct target_thread thread;
	uint32_t tid = own.slots[slot].tid;

	own.slots[slot] = (struct wall_slot){ 0 };
	if (!bpf_map_lookup_elem(threads, &tid, &thread) && thread.slot == slot + 1) {
		thread.slot = 0;
		bpf_map_update_elem(threads, &tid, &thread, BPF_ANY);
	}
	bpf_map_update_elem(bpf_map__fd(own.skeleton->maps.free_slots), NULL, &slot, BPF_ANY);
}

struct wall_counts wall_program_counts(void)
{
	return (struct wall_counts){ .rounds = own.skeleton->bss->round_number,
				     .walks = own.skeleton->bss->walks,
				     .passed_over = own.skeleton->bss->passed_over };
}

void wall_program_set_stride(uint32_t stride)
{
	own.skeleton->data->stride = stride;
}

void wall_program_free(void)
{
	if (own.slots)
		munmap(own.slots, own.slots_size);
	if (own.cpus)
		munmap(own.cpus, own.cpus_size);
	if (own.listed)
		munmap(own.listed, own.listed_size);
	bpf_link__destroy(own.list);
	span_program_free(&wall_program);
	memset(&own, 0, sizeof(own));
}
