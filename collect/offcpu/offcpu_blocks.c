#include "collect/offcpu/offcpu_blocks.h"

#include "bpf/offcpu/offcpu.h"
#include "collect/offcpu/offcpu_held.h"
#include "collect/offcpu/offcpu_options.h"
#include "collect/offcpu/offcpu_program.h"
#include "collect/offcpu/offcpu_say.h"
#include "collect/offcpu/offcpu_threads.h"
#include "collect/offcpu/offcpu_untaken.h"

/* With --events=MIN, the cost of a single block (bpf/detail.h), so that there are at most 1024 a second on each CPU. */
#define BLOCK_COST_NS (DETAIL_CREDIT_NS / 1024)

/* Over weeks, there are ever more threads. */
enum { THREADS_MANY = 4096 };

static struct offcpu_options *const opt = &offcpu_options;

static struct {
	struct events *events;
	size_t timeout; /* the index of its event */
	struct offcpu_threads threads;
	uint64_t look_ns; /* when we last looked for blocked threads */
	uint64_t end_ns;  /* end of the recording; 0 while it runs */
	uint64_t blocks, blocked_ns, open, untaken, stood_for;
	struct detail_budget budgets[OFFCPU_CPUS];
	uint64_t over_budget;
} run;

static void offcpu_blocks_add(const struct event *event, const struct span *s, const struct str *copy)
{
	if (!span_walk_add(&offcpu_program.walk, event, s, copy))
		run.threads.lost_stacks++;
}

static void offcpu_blocks_add_waker(const struct offcpu_record *r, struct chain_builder *chain)
{
	struct str copy = { 0 };

	offcpu_copy_take(r, &copy);
	span_walk_add_waker(&offcpu_program.walk, offcpu_program.event,
			    &(struct waker_copy){
				    .pid = r->waker_pid,
				    .tid = r->waker_tid,
				    .cpu = r->cpu,
				    .time_ns = r->until_ns,
				    .bytes = (const uint8_t *)copy.buf,
				    .len = copy.len,
			    },
			    chain, &run.threads.lost_stacks);
	str_free(&copy);
}

/* The part of block r from begin_ns on. */
static void offcpu_blocks_add_single(const struct event *event, const struct offcpu_record *r, uint64_t begin_ns,
				     uint64_t until_ns, uint32_t flags, const uint64_t *chain, size_t count)
{
	struct span span = {
		.pid = (int)r->pid,
		.tid = (int)r->tid,
		.cpu = r->cpu,
		.time_ns = until_ns,
		.ns = until_ns - begin_ns,
		.count = 1,
		.longest_ns = until_ns - r->since_ns,
		.begin_ns = begin_ns,
		.flags = RECORDING_SINGLE | flags,
		.chain = chain,
		.chain_count = count,
	};

	offcpu_blocks_add(event, &span, &run.threads.copy);
}

static void count_block(uint64_t ns)
{
	run.blocks++;
	run.blocked_ns += ns;
}

/* Is the block recorded by itself? */
static bool offcpu_blocks_is_single(const struct offcpu_record *r)
{
	uint64_t ns = r->until_ns - r->since_ns;

	if (!opt->detail.singly || ns < opt->detail.min_ns)
		return false;
	if (!opt->detail.min_ns || detail_pay(&run.budgets[r->cpu % OFFCPU_CPUS], DETAIL_WHOLE, ns, opt->detail.min_ns,
					      BLOCK_COST_NS, r->until_ns))
		return true;
	run.over_budget++;
	return false;
}

/* The blocks for which block r stands, with its stack. */
static void offcpu_blocks_add_others(const struct offcpu_record *r, const uint64_t *chain, size_t count)
{
	run.blocks += r->others.count;
	run.blocked_ns += r->others.ns;
	run.stood_for += r->others.count;
	offcpu_blocks_add(offcpu_program.event,
			  &(struct span){
				  .pid = (int)r->pid,
				  .tid = (int)r->tid,
				  .cpu = UINT32_MAX,
				  .time_ns = r->until_ns,
				  .ns = r->others.ns,
				  .count = r->others.count,
				  .chain = chain,
				  .chain_count = count,
			  },
			  &run.threads.copy);
}

