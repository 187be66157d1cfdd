/* wall: collect wall: looks several times a second at each thread, running or not: its state, and the kernel part of
 * its stack.  This works for thousands of threads, at a small cost that hardly grows with their activity. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "bpf/wall.h"
#include "collect/spans/held_stack.h"
#include "collect/wall/wall_program.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/str.h"
#include "core/wallclock.h"

/* ---- the user stacks of threads that do not run ---- */

/* The kernel's iterator cannot take user stacks.  They are read from the memory of the process, some in each round, and
 * count only if the thread has not run meanwhile; the BPF program checks this at once or, before Linux 6.2, in the next
 * round. */

/* What a thread has been doing. */
struct wall_run {
	uint64_t since_ns;
	uint64_t begin_ns; /* of what is not told yet */
	uint32_t pid, tid, cpu, state;
	uint32_t by; /* the thread that had the CPU that this one waited for; 0: unknown */
	uint32_t count;
	uint64_t stack[WALL_FRAMES];                                     /* the kernel's */
	bool has_registers, read;                                        /* its user stack was read, or could not be */
	bool is_walked;                                                  /* its user stack is being walked, or was */
	uint64_t registers[sizeof(struct user_copy) / sizeof(uint64_t)]; /* a struct user_copy without a stack */
	uint64_t *whole; /* [whole_count] entries of its whole chain with labels, owned; NULL: unknown */
	size_t whole_count;
};

/* The stack that was read for the run that began at since_ns. */
struct wall_read {
	uint32_t slot, tid;
	uint64_t since_ns;
	struct str copy; /* a struct user_copy */
};

/* {0} is valid. */
struct wall_stacks {
	struct wall_read *reads; /* [count] */
	size_t count, cap;
	size_t next; /* slot to begin with in the next round */
};

typedef void wall_stacks_take(const struct wall_run *run, uint32_t slot, const struct str *copy);

/* The index of the stack pointer in the registers (struct pt_regs). */
#ifdef __aarch64__
enum { SP = 31 };
#else
enum { SP = 19 };
#endif

static bool wall_stacks_is_wanted(const struct wall_run *run, uint64_t now_ns, uint64_t round_ns)
{
	return run->tid && run->has_registers && !run->read && now_ns - run->since_ns >= round_ns;
}

static void read_one(struct wall_stacks *w, struct wall_run *run, uint32_t slot)
{
	struct wall_read *r;

	w->reads = xgrow(w->reads, &w->cap, w->count + 1, sizeof(*w->reads));
	r = &w->reads[w->count];
	*r = (struct wall_read){ .slot = slot, .tid = run->tid, .since_ns = run->since_ns };
	str_add(&r->copy, (const char *)run->registers, sizeof(run->registers));
	run->read = true;
	if (held_stack_complete((int)run->pid, (int)run->tid, run->registers[SP], &r->copy))
		w->count++;
	else
		str_free(&r->copy);
}

/* Read the stacks of those of runs[run_count] that have lasted for at least a round as of now_ns, `most` at most. */
static void wall_stacks_read(struct wall_stacks *w, struct wall_run *runs, size_t run_count, uint64_t now_ns,
			     uint64_t round_ns, size_t most)
{
	size_t done = 0;

	for (size_t i = 0; i < run_count && done < most; i++) {
		size_t slot = w->next++ % run_count;

		if (!wall_stacks_is_wanted(&runs[slot], now_ns, round_ns))
			continue;
		read_one(w, &runs[slot], (uint32_t)slot);
		done++;
	}
}

/* After the next round, pass on the stacks of runs that still go on, and forget all stacks. */
static void wall_stacks_check(struct wall_stacks *w, const struct wall_run *runs, wall_stacks_take *take)
{
	for (size_t i = 0; i < w->count; i++) {
		struct wall_read *r = &w->reads[i];
		const struct wall_run *run = &runs[r->slot];

		if (run->tid == r->tid && run->since_ns == r->since_ns)
			take(run, r->slot, &r->copy);
		str_free(&r->copy);
	}
	w->count = 0;
}

static void wall_stacks_free(struct wall_stacks *w)
{
	for (size_t i = 0; i < w->count; i++)
		str_free(&w->reads[i].copy);
	free(w->reads);
	*w = (struct wall_stacks){ 0 };
}

/* ---- when threads are looked at ---- */

/* The time from one round to the next is random, so that activities in step with a clock are not always seen at the
 * same point. */

struct wall_rounds {
	int timer; /* readable when a round is due */
	uint64_t every_ns;
	uint64_t due_ns; /* the next round */
	uint64_t late;   /* rounds left out */
	uint64_t random;
};

