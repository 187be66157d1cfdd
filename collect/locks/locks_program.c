#include "collect/locks/locks_program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/locks/locks.h"
#include "collect/bpf/sched_switch.h"
#include "core/error.h"

#include "bpf/locks.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

/* ---- a BPF program that is called some microseconds after a thread runs, on its CPU ---- */

struct thread_clock {
	uint32_t tid;
	int fd;
	struct locks_wanted wanted; /* what for */
};

struct thread_clocks { /* {0} is empty */
	struct thread_clock list[LOCKS_WANTED_MAX];
	size_t count;
};

enum { PERIOD_NS = 50000 }; /* of the thread's CPU time */

static struct thread_clock *thread_clocks_find(struct thread_clocks *c, uint32_t tid)
{
	for (size_t i = 0; i < c->count; i++) {
		if (c->list[i].tid == tid)
			return &c->list[i];
	}
	return NULL;
}

/* Call the program for thread tid, again and again while it runs.  Does nothing if the kernel refuses, or too many
 * threads have one. */
static void thread_clocks_add(struct thread_clocks *c, uint32_t tid, int program, const struct locks_wanted *wanted)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = PERIOD_NS,
		.disabled = 1,
	};
	struct thread_clock *known = thread_clocks_find(c, tid);
	int fd;

	if (known) {
		known->wanted = *wanted;
		return;
	}
	if (c->count == LOCKS_WANTED_MAX)
		return;
	fd = (int)syscall(SYS_perf_event_open, &attr, (pid_t)tid, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return;
	if (ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
		close(fd);
		return;
	}
	c->list[c->count++] = (struct thread_clock){ .tid = tid, .fd = fd, .wanted = *wanted };
}

/* Remove list[i]; the last one takes its place. */
static void thread_clocks_remove(struct thread_clocks *c, size_t i)
{
	close(c->list[i].fd);
	c->list[i] = c->list[--c->count];
}

static void thread_clocks_free(struct thread_clocks *c)
{
	while (c->count)
		thread_clocks_remove(c, c->count - 1);
}

/* ---- the program ---- */

struct span_program locks_program = {
	.name = "locks",
	.event_name = RECORDING_LOCKS,
	.bytes = locks_bpf__elf_bytes,
	.option = "--max-threads",
	.records = "scratches",
};

static struct {
	struct locks_bpf *skeleton;
	volatile struct locks_slot *slots;
	size_t slots_size;
	struct thread_clocks clocks;
} own;

/* ---- loading ---- */

static const struct span_tracepoint tracepoints[] = {
	{ "contention_begin", { "locks_contention_begin", "locks_contention_end" }, NULL },
	{ 0 },
};

static int locks_program_choose(struct locks_bpf *s, bool *has_kernel)
{
	const struct btf *types = span_program_choose(&locks_program, tracepoints);
	bool at_exit;

	if (!types)
		return -1;
	*has_kernel = bpf_has_tracepoint(types, "contention_begin");
	if (sched_switch_choose("locks", s->progs.locks_switch, s->progs.locks_switch_old, &at_exit))
		return -1;
	bpf_program__set_autoload(s->progs.locks_exit, at_exit);
	bpf_program__set_autoload(s->progs.locks_return, !at_exit);
	bpf_program__set_autoattach(s->progs.locks_look, false);
	bpf_program__set_autoattach(s->progs.locks_holder, false);
	s->rodata->at_exit = at_exit;
	s->rodata->have_regs = bpf_has_registers();
	if (!s->rodata->have_regs)
		return error("locks: this kernel is too old: Linux 5.15 lets programs see a thread's registers");
	return 0;
}

int locks_program_load(struct collection *c, const struct locks_rules *rules, bool *has_kernel)
{
	struct locks_bpf *s;

	if (span_program_check(&locks_program))
		return -1;
	s = own.skeleton = locks_bpf__open();
	if (!s)
		return bpf_failure("locks", "open its program", errno);
	locks_program.object = SPAN_OBJECT(s);
	if (locks_program_choose(s, has_kernel))
		return -1;
	s->rodata->watch_ns = rules->watch_ns;
	s->rodata->max_slots = rules->max_threads;
	bpf_map__set_max_entries(s->maps.slots, rules->max_threads);
	bpf_map__set_max_entries(s->maps.free_slots, rules->max_threads);
	if (span_program_load(&locks_program, c, rules->min_ns, rules->cgroup))
		return -1;
	own.slots = bpf_map_memory("locks", s->maps.slots, sizeof(*own.slots), &own.slots_size);
	return own.slots ? 0 : -1;
}

