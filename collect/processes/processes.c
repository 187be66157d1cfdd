/* processes: collect processes: which processes begin, which programs they execute, how they end, and what they cost. */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "bpf/processes.h"
#include "collect/bpf/bpf.h"
#include "collect/bpf/bpf_ring.h"
#include "collect/machine/targets.h"
#include "collect/processes/process_table.h"
#include "collect/run/collection.h"
#include "collect/run/opening.h"
#include "core/error.h"
#include "core/wallclock.h"

#include "bpf/processes.skel.h" /* needs bpf/span_control.h and bpf/targets.h */

/* --- the BPF program of collect processes (bpf/processes.bpf.c) --- */

struct processes_rules {
	const struct targets *targets; /* NULL: all processes */
	const char *cgroup;
	bool inherit;
	uint32_t ring; /* bytes, a power of two */
};

/* r is valid during the call; its arguments lie within it. */
typedef void processes_take(const struct process_record *r);

enum { RING_SIZE = 32 << 20, RING_PART = 32 /* wakes us */, HEAD = offsetof(struct process_record, args) };

static struct {
	struct processes_bpf *skeleton;
	struct bpf_ring ring;
	struct bpf_link *failed, *failed_at;
	processes_take *take;
} program;

static void processes_program_take_record(void *context, const void *data, size_t size)
{
	const struct process_record *r = data;

	(void)context;
	if (size >= HEAD && r->args_bytes <= size - HEAD)
		program.take(r);
}

static void processes_program_choose_programs(struct processes_bpf *s)
{
	bpf_program__set_autoload(s->progs.processes_there, true);
	bpf_program__set_autoload(s->progs.processes_failed, true);
	bpf_program__set_autoload(s->progs.processes_failed_at, true);
	bpf_program__set_autoattach(s->progs.processes_there, false);
	bpf_program__set_autoattach(s->progs.processes_failed, false);
	bpf_program__set_autoattach(s->progs.processes_failed_at, false);
}

/* Why the program cannot be loaded here, as bpf_object_obstacle() says it. */
static const char *processes_program_obstacle(void)
{
	return bpf_object_obstacle(processes_bpf__elf_bytes);
}

/* Check rights and load the program.  take() gets its events.  Returns 0, or -1 after a message. */
static int processes_program_load(const struct processes_rules *rules, processes_take *take)
{
	struct processes_bpf *s;
	int err;

	if (bpf_check_object("processes", processes_bpf__elf_bytes))
		return -1;
	s = program.skeleton = processes_bpf__open();
	if (!s)
		return bpf_failure("processes", "open its program", errno);
	program.take = take;
	processes_program_choose_programs(s);
	bpf_map__set_max_entries(s->maps.ring, rules->ring);
	s->rodata->rules.wake_at = rules->ring / RING_PART;
	bpf_choose_loop(s->obj, &s->rodata->have_loop);
	if (bpf_targets_prepare(s->obj, &s->rodata->target_rules, rules->targets, rules->cgroup, rules->inherit))
		return -1;
	err = processes_bpf__load(s);
	if (err)
		return bpf_load_failure("processes", s->obj, -err, NULL);
	if (bpf_ring_open(&program.ring, bpf_map__fd(s->maps.ring), processes_program_take_record, NULL))
		return bpf_failure("processes", "map its ring", errno);
	return 0;
}

/* Attach the program.  command: a process that becomes a target at its exec; 0: none. */
static int processes_program_start(const struct targets *targets, int command)
{
	struct processes_bpf *s = program.skeleton;
	int err = processes_bpf__attach(s);

	program.failed = bpf_program__attach(s->progs.processes_failed);
	program.failed_at = bpf_program__attach(s->progs.processes_failed_at);
	return bpf_attached("processes", s->obj, err, targets, command);
}

/* Does this kernel report execs that fail?  (It does not without tracefs, or CONFIG_FTRACE_SYSCALLS.) */
static bool processes_program_tells_failures(void)
{
	return program.failed && program.failed_at;
}

/* Pass all existing processes to take().  Returns 0, or -1 after a message. */
static int processes_program_look(processes_take *take)
{
	struct bpf_link *link = bpf_program__attach_iter(program.skeleton->progs.processes_there, NULL);
	int fd = link ? bpf_iter_create(bpf_link__fd(link)) : -1, err = errno;
	char some[16 * HEAD];
	size_t have = 0;
	ssize_t n = 0;

	while (fd >= 0 && ((n = read(fd, some + have, sizeof(some) - have)) > 0 ||
			   (n < 0 && (errno == EAGAIN || errno == EINTR)))) {
		have += n > 0 ? (size_t)n : 0;
		for (size_t at = 0; at + HEAD <= have; at += HEAD) {
			struct process_record r;

			memcpy(&r, some + at, HEAD);
			take(&r);
		}
		memmove(some, some + have / HEAD * HEAD, have % HEAD);
		have %= HEAD;
	}
	if (n < 0)
		err = errno;
	if (fd >= 0)
		close(fd);
	bpf_link__destroy(link);
	return fd < 0 || n < 0 ? bpf_failure("processes", "look at the processes", err) : 0;
}