/* Take a completed block. */
static void finish_block(const struct offcpu_record *r, const uint64_t *chain, size_t count)
{
	uint64_t begin_ns = offcpu_untold_ns(offcpu_thread(&run.threads, r->tid), r->since_ns);

	count_block(r->until_ns - r->since_ns);
	if (r->others.count)
		offcpu_blocks_add_others(r, chain, count);
	if (opt->timeout_ns && offcpu_thread(&run.threads, r->tid)->reported_ns == r->since_ns)
		offcpu_say_over(offcpu_thread(&run.threads, r->tid), r->until_ns);
	if (offcpu_blocks_is_single(r))
		offcpu_blocks_add_single(offcpu_program.event, r, r->since_ns, r->until_ns, 0, chain, count);
	else
		offcpu_blocks_add(offcpu_program.event,
				  &(struct span){
					  .pid = (int)r->pid,
					  .tid = (int)r->tid,
					  .cpu = r->cpu,
					  .time_ns = r->until_ns,
					  .ns = r->until_ns > begin_ns ? r->until_ns - begin_ns : 0,
					  .count = 1,
					  .longest_ns = r->until_ns - r->since_ns,
					  .begin_ns = begin_ns,
					  .chain = chain,
					  .chain_count = count,
				  },
				  &run.threads.copy);
}

/* Take a block that is still open when the recording ends; it is reported twice if it ends while we look. */
static void offcpu_blocks_take_open(const struct offcpu_record *r, const uint64_t *chain, size_t count)
{
	struct offcpu_thread *thread = offcpu_thread(&run.threads, r->tid);
	uint64_t begin = offcpu_untold_ns(thread, r->since_ns);
	uint64_t until = r->until_ns && r->until_ns < run.end_ns ? r->until_ns : run.end_ns;

	if (thread->closed_ns == r->since_ns || until <= r->since_ns || until - r->since_ns < opt->min_ns ||
	    until - r->since_ns > opt->max_ns)
		return;
	thread->closed_ns = r->since_ns;
	count_block(until - r->since_ns);
	run.open += until == run.end_ns;
	offcpu_blocks_add_single(offcpu_program.event, r, begin < until ? begin : until, until,
				 until == run.end_ns ? RECORDING_OPEN : 0, chain, count);
}

/* Was the block overdue at the time of the look?  A block requested for an earlier look may have ended before this
 * one. */
static bool is_overdue(const struct offcpu_thread *thread, const struct offcpu_record *r)
{
	return opt->timeout_ns && run.look_ns >= r->since_ns + opt->timeout_ns &&
	       (!r->until_ns || r->until_ns >= run.look_ns) && thread->reported_ns != r->since_ns && !thread->unsaid;
}

/* Take an ongoing block, which may be over by now: we report its state at the time of the look. */
static void take_going(const struct offcpu_record *r, const struct chain_builder *chain)
{
	struct offcpu_thread *thread = offcpu_thread(&run.threads, r->tid);

	thread->held_since_ns = r->since_ns;
	chain_builder_copy(&thread->held, chain);
	str_clear(&thread->held_copy);
	str_add(&thread->held_copy, str_text(&run.threads.copy), run.threads.copy.len);
	if (!is_overdue(thread, r))
		return;
	thread->reported_ns = r->since_ns;
	offcpu_say_note(thread, r);
	offcpu_blocks_add_single(&run.events->list[run.timeout], r, r->since_ns, run.look_ns, RECORDING_OPEN,
				 chain->list, chain->count);
}

/* The whole stack of an overdue block is now known. */
static void say_overdue(const struct event *e, const struct span *s)
{
	if (e != &run.events->list[run.timeout])
		return;
	offcpu_say_overdue(offcpu_thread(&run.threads, (uint32_t)s->tid), s, offcpu_program.walk.c->walker);
}

static void offcpu_blocks_take_part(const struct offcpu_thread *thread, uint32_t pid, uint64_t begin_ns,
				    uint64_t now_ns, uint64_t longest_ns)
{
	offcpu_blocks_add(offcpu_program.event,
			  &(struct span){
				  .pid = (int)pid,
				  .tid = (int)thread->tid,
				  .cpu = UINT32_MAX,
				  .time_ns = now_ns,
				  .ns = now_ns - begin_ns,
				  .longest_ns = longest_ns,
				  .begin_ns = begin_ns,
				  .chain = thread->held.list,
				  .chain_count = thread->held.count,
			  },
			  &thread->held_copy);
}

