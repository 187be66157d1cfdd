#include "collect/locks/locks_program.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "bpf/locks/locks.h"
#include "collect/bpf/bpf.h"
#include "collect/machine/command.h"
#include "core/error.h"
#include "core/memory.h"

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

enum { CALL_LINKS = 8 };

static struct {
	struct locks_bpf *skeleton;
	volatile struct locks_slot *slots;
	size_t slots_size;
	struct bpf_link *calls[CALL_LINKS]; /* at tracepoints of system calls */
	size_t call_count;
	bool sees_all;        /* they see the calls of 32-bit programs, too */
	pthread_mutex_t lock; /* of sees_all, and of looking in the BPF program: owner_watch has a thread */
	struct thread_clocks clocks;
} own = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- loading ---- */

static const struct span_tracepoint tracepoints[] = {
	{ "contention_begin", { "locks_contention_begin", "locks_contention_end" }, NULL },
	{ 0 },
};

static void choose_calls(struct locks_bpf *s)
{
	struct bpf_program *programs[] = { s->progs.locks_call, s->progs.locks_return, s->progs.locks_any_call,
					   s->progs.locks_any_return };

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		bpf_program__set_autoload(programs[i], true);
		bpf_program__set_autoattach(programs[i], false);
	}
}

static int locks_program_choose(struct locks_bpf *s, bool *has_kernel)
{
	const struct btf *types = span_program_choose(&locks_program, tracepoints);

	if (!types)
		return -1;
	*has_kernel = bpf_has_tracepoint(types, "contention_begin");
	choose_calls(s);
	bpf_program__set_autoattach(s->progs.locks_look, false);
	bpf_program__set_autoattach(s->progs.locks_holder, false);
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

static int locks_program_look_for(bool at_end)
{
	own.skeleton->bss->looking = at_end;
	return bpf_iterate("locks", own.skeleton->progs.locks_look, "look at all threads");
}

/* ---- system calls for futexes ---- */

static bool keep_call(struct bpf_link *link)
{
	if (link)
		own.calls[own.call_count++] = link;
	else
		bpf_forget_complaint();
	return link;
}

static void detach_calls(void)
{
	while (own.call_count)
		bpf_link__destroy(own.calls[--own.call_count]);
}

/* The tracepoints of a call, "futex".  Returns false if they cannot be used. */
static bool attach_call(const char *call)
{
	struct str begin = { 0 }, end = { 0 };
	bool done;

	str_addf(&begin, "sys_enter_%s", call);
	str_addf(&end, "sys_exit_%s", call);
	done = keep_call(
		       bpf_program__attach_tracepoint(own.skeleton->progs.locks_return, "syscalls", str_text(&end))) &&
	       keep_call(bpf_program__attach_tracepoint(own.skeleton->progs.locks_call, "syscalls", str_text(&begin)));
	str_free(&begin);
	str_free(&end);
	return done;
}

static int attach_all_calls(void)
{
	own.sees_all = true;
	if (!keep_call(bpf_program__attach(own.skeleton->progs.locks_any_return)) ||
	    !keep_call(bpf_program__attach(own.skeleton->progs.locks_any_call)))
		return bpf_failure("locks", "see system calls", errno);
	return 0;
}

/* Is the command a 32-bit program?  What it starts may be one, too: LOCKS_COMPAT. */
static bool is_compat_command(const struct collection *c)
{
	unsigned char ident[EI_CLASS + 1] = { 0 };
	struct str path = { 0 };
	int fd = c->opt.command && command_find(c->opt.command[0], &path) ? open(str_text(&path), O_RDONLY | O_CLOEXEC)
									  : -1;
	bool is = fd >= 0 && read(fd, ident, sizeof(ident)) == sizeof(ident) && !memcmp(ident, ELFMAG, SELFMAG) &&
		  ident[EI_CLASS] == ELFCLASS32;

	if (fd >= 0)
		close(fd);
	str_free(&path);
	return is;
}

int locks_program_start(struct collection *c)
{
	if (attach_call("futex")) {
		attach_call("futex_wait");  /* Linux 6.7 */
		attach_call("futex_waitv"); /* Linux 5.16 */
		own.skeleton->bss->only_compat = 1;
	} else {
		detach_calls();
	}
	if ((!own.call_count || is_compat_command(c)) && attach_all_calls())
		return -1;
	return span_program_start(&locks_program, c);
}

int locks_program_see_compat(void)
{
	int status = 0;

	pthread_mutex_lock(&own.lock);
	if (!own.sees_all && own.skeleton->bss->has_compat)
		status = attach_all_calls() || locks_program_look_for(false) ? -1 : 0;
	pthread_mutex_unlock(&own.lock);
	return status;
}

/* ---- data ---- */

int locks_program_look(bool at_end)
{
	int status;

	pthread_mutex_lock(&own.lock);
	status = locks_program_look_for(at_end);
	pthread_mutex_unlock(&own.lock);
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

	return number < locks_program_slots() && slot->tid == tid && slot->now.begun == begun && slot->now.since_ns;
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
	detach_calls();
	span_program_halt(&locks_program);
	take_rests();
}

void locks_program_free(void)
{
	thread_clocks_free(&own.clocks);
	detach_calls();
	if (own.slots)
		munmap((void *)own.slots, own.slots_size);
	span_program_free(&locks_program);
	own.skeleton = NULL;
	own.slots = NULL;
	own.sees_all = false;
}