/* A descriptor that is readable when much data is pending; drain() passes all of it; round(), to be quick, only a
 * part. */
static int processes_program_fd(void)
{
	return bpf_ring_fd(&program.ring);
}

static void processes_program_drain(void)
{
	bpf_ring_drain(&program.ring);
}

static void processes_program_round(void)
{
	bpf_ring_round(&program.ring);
}

static void detach_failed(void)
{
	bpf_link__destroy(program.failed);
	bpf_link__destroy(program.failed_at);
	program.failed = program.failed_at = NULL;
}

/* Stop, and pass what is left. */
static void processes_program_stop(void)
{
	processes_bpf__detach(program.skeleton);
	detach_failed();
	bpf_wait_for_programs();
	processes_program_drain();
}

/* Events that found the ring full. */
static uint64_t processes_program_lost(void)
{
	return program.skeleton ? program.skeleton->data->control.lost : 0;
}

/* Bpf_missed() */
static uint64_t processes_program_missed(void)
{
	return program.skeleton ? bpf_missed(program.skeleton->obj) : 0;
}

static void processes_program_free(void)
{
	detach_failed();
	bpf_ring_close(&program.ring);
	processes_bpf__destroy(program.skeleton);
	memset(&program, 0, sizeof(program));
}

/* --- the collector --- */

static struct {
	const char *cgroup;
} opt;

static const struct opt options[] = {
	{ 0, "cgroup", "GROUP", "processes of this control group or below", .text = &opt.cgroup }, { 0 }
};

static struct {
	size_t event_number;
	struct process_table table;
	struct str out;
	uint64_t mark_ns, lost; /* time of the last mark; number of events lost until the last look */
} run;

static void processes_take_record(const struct process_record *r)
{
	process_table_add(&run.table, r);
}

static void take_there(const struct process_record *r)
{
	process_table_add_there(&run.table, r);
}

static void take_again(const struct process_record *r)
{
	process_table_update(&run.table, r);
}

static int processes_prepare(struct collection *c)
{
	const struct processes_rules rules = {
		.targets = collection_targets(c),
		.cgroup = opt.cgroup,
		.inherit = !c->opt.no_inherit,
		.ring = ring_share_program(&c->wish.rings, RING_SIZE),
	};

	run.event_number = spans_add_event(&c->events, RECORDING_PROCESSES);
	c->events.list[run.event_number].attr.config2 = 1;
	process_table_open(&run.table, bpf_tid_limit());
	run.table.to.out = &run.out;
	run.table.is_always_on = collection_is_always_on(c);
	return processes_program_load(&rules, processes_take_record);
}

static int processes_start(struct collection *c)
{
	int status;

	run.table.to.event = &c->events.list[run.event_number];
	run.table.begin_ns = run.mark_ns = c->start_ns;
	session_add_data(&c->session, processes_program_fd());
	status = opening_start_program(c, processes_program_start);
	if (!processes_program_tells_failures())
		detail("processes: failed execs are not recorded: this kernel does not report them, or tracefs is not "
		       "mounted");
	return status || processes_program_look(take_there) ? -1 : 0;
}

static int processes_write_spans(struct collection *c)
{
	struct iovec iov = { run.out.buf, run.out.len };
	int status = run.out.len ? recording_append(&c->recording, &iov, 1) : 0;

	str_clear(&run.out);
	return status;
}

static int processes_drain(struct collection *c)
{
	processes_program_round();
	return processes_write_spans(c);
}

/* Find out which processes go on and, if events were lost, which have ended.  After that, the table has everything that
 * happened before the look, and some of what came later. */
static int processes_look(void)
{
	uint64_t lost = processes_program_lost();

	processes_program_drain();
	process_table_begin_look(&run.table, monotonic_ns());
	if (processes_program_look(take_again))
		return -1;
	processes_program_drain();
	if (lost > run.lost)
		process_table_end_missing(&run.table);
	run.lost = lost;
	return 0;
}

/* For the flight recorder, the span of a process covers one to two times the period that is kept. */
static int processes_mark(const struct collection *c)
{
	uint64_t now = monotonic_ns();

	if (!c->flight.keep_ns || now - run.mark_ns < c->flight.keep_ns + c->flight.after_ns + 2 * NS_PER_SEC)
		return 0;
	run.mark_ns = now;
	if (processes_look())
		return -1;
	process_table_mark(&run.table);
	return 0;
}