enum { REST = 3 }; /* times a round's */

/* George Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003), 14. */
static uint64_t next_random(struct wall_rounds *r)
{
	r->random ^= r->random << 13;
	r->random ^= r->random >> 7;
	r->random ^= r->random << 17;
	return r->random;
}

static int set_timer(struct wall_rounds *r)
{
	struct itimerspec at = { 0 };

	at.it_value.tv_sec = (time_t)(r->due_ns / NS_PER_SEC);
	at.it_value.tv_nsec = (long)(r->due_ns % NS_PER_SEC);
	return timerfd_settime(r->timer, TFD_TIMER_ABSTIME, &at, NULL);
}

/* The random delay spans one whole period, so that the next round is equally likely at each point of it, wherever the
 * last round was. */
static uint64_t some_time(struct wall_rounds *r)
{
	return r->every_ns / 2 + next_random(r) % r->every_ns;
}

/* Begin: about hz rounds a second, the first of them soon after now_ns (CLOCK_MONOTONIC).  Returns -1 with errno if there is
 * no timer; wall_rounds_end() closes it in any case. */
static int wall_rounds_begin(struct wall_rounds *r, unsigned int hz, uint64_t now_ns)
{
	*r = (struct wall_rounds){
		.timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC),
		.every_ns = NS_PER_SEC / hz,
		.due_ns = now_ns,
		.random = now_ns | 1,
	};
	r->due_ns += some_time(r);
	return r->timer < 0 ? -1 : set_timer(r);
}

/* Is a round due? */
static bool wall_rounds_due(struct wall_rounds *r)
{
	uint64_t times;

	return read(r->timer, &times, sizeof(times)) == sizeof(times);
}

/* A round has ended, and took this much CPU time.  Set the timer for the next round: half a period to one and a half
 * periods after this one was due.  It may be later, so that rounds take at most a quarter of a CPU, since nothing of
 * ordinary priority interrupts them. */
static void wall_rounds_next(struct wall_rounds *r, uint64_t now_ns, uint64_t took_ns)
{
	uint64_t least_ns = now_ns + REST * took_ns, missed;

	r->due_ns += some_time(r);
	if (r->due_ns < least_ns) {
		missed = (least_ns - r->due_ns) / r->every_ns;
		r->late += missed;
		r->due_ns = least_ns;
	}
	set_timer(r);
}

static void wall_rounds_end(struct wall_rounds *r)
{
	if (r->timer >= 0)
		close(r->timer);
	r->timer = -1;
}

/* ---- the collector ---- */

#define DEFAULT_HZ 20
#define DEFAULT_THREADS 16384

enum { MAX_HZ = 1000 };
enum { CLOSED_MAX = 4096 };
enum { READS_MAX = 200 };         /* user stacks a second: 25 us each */
enum { WALKS_MAX = 8000 };        /* stacks a second: 2 us each */
#define PART_NS (10 * NS_PER_SEC) /* the part of an ongoing state that may be lost if we are killed */
#define KEPT_PART_NS \
	0 /* the same with --keep, which forgets old data, so that each tick writes all ongoing
				   * states */

static struct {
	int64_t hz, max_threads;
	const char *cgroup;
} opt = { .hz = DEFAULT_HZ, .max_threads = DEFAULT_THREADS };

static const struct opt options[] = {
	{ 'F', "freq", "HZ", "looks at each thread a second, at random times [" OPT_TEXT(DEFAULT_HZ) "]",
	  .num = &opt.hz, .min = 1, .max = MAX_HZ },
	{ 0, "cgroup", "GROUP", "threads of this control group or below", .text = &opt.cgroup },
	{ 0, "max-threads", "N", "threads at a time [" OPT_TEXT(DEFAULT_THREADS) "]", .num = &opt.max_threads, .min = 1,
	  .max = 1 << 22 },
	{ 0 }
};

static struct {
	struct wall_run *list; /* [opt.max_threads], by slot */
	struct wall_stacks stacks;
	struct closed {
		struct wall_run run;
		uint64_t until_ns;
	} * closed; /* [closed_count] runs that are over, but whose stacks are not walked yet */
	size_t closed_count, closed_cap;
	struct wall_rounds rounds;
	uint64_t last_ns, previous_ns; /* the last round, and the one before */
	bool looked_at_all;            /* in the last round */
	uint64_t cpu_ns;               /* what the rounds took, our CPU time */
	uint64_t spread;               /* the most threads in a round */
	struct wall_counts last_tick;  /* counts of the last second */
	bool is_urgent;                /* has real-time priority */
} runs = { .rounds.timer = -1 };

static struct span_program *const program = &wall_program;

