/* locks: collect locks: how long threads wait for locks, in which stack, and who had them. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "bpf/locks/locks.h"
#include "collect/locks/lock_threads.h"
#include "collect/locks/locks_program.h"
#include "collect/locks/mutex_owner.h"
#include "collect/locks/owner_watch.h"
#include "collect/recording/chain_builder.h"
#include "collect/spans/held_stack.h"
#include "collect/spans/span_budget.h"
#include "collect/spans/span_walk.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/wallclock.h"

/* ---- the stacks of an owner ---- */

/* Adds stacks of a lock's owner to a chain: those taken while another thread waited, and the one taken when it released
 * the lock. */

/* Where the stacks go. */
struct owner_stacks {
	struct span_walk *walk;
	const struct event *event;
	const struct trace_frames *frames;
	uint64_t *lost; /* stacks that are not whole */
};

static void locks_owner_stack_add_label(struct chain_builder *chain, uint32_t pid, uint32_t tid)
{
	chain_builder_add_one(chain, RECORDING_LABEL(RECORDING_LABEL_WAKER, (uint64_t)pid << 24 | tid));
}

static void add_kernel(const struct owner_stacks *o, const uint64_t *stack, size_t count, struct chain_builder *chain)
{
	size_t skip = trace_frames_count(o->frames, stack, count);

	chain_builder_add_kernel(chain, stack + skip, count - skip);
}

/* Add the label and stack of an owner that was off the CPU. */
static void owner_stack_add_seen(const struct owner_stacks *o, const struct owner_seen *seen,
				 struct chain_builder *chain)
{
	const struct locks_holder *h = &seen->holder;
	struct waker_copy copy = {
		.pid = h->pid,
		.tid = h->tid,
		.cpu = seen->cpu,
		.time_ns = seen->time_ns,
		.bytes = (const uint8_t *)seen->copy.buf,
		.len = seen->copy.len,
	};

	locks_owner_stack_add_label(chain, h->pid, h->tid);
	add_kernel(o, h->kernel, h->kernel_count > 0 ? (size_t)h->kernel_count : 0, chain);
	if (copy.len)
		span_walk_add_waker(o->walk, o->event, &copy, chain, o->lost);
	else
		chain_builder_add_user(chain, seen->followed, seen->count, o->lost);
}

static struct waker_copy locks_owner_stack_copy_of(const struct locks_record *r)
{
	size_t kernel = r->kernel_count > 0 ? (size_t)r->kernel_count : 0;
	size_t user = r->user_count > 0 ? (size_t)r->user_count : 0;

	return (struct waker_copy){
		.pid = r->owner_pid,
		.tid = r->owner_tid,
		.cpu = r->cpu,
		.time_ns = r->until_ns,
		.bytes = (const uint8_t *)(r->stack + kernel + user),
		.len = r->copied,
	};
}

/* Add the label and stack of an owner that ran, a LOCKS_MEANWHILE. */
static void owner_stack_add_sample(const struct owner_stacks *o, const struct locks_record *r,
				   struct chain_builder *chain)
{
	size_t kernel = r->kernel_count > 0 ? (size_t)r->kernel_count : 0;
	size_t user = r->user_count > 0 ? (size_t)r->user_count : 0;
	struct waker_copy copy = locks_owner_stack_copy_of(r);

	*o->lost += r->user_count < 0;
	locks_owner_stack_add_label(chain, r->owner_pid, r->owner_tid);
	add_kernel(o, r->stack, kernel, chain);
	if (copy.len)
		span_walk_add_waker(o->walk, o->event, &copy, chain, o->lost);
	else
		chain_builder_add_user(chain, r->stack + kernel, user, o->lost);
}

/* Add the label and stack of a thread that released the lock, a LOCKS_OWNER.  Adds nothing if that was an interrupt:
 * then the wait timed out, and nobody released the lock. */
static void owner_stack_add_release(const struct owner_stacks *o, const struct locks_record *r,
				    struct chain_builder *chain)
{
	struct waker_copy copy = locks_owner_stack_copy_of(r);
	struct waker_stack stack = {
		.frames = o->frames,
		.pid = r->owner_pid,
		.tid = r->owner_tid,
		.stack = r->stack,
		.kernel_count = r->kernel_count,
		.user_count = r->user_count,
		.cut = o->lost,
	};
	size_t before = chain->count;

	if (chain_builder_add_waker(chain, &stack)) {
		chain->count = before;
		return;
	}
	*o->lost += r->kernel_count < 0 || r->user_count < 0;
	if (copy.len)
		span_walk_add_waker(o->walk, o->event, &copy, chain, o->lost);
}