/* ---- data ---- */

int locks_program_look(bool at_end)
{
	int status;

	own.skeleton->bss->looking = at_end;
	status = bpf_iterate("locks", own.skeleton->progs.locks_look, "look at all threads");
	if (at_end)
		span_program_take(&locks_program);
	return status;
}

size_t locks_program_slots(void)
{
	uint32_t used = own.skeleton->bss->next_slot, max = own.skeleton->rodata->max_slots;

	return used < max ? used : max;
}

void locks_program_living(struct map *living)
{
	for (size_t i = 0; i < locks_program_slots(); i++) {
		uint32_t tid = own.slots[i].tid;

		if (tid)
			*map_at(living, tid, 0) = 1;
	}
}

static bool locks_program_goes_on(uint32_t number, uint32_t tid, uint64_t begun)
{
	const volatile struct locks_slot *slot = &own.slots[number];

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
	own.skeleton->bss->holder_tid = tid;
	return bpf_iterate_thread(own.skeleton->progs.locks_holder, tid, h, sizeof(*h));
}

void locks_program_sample(uint32_t tid, const struct locks_record *r)
{
	const struct locks_bpf *s = own.skeleton;
	struct locks_wanted wanted = { .begun = r->begun, .pid = r->pid, .tid = r->tid, .slot = r->slot };

	if (!bpf_map_update_elem(bpf_map__fd(s->maps.wanted), &tid, &wanted, BPF_ANY))
		thread_clocks_add(&own.clocks, tid, bpf_program__fd(s->progs.locks_sample), &wanted);
}

int locks_program_lasting(void)
{
	return bpf_map__fd(own.skeleton->maps.lasting);
}

/* The BPF program has taken its entry when it was called. */
bool locks_program_end_samples(void)
{
	int wanted_fd = bpf_map__fd(own.skeleton->maps.wanted);
	struct locks_wanted w;

	for (size_t i = own.clocks.count; i > 0; i--) {
		uint32_t tid = own.clocks.list[i - 1].tid;

		w = own.clocks.list[i - 1].wanted;
		if (locks_program_goes_on(w.slot, w.tid, w.begun) && !bpf_map_lookup_elem(wanted_fd, &tid, &w))
			continue;
		bpf_map_delete_elem(wanted_fd, &tid);
		thread_clocks_remove(&own.clocks, i - 1);
	}
	return own.clocks.count > 0;
}

/* ---- the end ---- */

static void locks_program_take_rest(const struct locks_sum *s, uint32_t pid, uint32_t tid, bool is_long)
{
	struct locks_record r = {
		.kind = LOCKS_REST,
		.cpu = UINT32_MAX,
		.slot = LOCKS_NO_SLOT,
		.is_long = is_long,
		.pid = pid,
		.tid = tid,
		.lock = s->lock,
		.slept = s->slept,
		.since_ns = s->begin_ns,
		.until_ns = locks_program.object.control->end_ns,
		.count = s->count,
		.ns = s->ns,
		.longest_ns = s->longest_ns,
		.runnable_ns = s->runnable_ns,
	};

	if (s->count)
		locks_program.take(NULL, &r, sizeof(r));
}

static void take_rests(void)
{
	for (size_t i = 0; i < locks_program_slots(); i++) {
		struct locks_slot slot = *(const struct locks_slot *)&own.slots[i];

		for (size_t k = 0; slot.tid && k < LOCKS_SUMS; k++)
			locks_program_take_rest(&slot.sums[k], slot.pid, slot.tid, k >= LOCKS_LONG_OF_FUTEXES);
	}
}

void locks_program_halt(void)
{
	thread_clocks_free(&own.clocks);
	span_program_halt(&locks_program);
	take_rests();
}

void locks_program_free(void)
{
	thread_clocks_free(&own.clocks);
	if (own.slots)
		munmap((void *)own.slots, own.slots_size);
	span_program_free(&locks_program);
	memset(&own, 0, sizeof(own));
}