/* ---- spans ------------------------------------------------------------------------------ */

/* The chain without its user part. */
static void wall_build_chain(const struct wall_run *run)
{
	struct chain_builder *c = &program->chain;

	c->count = 0;
	chain_builder_add_kernel(c, run->stack, run->count);
	chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_STATE, run->state));
	if (run->by)
		chain_builder_add_one(c, RECORDING_LABEL(RECORDING_LABEL_BY, run->by));
}

/* The count of a span is the number of rounds, actual or estimated from their rate. */
static void wall_add_part(const struct wall_run *run, uint64_t until_ns)
{
	uint64_t ns = until_ns - run->begin_ns;

	if (!run->tid || until_ns <= run->begin_ns)
		return;
	if (!run->whole)
		wall_build_chain(run);
	span_walk_add(&program->walk, program->event,
		      &(struct span){ .pid = (int)run->pid,
				      .tid = (int)run->tid,
				      .cpu = run->cpu,
				      .ns = ns,
				      .count = (ns * (uint64_t)opt.hz + NS_PER_SEC / 2) / NS_PER_SEC ?: 1,
				      .longest_ns = ns,
				      .begin_ns = run->begin_ns,
				      .flags = run->whole ? RECORDING_WALKED : 0,
				      .chain = run->whole ? run->whole : program->chain.list,
				      .chain_count = run->whole ? run->whole_count : program->chain.count },
		      NULL);
}

/* A run has ended while its stack is being walked, so its time is recorded after the walk. */
static void keep_closed(const struct wall_run *run, uint64_t until_ns)
{
	runs.closed = xgrow(runs.closed, &runs.closed_cap, runs.closed_count + 1, sizeof(*runs.closed));
	runs.closed[runs.closed_count++] = (struct closed){ *run, until_ns };
}

/* A run is over, or a part of it can be recorded. */
static void wall_tell(struct wall_run *run, uint64_t until_ns)
{
	if (run->is_walked && !run->whole)
		keep_closed(run, until_ns);
	else
		wall_add_part(run, until_ns);
	run->begin_ns = until_ns;
}

/* Have the user stack of a blocked thread walked.  wall_see() gets the whole chain, and identifies the run by slot,
 * thread and time. */
static void wall_walk(const struct wall_run *run, uint32_t slot, const struct str *copy)
{
	wall_build_chain(run);
	runs.list[slot].is_walked = span_walk_add(&program->walk, program->event,
						  &(struct span){ .pid = (int)run->pid,
								  .tid = (int)run->tid,
								  .cpu = slot,
								  .time_ns = runs.last_ns,
								  .begin_ns = run->since_ns,
								  .flags = RECORDING_SINGLE | SPAN_ONLY_SEEN,
								  .chain = program->chain.list,
								  .chain_count = program->chain.count },
						  copy);
}

static void set_whole(struct wall_run *run, const struct span *s)
{
	free(run->whole);
	run->whole = xmalloc(s->chain_count * sizeof(*run->whole));
	memcpy(run->whole, s->chain, s->chain_count * sizeof(*run->whole));
	run->whole_count = s->chain_count;
}

static bool wall_is_of(const struct span *s, const struct wall_run *run)
{
	return run->tid == (uint32_t)s->tid && run->since_ns == s->begin_ns;
}

static void wall_see(const struct event *e, const struct span *s)
{
	struct wall_run *run = &runs.list[s->cpu];
	size_t kept = 0;

	(void)e;
	if (wall_is_of(s, run))
		set_whole(run, s);
	for (size_t i = 0; i < runs.closed_count; i++) {
		struct closed *c = &runs.closed[i];

		if (!wall_is_of(s, &c->run)) {
			runs.closed[kept++] = *c;
			continue;
		}
		set_whole(&c->run, s);
		wall_add_part(&c->run, c->until_ns);
		free(c->run.whole);
	}
	runs.closed_count = kept;
}

/* The walker has finished all stacks, or has given up some. */
static void tell_closed(void)
{
	for (size_t i = 0; i < runs.closed_count; i++)
		wall_add_part(&runs.closed[i].run, runs.closed[i].until_ns);
	runs.closed_count = 0;
}