/* ---- the collector ---- */

#define DEFAULT_THREADS 16384
#define DEFAULT_MIN_NS 100000

enum { THREADS_MANY = 4096 };

/* The owner's stack is taken once a wait has lasted half of --min, and at least this long. */
#define WATCH_LEAST_NS 1000000

static struct {
	uint64_t min_ns;
	const char *cgroup;
	int64_t max_threads;
} opt = { .min_ns = DEFAULT_MIN_NS, .max_threads = DEFAULT_THREADS };

static const struct opt options[] = {
	{ 0, "min", "TIME", "one by one from 1ms, ... on [100us]", .ns = &opt.min_ns },
	{ 0, "cgroup", "GROUP", "threads of this control group or below", .text = &opt.cgroup },
	{ 0, "max-threads", "N", "threads that wait for locks [" OPT_TEXT(DEFAULT_THREADS) "]", .num = &opt.max_threads,
	  .min = 1, .max = 1 << 22 },
	{ 0 }
};

static struct {
	struct str copy; /* the struct user_copy of the wait whose chain is being built; empty: none */
	struct trace_frames trace_frames;
	struct lock_threads threads;
	bool has_kernel;
	uint64_t waits, ns, longest_ns, open;
	uint64_t summed; /* spans that were summed only because of the budget */
	struct span_untaken untaken;
	uint32_t longest_pid, longest_tid;
} run;

static struct span_program *const program = &locks_program;

static size_t locks_kernel_count(const struct locks_record *r)
{
	return r->kernel_count > 0 ? (size_t)r->kernel_count : 0;
}

static size_t user_count(const struct locks_record *r)
{
	return r->user_count > 0 ? (size_t)r->user_count : 0;
}

static const uint8_t *locks_copy_of(const struct locks_record *r)
{
	return (const uint8_t *)(r->stack + locks_kernel_count(r) + user_count(r));
}

/* ---- who let go ---- */

static struct owner_stacks owner_stacks(void)
{
	return (struct owner_stacks){ &program->walk, program->event, &run.trace_frames, &program->lost_stacks };
}

static void take_owner(const struct locks_record *r)
{
	struct lock_thread *thread = lock_thread(&run.threads, r);
	struct owner_stacks o = owner_stacks();

	thread->begun = r->begun;
	thread->owner_pid = r->owner_pid;
	thread->owner_tid = r->owner_tid;
	thread->owner.count = 0;
	owner_stack_add_release(&o, r, &thread->owner);
}

/* ---- what the owner does meanwhile ---- */

/* Start an empty chain, and add to it what the owner does during this wait. */
static struct chain_builder *meanwhile_of(uint32_t pid, uint32_t tid, uint64_t begun)
{
	struct lock_thread *thread = lock_thread(&run.threads, &(struct locks_record){ .pid = pid, .tid = tid });

	thread->seen = begun;
	thread->meanwhile.count = 0;
	return &thread->meanwhile;
}

static void locks_take_sample(const struct locks_record *r)
{
	struct owner_stacks o = owner_stacks();

	owner_stack_add_sample(&o, r, meanwhile_of(r->pid, r->tid, r->begun));
}

static void take_seen(const struct owner_seen *seen)
{
	struct owner_stacks o = owner_stacks();

	owner_stack_add_seen(&o, seen, meanwhile_of(seen->pid, seen->tid, seen->begun));
}

/* ---- the chain of a wait ---- */

static void locks_add_stack(const struct locks_record *r)
{
	size_t kernel = locks_kernel_count(r), skip = trace_frames_count(&run.trace_frames, r->stack, kernel);
	uint64_t followed[LOCKS_FRAMES];

	str_clear(&run.copy);
	if (r->copied)
		str_add(&run.copy, (const char *)locks_copy_of(r), r->copied);
	program->lost_stacks += r->kernel_count < 0 || r->user_count < 0;
	chain_builder_add_kernel(&program->chain, r->stack + skip, kernel - skip);
	if (r->slot != LOCKS_NO_SLOT) {
		size_t count = held_stack_follow((int)r->tid, r->ip, r->bp, followed, LOCKS_FRAMES);

		if (!held_stack_complete((int)r->pid, (int)r->tid, r->sp, &run.copy) || !locks_program_is_held(r)) {
			count = count > 0;
			str_clear(&run.copy);
		}
		chain_builder_add_user(&program->chain, followed, count, &program->lost_stacks);
	} else if (r->copied) {
		chain_builder_add_user(&program->chain, &(uint64_t){ r->ip }, 1, &program->lost_stacks);
	} else {
		chain_builder_add_user(&program->chain, r->stack + kernel, user_count(r), &program->lost_stacks);
	}
}