static void take_held(const struct offcpu_record *r)
{
	struct chain_builder *chain = &run.threads.chain;
	uint64_t user[OFFCPU_FRAMES];

	if (r->user_count > 0)
		offcpu_threads_held(&run.threads, r, r->stack + (r->kernel_count > 0 ? r->kernel_count : 0),
				    (size_t)r->user_count);
	else
		offcpu_threads_held(&run.threads, r, user, offcpu_user_stack(r, user));
	offcpu_complete_copy(r, &run.threads.copy);
	if (run.end_ns)
		offcpu_blocks_take_open(r, chain->list, chain->count);
	else
		take_going(r, chain);
}

static void offcpu_blocks_take_untaken(const struct span *s)
{
	run.blocks += s->count;
	run.blocked_ns += s->ns;
	run.untaken += s->count;
	offcpu_blocks_add(offcpu_program.event, s, NULL);
}

void offcpu_blocks_take(void *context, const void *data, size_t size)
{
	const struct offcpu_record *r = data;
	size_t stack = offsetof(struct offcpu_record, stack);

	(void)context;
	if (size < stack || size < span_record_size(stack, r->kernel_count, r->user_count, r->copied))
		return;
	if (r->kind == OFFCPU_HELD)
		take_held(r);
	else if (r->kind == OFFCPU_ENDED)
		offcpu_untaken_end(&run.threads, r, run.end_ns ?: monotonic_ns(), offcpu_blocks_take_untaken);
	else
		offcpu_threads_take(&run.threads, r);
}

/* ---- from prepare to free ---- */

void offcpu_blocks_prepare(struct collection *c)
{
	run.events = &c->events;
	run.threads.hops = (unsigned)opt->wakers;
	run.threads.finish = finish_block;
	run.threads.add_waker = offcpu_blocks_add_waker;
	span_program_add_event(&offcpu_program, c, &opt->detail);
	if (opt->timeout_ns) {
		run.timeout = spans_add_event(&c->events, RECORDING_TIMEOUT);
		span_walk_choose(&offcpu_program.walk, c, &c->events.list[run.timeout]);
		offcpu_program.walk.see = say_overdue;
	}
}

void offcpu_blocks_loaded(void)
{
	if (opt->wakers)
		trace_frames_read(&run.threads.trace_frames);
}

int offcpu_blocks_tell_parts(void)
{
	uint64_t now = run.look_ns = monotonic_ns();

	if (offcpu_ask_parts(&run.threads, now, opt->min_ns) && offcpu_program_look())
		return -1;
	offcpu_tell_parts(&run.threads, now, opt->min_ns, offcpu_blocks_take_part);
	return 0;
}

void offcpu_blocks_tell_untaken(void)
{
	offcpu_untaken_tell(&run.threads, run.end_ns ?: monotonic_ns(), run.end_ns, offcpu_blocks_take_untaken);
}

int offcpu_blocks_tell_overdue(void)
{
	run.look_ns = monotonic_ns();
	return offcpu_ask_overdue(&run.threads, run.look_ns, opt->timeout_ns) ? offcpu_program_look() : 0;
}

void offcpu_blocks_forget_threads(void)
{
	struct map living = { 0 };
	size_t count;
	volatile struct offcpu_slot *slots = offcpu_program_slots(&count);

	if (run.threads.count < THREADS_MANY + 2 * count)
		return;
	for (size_t i = 0; i < count; i++) {
		uint32_t tid = slots[i].tid;

		if (tid)
			*map_at(&living, tid, 0) = 1;
	}
	offcpu_threads_forget(&run.threads, &living);
	map_free(&living);
}

void offcpu_blocks_end(uint64_t end_ns)
{
	run.end_ns = end_ns;
}

void offcpu_blocks_finish(void)
{
	offcpu_threads_end(&run.threads);
	offcpu_program.lost_stacks += run.threads.lost_stacks;
}

struct offcpu_totals offcpu_blocks_totals(void)
{
	return (struct offcpu_totals){
		.blocks = run.blocks,
		.blocked_ns = run.blocked_ns,
		.open = run.open,
		.over_budget = run.over_budget,
		.untaken = run.untaken,
		.stood_for = run.stood_for,
	};
}

void offcpu_blocks_free(void)
{
	offcpu_threads_free(&run.threads);
}