static void wall_take(void *context, const void *data, size_t size)
{
	const struct wall_record *r = data;
	size_t stack = offsetof(struct wall_record, stack);
	struct wall_run *run;

	(void)context;
	if (size < stack || r->count > WALL_FRAMES || r->slot >= opt.max_threads ||
	    size < span_record_size(stack, r->count, 0, 0))
		return;
	run = &runs.list[r->slot];
	wall_tell(run, r->begin_ns);
	program->lost_stacks += r->count < 0;
	free(run->whole);
	*run = (struct wall_run){ .since_ns = r->begin_ns, .begin_ns = r->begin_ns };
	run->pid = r->pid;
	run->tid = r->tid;
	run->cpu = r->cpu;
	run->state = r->state;
	run->by = r->state == RECORDING_PREEMPTED ? wall_program_running(r->cpu) : 0;
	run->count = r->count > 0 ? (uint32_t)r->count : 0;
	memcpy(run->stack, r->stack, run->count * sizeof(*run->stack));
	run->has_registers = r->has_registers;
	memcpy(run->registers, r->registers, sizeof(r->registers));
}

static bool wall_has_ended(const struct wall_slot *slot)
{
	return slot->ended || (runs.looked_at_all && slot->seen_ns != runs.last_ns);
}

/* The time until which a thread's activity is known, and can be recorded.  end_ns: the end of the recording, after
 * which no more will be known; 0: it goes on. */
static uint64_t known_until(const struct wall_slot *slot, uint64_t end_ns)
{
	uint64_t until_ns = runs.last_ns;

	if (slot->ended)
		until_ns = slot->seen_ns;
	else if (wall_has_ended(slot))
		until_ns = runs.previous_ns;
	else if (slot->passed_over && !end_ns)
		until_ns = slot->told_ns;
	return end_ns && until_ns > end_ns ? end_ns : until_ns;
}

/* Record what threads have been doing until now, if they have ended, or if least_ns or more of it is not recorded
 * yet. */
static void add_ongoing(uint64_t least_ns, uint64_t end_ns)
{
	size_t count;
	const struct wall_slot *slots = wall_program_slots(&count);

	for (size_t i = 0; i < count; i++) {
		bool ended = wall_has_ended(&slots[i]);
		struct wall_run *run = &runs.list[i];

		if (!slots[i].tid || (!ended && runs.last_ns - run->begin_ns < least_ns))
			continue;
		wall_tell(run, known_until(&slots[i], end_ns));
		if (!ended)
			continue;
		free(run->whole);
		*run = (struct wall_run){ 0 };
		wall_program_forget((uint32_t)i);
	}
}

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

/* Check at once whether the threads whose stacks were read are still in the same place. */
static int check_now(void)
{
	struct wall_stacks *w = &runs.stacks;
	const struct wall_slot *slots;
	uint32_t tids[READS_MAX];
	size_t slot_count;
	int status;

	for (size_t i = 0; i < w->count; i++)
		tids[i] = w->reads[i].tid;
	status = wall_program_check(tids, w->count);
	slots = wall_program_slots(&slot_count);
	for (size_t i = 0; i < w->count; i++) {
		if (status || slots[w->reads[i].slot].same_ns != runs.last_ns)
			w->reads[i].tid = 0;
	}
	wall_stacks_check(w, runs.list, wall_walk);
	return status;
}

static int wall_read_stacks(void)
{
	uint64_t hz = (uint64_t)opt.hz;
	bool at_once = wall_program_can_check();
	size_t count;

	if (!program->walk.is_on || !program->walk.c->walker) /* at the first look, nothing can be walked yet */
		return 0;
	wall_program_slots(&count);
	wall_stacks_read(&runs.stacks, runs.list, count, runs.last_ns, at_once ? 0 : NS_PER_SEC / hz,
			 (size_t)((READS_MAX + hz - 1) / hz));
	return at_once ? check_now() : 0;
}

static int wall_look_once(uint64_t now_ns, bool all)
{
	uint64_t before_ns = cpu_ns();
	int status = wall_program_round(now_ns, all, &runs.looked_at_all);

	wall_program_slots(&runs.spread);
	runs.previous_ns = runs.last_ns;
	runs.last_ns = now_ns;
	wall_stacks_check(&runs.stacks, runs.list, wall_walk);
	if (wall_read_stacks())
		status = -1;
	runs.cpu_ns += cpu_ns() - before_ns;
	return status;
}

/* ---- the source ------------------------------------------------------------------------- */

static int wall_prepare(struct collection *c)
{
	program->take = wall_take;
	span_program_add_event(program, c, NULL);
	program->walk.see = wall_see;
	runs.list = xcalloc((size_t)opt.max_threads, sizeof(*runs.list));
	return wall_program_load(c, (uint32_t)opt.max_threads, opt.cgroup);
}