static void add_owner_label(uint32_t pid, uint32_t tid)
{
	chain_builder_add_one(&program->chain, RECORDING_LABEL(RECORDING_LABEL_OWNER, (uint64_t)pid << 24 | tid));
}

static uint64_t reason_label(uint64_t reason, uint64_t ns)
{
	uint64_t limit = (UINT64_C(1) << RECORDING_REASON_SHIFT) - 1;

	return RECORDING_LABEL(RECORDING_LABEL_REASON, reason << RECORDING_REASON_SHIFT | (ns < limit ? ns : limit));
}

static bool locks_is_single(const struct locks_record *r)
{
	return r->kind == LOCKS_WAIT || r->kind == LOCKS_HELD;
}

/* The owner is the thread that released the lock; if that is unknown (NULL), the thread that the lock itself names. */
static void locks_add_labels(const struct locks_record *r, const struct lock_thread *owner)
{
	uint32_t holder;

	chain_builder_add_one(&program->chain, RECORDING_LABEL(RECORDING_LABEL_LOCK, r->lock));
	if (r->kind == LOCKS_REST)
		chain_builder_add_one(&program->chain,
				      RECORDING_LABEL(RECORDING_LABEL_UNTAKEN,
						      r->is_long ? RECORDING_UNTAKEN_LONG : RECORDING_UNTAKEN_SHORT));
	if (locks_is_single(r) && (r->address & 0xffffffffffff) >= RECORDING_LOCK_ADDRESS)
		chain_builder_add_one(&program->chain,
				      RECORDING_LABEL(RECORDING_LABEL_LOCK, r->address & 0xffffffffffff));
	if (owner)
		add_owner_label(owner->owner_pid, owner->owner_tid);
	else if (r->owner_tid)
		add_owner_label(r->owner_pid, r->owner_tid);
	else if (r->slot != LOCKS_NO_SLOT && r->lock == RECORDING_LOCK_FUTEX &&
		 (holder = mutex_owner_read(r->pid, r->address)) != 0)
		add_owner_label(r->pid, holder);
}

/* ---- samples ---- */

static void locks_add_span(const struct locks_record *r, uint64_t ns, uint64_t count)
{
	bool goes_on = r->kind == LOCKS_HELD;
	struct span span = {
		.pid = (int)r->pid,
		.tid = (int)r->tid,
		.cpu = r->cpu,
		.time_ns = r->until_ns,
		.ns = ns,
		.count = count,
		.longest_ns = count ? r->longest_ns : 0,
		.begin_ns = r->since_ns,
		.flags = (locks_is_single(r) ? RECORDING_SINGLE : 0) | (goes_on ? RECORDING_OPEN : 0),
		.chain = program->chain.list,
		.chain_count = program->chain.count,
	};

	program->lost_stacks += !span_walk_add(&program->walk, program->event, &span, &run.copy);
}

/* The chain is complete except for the reason and the thread that released the lock.  A sum is divided by reason, so
 * that the values of its parts can be added up again. */
static void locks_add_part(const struct locks_record *r, const struct lock_thread *owner, uint64_t reason, uint64_t ns,
			   uint64_t count)
{
	size_t before = program->chain.count;

	chain_builder_add_one(&program->chain, reason_label(reason, 0));
	if (owner)
		chain_builder_add(&program->chain, owner->owner.list, owner->owner.count);
	locks_add_span(r, ns, count);
	program->chain.count = before;
}

static void add_meanwhile(const struct locks_record *r)
{
	const struct lock_thread *thread = lock_thread(&run.threads, r);

	if (!thread->meanwhile.count || thread->seen != r->begun)
		return;
	chain_builder_add_one(&program->chain, RECORDING_LABEL(RECORDING_LABEL_MEANWHILE, 1));
	chain_builder_add(&program->chain, thread->meanwhile.list, thread->meanwhile.count);
}

static void locks_add_single(const struct locks_record *r, const struct lock_thread *owner, uint64_t reason,
			     uint64_t runnable)
{
	if (runnable)
		chain_builder_add_one(&program->chain, reason_label(RECORDING_REASON_RUNNABLE, runnable));
	if (r->ns > runnable)
		chain_builder_add_one(&program->chain, reason_label(reason, r->ns - runnable));
	add_meanwhile(r);
	if (owner)
		chain_builder_add(&program->chain, owner->owner.list, owner->owner.count);
	locks_add_span(r, r->ns, 1);
}