static int processes_tick(struct collection *c)
{
	int status;

	processes_program_drain();
	process_table_flush(&run.table, monotonic_ns() - 2 * NS_PER_SEC);
	process_table_write_before(&run.table, monotonic_ns() - 2 * NS_PER_SEC);
	status = processes_mark(c);
	return processes_write_spans(c) || status ? -1 : 0;
}

/* For watch, each recording has that part of an ongoing process that belongs to its time.  Recordings of the flight
 * recorder can overlap in time: see processes_describe(). */
static int processes_complete(struct collection *c)
{
	uint64_t open;

	if (processes_look())
		return -1;
	if (c->flight.keep_ns)
		return processes_write_spans(c);
	process_table_write_before(&run.table, UINT64_MAX);
	open = process_table_tell(&run.table, 0, run.table.look_ns);
	process_table_cut(&run.table, run.table.look_ns);
	losses_raise(c->recording.tally.losses, LOSS_open_spans, open);
	return processes_write_spans(c);
}

/* Another process writes what the flight recorder has kept.  Processes that went on at processes_complete() are written
 * there, and stay unchanged here. */
static void processes_describe(struct collection *c, struct recording *r)
{
	uint64_t open, from_ns = r->anchors.first.monotonic_ns;
	struct iovec iov;

	if (r == &c->recording)
		return;
	str_clear(&run.out);
	process_table_tell_ended(&run.table, from_ns);
	open = process_table_tell(&run.table, from_ns, run.table.look_ns);
	losses_raise(r->tally.losses, LOSS_open_spans, open);
	iov = (struct iovec){ run.out.buf, run.out.len };
	if (iov.iov_len)
		recording_append(r, &iov, 1);
}

static void processes_end(struct collection *c, uint64_t end_ns)
{
	(void)c;
	run.table.end_ns = end_ns;
}

/* Without this, the last processes would be shown with their CPU time up to the last tick, which is often 0 if they
 * lived for a few ms. */
static void await_cpu_times(struct collection *c)
{
	uint64_t until_ns = monotonic_ns() + NS_PER_SEC / 2;

	command_reap(&c->command);
	processes_program_drain();
	while (process_table_awaits_cpu(&run.table) && monotonic_ns() < until_ns) {
		bpf_wait_for_programs();
		processes_program_drain();
	}
}

static int processes_stop(struct collection *c, uint64_t end_ns)
{
	uint64_t *losses = c->recording.tally.losses;
	int status;

	run.table.end_ns = end_ns;
	await_cpu_times(c);
	processes_program_stop();
	process_table_begin_look(&run.table, end_ns);
	status = processes_program_look(take_again);
	process_table_finish(&run.table, end_ns, processes_program_lost() > 0);
	losses[LOSS_lost_spans] += processes_program_lost();
	losses_raise(losses, LOSS_open_spans, run.table.open);
	return processes_write_spans(c) || status ? -1 : 0;
}

static int processes_verdict(struct collection *c)
{
	const struct process_table *t = &run.table;

	(void)c;
	detail("processes: %" PRIu64 " began, %" PRIu64 " were there before; %" PRIu64 " execs, %" PRIu64
	       " failed; %" PRIu64 " ended",
	       t->forks, t->there, t->execs, t->failed, t->exits);
	if (t->not_final)
		detail("processes: the CPU time of %" PRIu64 " is that of the last timer tick: nobody has waited for "
		       "them yet, or the kernel did not tell",
		       t->not_final);
	if (t->unpaired)
		warn("processes: the ends of %" PRIu64 " were not seen", t->unpaired);
	return 0;
}

static void processes_release(void)
{
	processes_program_free();
	process_table_free(&run.table);
	str_free(&run.out);
}

const struct source processes_source = {
	.name = "processes",
	.about = "processes: forks, programs with arguments, ends, their cost (BPF)",
	.examples = "  pyrograph collect processes -- make -j8     a command and all that it starts\n"
		    "  pyrograph collect processes -a -d 60        the whole machine\n",
	.options = options,
	.cgroup = &opt.cgroup,
	.on_any_cpu = true,
	.obstacle = processes_program_obstacle,
	.object = processes_bpf__elf_bytes,
	.prepare = processes_prepare,
	.start = processes_start,
	.drain = processes_drain,
	.tick = processes_tick,
	.complete = processes_complete,
	.lost = processes_program_lost,
	.missed = processes_program_missed,
	.end = processes_end,
	.describe = processes_describe,
	.stop = processes_stop,
	.verdict = processes_verdict,
	.free = processes_release,
};