static int look_first(struct collection *c)
{
	uint64_t now_ns = monotonic_ns();

	if (wall_rounds_begin(&runs.rounds, (unsigned int)opt.hz, now_ns))
		return error("timer: %s", strerror(errno));
	session_add_data(&c->session, runs.rounds.timer);
	/* A round must not wait for a CPU: otherwise it would always find threads running that were just switched
	 * in. */
	runs.is_urgent = !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &(struct sched_param){ 1 });
	program->walk.sums.begin_ns = program->walk.unwalked.begin_ns = now_ns;
	program->object.control->begin_ns = now_ns;
	return wall_look_once(now_ns, true);
}

static int wall_drain(struct collection *c)
{
	uint64_t before_ns = runs.cpu_ns;
	int status;

	(void)c;
	span_walk_hand_over(&program->walk);
	if (!wall_rounds_due(&runs.rounds))
		return 0;
	status = wall_look_once(monotonic_ns(), false);
	wall_rounds_next(&runs.rounds, monotonic_ns(), runs.cpu_ns - before_ns);
	return status;
}

/* Threads that are switched often cost a stack in each round, so look at only some of them. */
static void limit_walks(void)
{
	struct wall_counts now = wall_program_counts();
	uint64_t wanted = now.walks - runs.last_tick.walks + now.passed_over - runs.last_tick.passed_over;

	wall_program_set_stride((uint32_t)(wanted / WALKS_MAX) + 1);
	runs.last_tick = now;
}

static int wall_tick(struct collection *c)
{
	int status = wall_look_once(monotonic_ns(), true);

	limit_walks();
	add_ongoing(c->flight.keep_ns ? KEPT_PART_NS : PART_NS, 0);
	if (runs.closed_count > CLOSED_MAX)
		tell_closed();
	return span_program_write(program, runs.last_ns) || status ? -1 : 0;
}

/* Write long-lasting states, too, so that the recording that is about to be written has them. */
static int wall_complete(struct collection *c)
{
	int status = span_walk_finish(&program->walk);

	(void)c;
	add_ongoing(0, 0);
	tell_closed();
	return span_program_write(program, runs.last_ns) || status ? -1 : 0;
}

static int wall_stop(struct collection *c, uint64_t end_ns)
{
	int status = wall_look_once(end_ns, true);

	if (runs.is_urgent) /* names are looked up without haste */
		sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){ 0 });
	status |= span_walk_finish(&program->walk);
	add_ongoing(0, end_ns);
	tell_closed();
	return span_program_finish(program, c, end_ns) || status ? -1 : 0;
}

static int wall_verdict(struct collection *c)
{
	struct wall_counts counts = wall_program_counts();

	inform("wall: %" PRIu64 " rounds of %zu threads at most, %" PRIu64
	       " stacks: %s of one CPU, by our own CPU time",
	       counts.rounds, runs.spread, counts.walks, percentage_text(runs.cpu_ns, c->ns).text);
	if (!wall_program_can_check())
		inform("wall: this kernel does not find a thread by its id (Linux 6.2 does): each round visited all "
		       "threads, which costs more, and those that were blocked for less than two rounds (%.0f ms) have "
		       "no user stacks",
		       2000.0 / (double)opt.hz);
	if (!runs.is_urgent)
		inform("wall: no real-time priority (cap_sys_nice): on a busy machine, rounds are late, and threads "
		       "that "
		       "run for long seem to wait for a CPU instead");
	if (runs.rounds.late)
		inform("wall: %" PRIu64 " rounds left out: the one before had not ended, or the machine was too busy; "
		       "their time is in the next ones",
		       runs.rounds.late);
	if (counts.passed_over)
		inform("wall: threads were switched too often for a stack in each round: passed over %" PRIu64
		       " times, whose time is in their next round",
		       counts.passed_over);
	return 0;
}

static void wall_release(void)
{
	wall_rounds_end(&runs.rounds);
	wall_program_free();
	wall_stacks_free(&runs.stacks);
	free(runs.closed);
	for (size_t i = 0; i < runs.spread; i++)
		free(runs.list[i].whole);
	free(runs.list);
}

const struct source wall_source = {
	.name = "wall",
	.about = "what each thread does, running or not, by sampling (BPF)",
	.examples = "  pyrograph collect wall -a -d 10         all threads, 20 times a second\n"
		    "  pyrograph collect cpu,wall -p 8513      with the stacks of what ran\n",
	.options = options,
	.cgroup = &opt.cgroup,
	.looks_at_everybody = true,
	.on_any_cpu = true,
	.life = &span_life,
	.program = &wall_program,
	.obstacle = wall_program_obstacle,
	.prepare = wall_prepare,
	.start = wall_program_start,
	.look = look_first,
	.drain = wall_drain,
	.tick = wall_tick,
	.complete = wall_complete,
	.stop = wall_stop,
	.verdict = wall_verdict,
	.free = wall_release,
};