static void locks_add_sum(const struct locks_record *r, const struct lock_thread *owner, uint64_t reason,
			  uint64_t runnable)
{
	if (runnable)
		locks_add_part(r, owner, RECORDING_REASON_RUNNABLE, runnable, 0);
	locks_add_part(r, owner, reason, r->ns - runnable, r->count);
}

/* The waits for which wait r stands, with its stack. */
static void locks_add_others(const struct locks_record *r, const struct lock_thread *owner)
{
	const struct locks_sum *s = &r->others;
	struct locks_record sum = {
		.kind = LOCKS_SUM, .cpu = UINT32_MAX, .pid = r->pid, .tid = r->tid, .lock = s->lock
	};
	uint64_t runnable = s->runnable_ns < s->ns ? s->runnable_ns : s->ns;

	sum.slot = LOCKS_NO_SLOT;
	sum.since_ns = s->begin_ns;
	sum.until_ns = r->until_ns;
	sum.count = s->count;
	sum.ns = s->ns;
	sum.longest_ns = s->longest_ns;
	program->chain.count = 0;
	locks_add_stack(r);
	locks_add_labels(&sum, owner);
	locks_add_sum(&sum, owner, s->slept ? RECORDING_REASON_OTHER : RECORDING_REASON_CPU, runnable);
}

static void locks_add(const struct locks_record *r, const struct lock_thread *owner)
{
	uint64_t reason = r->slept ? RECORDING_REASON_OTHER : RECORDING_REASON_CPU;
	uint64_t runnable = r->runnable_ns < r->ns ? r->runnable_ns : r->ns;

	program->chain.count = 0;
	locks_add_stack(r);
	locks_add_labels(r, owner);
	if (locks_is_single(r))
		locks_add_single(r, owner, reason, runnable);
	else
		locks_add_sum(r, owner, reason, runnable);
	if (r->others.count)
		locks_add_others(r, owner);
}

static void locks_count(const struct locks_record *r)
{
	run.waits += r->count + r->others.count;
	run.ns += r->ns + (r->others.count ? r->others.ns : 0);
	run.summed += r->others.count + (r->is_long ? r->count : 0);
	run.untaken.other += r->others.count;
	run.untaken.none += r->kind == LOCKS_REST && program->object.rules->earn ? r->count : 0;
	run.open += r->kind == LOCKS_HELD;
	if (r->longest_ns <= run.longest_ns)
		return;
	run.longest_ns = r->longest_ns;
	run.longest_pid = r->pid;
	run.longest_tid = r->tid;
}

/* Report the parts of a wait that were kept back, now that the thread that released the lock is known or (NULL) never
 * will be. */
static void locks_add_parts(struct lock_thread *thread, const struct lock_thread *owner)
{
	for (size_t i = 0; i < thread->part_count; i++)
		locks_add((const struct locks_record *)(const void *)thread->parts[i].buf, owner);
	thread->part_count = 0;
}

/* If a wait times out and is repeated, the thread that releases the lock in the end had it all the time. */
static void locks_take_wait(const struct locks_record *r, size_t size)
{
	struct lock_thread *thread = lock_thread(&run.threads, r);
	const struct lock_thread *owner = r->begun && thread->begun == r->begun && thread->owner.count ? thread : NULL;

	if (!lock_thread_goes_on(thread, r))
		locks_add_parts(thread, NULL);
	if (!owner && lock_thread_keep_part(thread, r, size))
		return;
	locks_add_parts(thread, owner);
	locks_add(r, owner);
}

static void locks_take_record(const struct locks_record *r, size_t size)
{
	if (r->kind == LOCKS_OWNER) {
		take_owner(r);
		return;
	}
	if (r->kind == LOCKS_MEANWHILE) {
		locks_take_sample(r);
		return;
	}
	owner_watch_take(r->tid, r->begun, take_seen);
	if (r->kind == LOCKS_REST)
		r = lock_threads_complete(&run.threads, r);
	else if (r->kind == LOCKS_SUM)
		lock_threads_keep(&run.threads, r, size);
	locks_count(r);
	locks_take_wait(r, size);
}

static void locks_take(void *context, const void *data, size_t size)
{
	const struct locks_record *r = data;
	size_t stack = offsetof(struct locks_record, stack), needed;

	(void)context;
	if (size < stack)
		return;
	needed = span_record_size(stack, r->kernel_count, r->user_count, r->copied);
	if (size >= needed)
		locks_take_record(r, needed);
}

