#include "collect/locks/locks_program.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "collect/bpf/bpf_memory.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/bpf/sched_switch.h"
#include "collect/locks/thread_clocks.h"

#include "core/error.h"

#include "bpf/locks.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

enum { RING_SIZE = 16 << 20, COPIES_RING_SIZE = 64 << 20 };

static struct {
	struct locks_bpf *skeleton;
	struct bpf_ring ring;
	volatile struct locks_slot *slots;
	size_t slots_size;
	locks_take *take;
	struct thread_clocks clocks;
	uint64_t end_ns;
	bool running;
} program;

static void locks_program_take_record(void *context, const void *data, size_t size)
{
	const struct locks_record *r = data;
	size_t needed = offsetof(struct locks_record, stack);

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

static int locks_program_choose_programs(struct locks_bpf *s, bool *has_kernel)
{
	struct btf *btf = bpf_kernel_types();
	bool at_exit;

	if (!btf)
		return bpf_failure("locks", "read the kernel's types", errno);
	*has_kernel = btf__find_by_name_kind(btf, "btf_trace_contention_begin", BTF_KIND_TYPEDEF) > 0;
	if (sched_switch_choose("locks", s->progs.locks_switch, s->progs.locks_switch_old, &at_exit))
		return -1;
	bpf_program__set_autoload(s->progs.locks_contention_begin, *has_kernel);
	bpf_program__set_autoload(s->progs.locks_contention_end, *has_kernel);
	bpf_program__set_autoload(s->progs.locks_exit, at_exit);
	bpf_program__set_autoload(s->progs.locks_return, !at_exit);
	s->rodata->at_exit = at_exit;
	s->rodata->have_regs = bpf_has_registers();
	return 0;
}

static void locks_program_set_options(struct locks_bpf *s, const struct locks_rules *rules)
{
	uint32_t ring = rules->walks ? COPIES_RING_SIZE : RING_SIZE;

	if (rules->walks) {
		s->rodata->rules.walks = 1;
		s->rodata->rules.copies_max = rules->copies_max;
		bpf_map__set_value_size(s->maps.scratches, sizeof(struct locks_record) + USER_COPY_MAX);
	}
	s->rodata->rules.min_ns = rules->min_ns;
	s->rodata->watch_ns = rules->watch_ns;
	s->rodata->max_slots = rules->max_threads;
	s->rodata->rules.wake_at = ring / 4;
	s->rodata->rules.urgent_ns = rules->urgent_ns;
	s->rodata->rules.copy_below = ring / 2;
	bpf_map__set_max_entries(s->maps.slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.free_slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.ring, ring);
}

const char *locks_program_obstacle(void)
{
	return bpf_object_obstacle(locks_bpf__elf_bytes);
}

int locks_program_load(const struct locks_rules *rules, locks_take *take, bool *has_kernel)
{
	struct locks_bpf *s;
	int err;

	if (bpf_check_object("locks", locks_bpf__elf_bytes))
		return -1;
	s = program.skeleton = locks_bpf__open();
	if (!s)
		return bpf_failure("locks", "open its program", errno);
	program.take = take;
	if (locks_program_choose_programs(s, has_kernel))
		return -1;
	if (!s->rodata->have_regs)
		return error("locks: this kernel is too old: Linux 5.15 lets programs see a thread's registers");
	locks_program_set_options(s, rules);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	err = locks_bpf__load(s);
	if (err)
		return bpf_load_failure("locks", s->obj, -err, "--max-threads");
	program.slots = bpf_map_memory("locks", s->maps.slots, sizeof(*program.slots), &program.slots_size);
	if (!program.slots)
		return -1;
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), locks_program_take_record, NULL))
		return bpf_failure("locks", "map its ring", errno);
	return 0;
}

int locks_program_start(const struct targets *targets, int command)
{
	struct locks_bpf *s = program.skeleton;
	int err;

	bpf_program__set_autoattach(s->progs.locks_look, false);
	bpf_program__set_autoattach(s->progs.locks_holder, false);
	err = locks_bpf__attach(s);
	program.running = !err;
	return bpf_attached("locks", s->obj, err, targets, command);
}

static int locks_program_look_once(bool at_end)
{
	program.skeleton->bss->looking = at_end;
	return bpf_iterate("locks", program.skeleton->progs.locks_look, "look at all threads");
}

int locks_program_begin(void)
{
	return locks_program_look_once(false);
}

/* ---- data ---- */

int locks_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

void locks_program_drain(void)
{
	bpf_ring_drain(&program.ring);
}

void locks_program_round(void)
{
	bpf_ring_round(&program.ring);
}

void locks_program_end(uint64_t end_ns)
{
	program.end_ns = program.skeleton->data->control.end_ns = end_ns;
}