/* Stop expecting that waits that ended before until_ns are continued. */
static void add_old_parts(uint64_t until_ns)
{
	for (size_t i = 0; i < run.threads.count; i++) {
		struct lock_thread *thread = &run.threads.list[i];

		if (thread->part_count && thread->parts_end_ns < until_ns)
			locks_add_parts(thread, NULL);
	}
}

/* Over weeks, there are ever more threads. */
static void forget_threads(void)
{
	struct map living = { 0 };

	if (run.threads.count < THREADS_MANY + 2 * locks_program_slots())
		return;
	locks_program_living(&living);
	lock_threads_forget(&run.threads, &living);
	map_free(&living);
}

/* ---- the source ---- */

static int locks_prepare(struct collection *c)
{
	const struct locks_rules rules = {
		.min_ns = opt.min_ns,
		.watch_ns = opt.min_ns / 2 > WATCH_LEAST_NS ? opt.min_ns / 2 : WATCH_LEAST_NS,
		.max_threads = (uint32_t)opt.max_threads,
		.cgroup = opt.cgroup,
	};

	program->take = locks_take;
	span_program_add_event(program, c, &(struct detail){ true, opt.min_ns });
	if (locks_program_load(c, &rules, &run.has_kernel))
		return -1;
	trace_frames_read(&run.trace_frames);
	return 0;
}

static int locks_start(struct collection *c)
{
	if (!run.has_kernel)
		detail("locks: this kernel does not report waits for its own locks (no tracepoint "
		       "lock:contention_begin), so the recording has none of them");
	return locks_program_start(c) || owner_watch_start(program->walk.is_on) ? -1 : 0;
}

/* Waits count from the start on. */
static int locks_look_once(struct collection *c)
{
	program->walk.sums.begin_ns = program->walk.unwalked.begin_ns = c->start_ns;
	return locks_program_look(false) || locks_program_see_compat() ? -1 : 0;
}

static int locks_tick(struct collection *c)
{
	(void)c;
	span_program_take(program);
	add_old_parts(monotonic_ns() - NS_PER_SEC);
	forget_threads();
	return span_program_write(program, monotonic_ns());
}

static int locks_stop(struct collection *c, uint64_t end_ns)
{
	int status;

	span_program_take(program);
	status = locks_program_look(true);
	owner_watch_stop();
	locks_program_halt();
	add_old_parts(UINT64_MAX);
	c->recording.tally.losses[LOSS_summed_spans] += run.summed;
	losses_raise(c->recording.tally.losses, LOSS_open_spans, run.open);
	return span_program_finish(program, c, end_ns) || status ? -1 : 0;
}

static int locks_verdict(struct collection *c)
{
	struct str longest = { 0 };

	span_walk_add_longest(&longest, run.longest_ns, run.longest_pid, run.longest_tid);
	detail("locks: %" PRIu64 " %s, %s in all (%" PRIu64 " not over at the end)%s; %s of kernel memory for BPF maps",
	       run.waits, run.waits == 1 ? "wait" : "waits", duration_text(run.ns).text, run.open, str_text(&longest),
	       span_program_memory(program).text);
	str_free(&longest);
	span_budget_say(program, c, run.untaken);
	span_program_say_uncopied(program);
	return 0;
}

static void locks_release(void)
{
	owner_watch_free();
	locks_program_free();
	str_free(&run.copy);
	trace_frames_free(&run.trace_frames);
	lock_threads_free(&run.threads);
}

static const struct source_price locks_prices[] = { { "syscalls:sys_enter_futex", 400, 0 },
						    { "sched:sched_waking", 75, 0 },
						    { 0 } };

const struct source locks_source = {
	.name = "locks",
	.prices = locks_prices,
	.about = "waits for locks: how long, in which stack, and who had them (BPF)",
	.examples = "  pyrograph collect locks -p 8513 --min 1ms -d 60   those of 1 ms one by one\n"
		    "  pyrograph collect locks -- make                   all of a command\n",
	.options = options,
	.single_ns = &opt.min_ns,
	.cgroup = &opt.cgroup,
	.looks_at_everybody = true,
	.has_account = true,
	.on_any_cpu = true,
	.life = &span_life,
	.program = &locks_program,
	.prepare = locks_prepare,
	.start = locks_start,
	.look = locks_look_once,
	.tick = locks_tick,
	.stop = locks_stop,
	.verdict = locks_verdict,
	.free = locks_release,
};