size_t locks_program_slots(void)
{
	uint32_t used = program.skeleton->bss->next_slot, max = program.skeleton->rodata->max_slots;

	return used < max ? used : max;
}

void locks_program_living(struct map *living)
{
	for (size_t i = 0; i < locks_program_slots(); i++) {
		uint32_t tid = program.slots[i].tid;

		if (tid)
			*map_at(living, tid, 0) = 1;
	}
}

int locks_program_look(void)
{
	int status = locks_program_look_once(true);

	locks_program_drain();
	return status;
}

static bool locks_program_goes_on(uint32_t number, uint32_t tid, uint64_t begun)
{
	const volatile struct locks_slot *slot = &program.slots[number];

	return number < locks_program_slots() && slot->tid == tid && slot->begun == begun && slot->since_ns &&
	       !slot->until_ns;
}

bool locks_program_is_held(const struct locks_record *r)
{
	return locks_program_goes_on(r->slot, r->tid, r->begun);
}

/* ---- the owner, meanwhile ---- */

bool locks_program_look_at(uint32_t tid, struct locks_holder *h)
{
	program.skeleton->bss->holder_tid = tid;
	return bpf_iterate_thread(program.skeleton->progs.locks_holder, tid, h, sizeof(*h));
}

void locks_program_sample(uint32_t tid, const struct locks_record *r)
{
	const struct locks_bpf *s = program.skeleton;
	struct locks_wanted wanted = { .begun = r->begun, .pid = r->pid, .tid = r->tid, .slot = r->slot };

	if (!bpf_map_update_elem(bpf_map__fd(s->maps.wanted), &tid, &wanted, BPF_ANY))
		thread_clocks_add(&program.clocks, tid, bpf_program__fd(s->progs.locks_sample), &wanted);
}

int locks_program_lasting(void)
{
	return bpf_map__fd(program.skeleton->maps.lasting);
}

/* The BPF program has taken its entry when it was called. */
bool locks_program_end_samples(void)
{
	int wanted_fd = bpf_map__fd(program.skeleton->maps.wanted);
	struct locks_wanted w;

	for (size_t i = program.clocks.count; i > 0; i--) {
		uint32_t tid = program.clocks.list[i - 1].tid;

		w = program.clocks.list[i - 1].wanted;
		if (locks_program_goes_on(w.slot, w.tid, w.begun) && !bpf_map_lookup_elem(wanted_fd, &tid, &w))
			continue;
		bpf_map_delete_elem(wanted_fd, &tid);
		thread_clocks_remove(&program.clocks, i - 1);
	}
	return program.clocks.count > 0;
}

void locks_program_stop(void)
{
	if (!program.running)
		return;
	program.running = false;
	thread_clocks_free(&program.clocks);
	locks_bpf__detach(program.skeleton);
	bpf_wait_for_programs();
	locks_program_drain();
}

static void locks_program_take_rest(const struct locks_sum *s, uint32_t pid, uint32_t tid)
{
	struct locks_record r = {
		.kind = LOCKS_REST,
		.cpu = UINT32_MAX,
		.slot = LOCKS_NO_SLOT,
		.pid = pid,
		.tid = tid,
		.lock = s->lock,
		.slept = s->slept,
		.since_ns = s->begin_ns,
		.until_ns = program.end_ns,
		.count = s->count,
		.ns = s->ns,
		.longest_ns = s->longest_ns,
		.runnable_ns = s->runnable_ns,
	};

	if (s->count)
		program.take(&r, sizeof(r));
}

void locks_program_take_rests(void)
{
	for (size_t i = 0; i < locks_program_slots(); i++) {
		struct locks_slot slot = *(const struct locks_slot *)&program.slots[i];

		for (size_t k = 0; slot.tid && k < LOCKS_SUMS; k++)
			locks_program_take_rest(&slot.sums[k], slot.pid, slot.tid);
	}
}

struct bpf_losses locks_program_losses(void)
{
	const struct locks_bpf *s = program.skeleton;

	return (struct bpf_losses){
		.records = s->data->control.lost,
		.threads = s->data->control.untracked_threads,
		.switches = s->data->control.untracked_switches,
	};
}

uint64_t locks_program_uncopied(void)
{
	return program.skeleton->data->control.uncopied;
}

uint64_t locks_program_memory(void)
{
	return bpf_memory(program.skeleton->obj);
}

uint64_t locks_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

void locks_program_free(void)
{
	thread_clocks_free(&program.clocks);
	bpf_ring_close(&program.ring);
	if (program.slots)
		munmap((void *)program.slots, program.slots_size);
	locks_bpf__destroy(program.skeleton);
	memset(&program, 0, sizeof(program));
}
