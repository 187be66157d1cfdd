#include "collapse/cause/turns.h"

#include <stdlib.h>

#include "core/format/recording.h"
#include "core/memory.h"

/* epoll_wait  ######  ###### #######            ######
 *     runs              ##      #       ############       a turn of 12 #: events during it are handled late
 *
 * A loop that always has events does not wait for them: it runs without a pause, in turns whose ends do not show. */

enum {
	LOOP_WAITS = 10,       /* with fewer waits for events, the thread is not an event loop */
	TURN_GAP_NS = 2000000, /* between spans of one turn */
	TURN_WORK_NS = 25000000,
	LOOP_SHARE = 2, /* one in so many stacks of an event loop shows the loop */
};

/* How often, and for how long, each thread waited for events. */
struct turns_loop {
	uint64_t ns, count, epolls; /* epolls: of the count, those by epoll or io_uring, which only event loops use */
};

static struct turns_loop *turns_find_loops(const struct finding_maker *m)
{
	static const char *const waits[] = { "ep_poll",   "do_epoll_wait",   "do_sys_poll",    "do_poll*",
					     "do_select", "core_sys_select", "io_cqring_wait", NULL };
	static const char *const epolls[] = { "ep_poll", "do_epoll_wait", "io_cqring_wait", NULL };
	struct turns_loop *loops = xcalloc(m->h->count + 1, sizeof(*loops));

	for (size_t i = 0; i < m->h->blocks.count; i++) {
		const struct history_span *b = &m->h->blocks.items[i];

		if (frames_wait_named(m->f, b->stack) != WAIT_WORK || !frames_has(m->f, b->stack, waits))
			continue;
		loops[b->thread].ns += history_length(b);
		loops[b->thread].count++;
		loops[b->thread].epolls += frames_has(m->f, b->stack, epolls);
	}
	return loops;
}

/* Does the stack show an event loop: of libuv, libevent, libev, GLib, Redis, nginx, Netty, asyncio? */
static bool turns_shows_loop(struct cause_frames *f, uint32_t stack)
{
	static const char *const loops[] = { "uv_run",
					     "event_base_loop",
					     "ev_run",
					     "g_main_loop_run",
					     "aeMain",
					     "ngx_process_events_and_timers",
					     "io.netty.channel.*Loop.run",
					     "py::_run_once:*",
					     "asyncio.*._run_once",
					     NULL };

	return frames_has(f, stack, loops);
}

/* Is the thread an event loop, because most of its stacks show one, or because it mostly waits for events? */
static bool turns_is_loop(const struct finding_maker *m, const struct turns_loop *loop, uint32_t thread)
{
	const struct history_range *r = &m->h->threads[thread].samples;
	size_t count = 0;

	if (loop->count >= LOOP_WAITS && loop->ns * 2 + m->h->threads[thread].ready_ns > m->lived_ns[thread])
		return true; /* had it not waited for CPUs, it would have mostly waited for events */
	for (size_t i = r->first; i < r->first + r->count; i++)
		count += turns_shows_loop(m->f, m->h->samples.items[i].stack);
	return r->count && count * LOOP_SHARE >= r->count;
}

/* A turn of work that others interrupted is still a turn; a thread that only waited long for a CPU had little to do. */
static void turns_add_turn(struct finding_maker *m, const struct history_span *turn, const struct cause *did)
{
	struct group_key key = { .kind = FINDING_TURN, .guilty = turn->thread };
	struct cause c = cause_alone(CAUSE_RAN, turn->thread, HISTORY_NONE, turn);

	c.ran_ns = did->ran_ns;
	c.ready_ns = did->ready_ns;
	c.throttled_ns = did->throttled_ns;
	if (history_length(turn) >= NOTICED_NS && (c.ran_ns * 2 > history_length(turn) || c.ran_ns >= TURN_WORK_NS))
		groups_add(&m->groups, &key, turn, &c, 0);
}

/* The outermost function of a stack that was cut; UINT32_MAX: it was not, or has no functions. */
static uint32_t turns_outermost(struct finding_maker *m, uint32_t stack)
{
	return m->f->stacks->items[stack].truncated && frames_count(m->f, stack) ? frames_text(m->f, stack, 0)
										 : UINT32_MAX;
}

/* The block's stack; if it was cut before the functions of the program, that of another block of the thread which goes
 * through the same function and shows them. */
static uint32_t turns_whole_stack(struct finding_maker *m, const struct history_span *b)
{
	const struct history_range *r = &m->h->threads[b->thread].blocks;
	uint32_t outermost = frames_has_program(m->f, b->stack) ? UINT32_MAX : turns_outermost(m, b->stack);

	for (size_t i = r->first; outermost != UINT32_MAX && i < r->first + r->count; i++) {
		uint32_t stack = m->h->blocks.items[i].stack;

		if (frames_has_program(m->f, stack) && frames_contain(m->f, stack, outermost))
			return stack;
	}
	return b->stack;
}

/* A turn in which the loop's thread waits for something else than events: a sleep, a child, an answer. */
static void turns_add_block(struct finding_maker *m, const struct history_span *b)
{
	struct group_key key = { .kind = FINDING_TURN, .guilty = b->thread, .wait = frames_wait_named(m->f, b->stack) };
	struct cause c = cause_alone(CAUSE_SLEPT, b->thread, b->stack, b);

	c.stack = turns_whole_stack(m, b);
	if (!b->open && !b->unasked && history_length(b) >= NOTICED_NS &&
	    (key.wait == WAIT_SLEEP || key.wait == WAIT_PROCESS || key.wait == WAIT_NETWORK))
		groups_add(&m->groups, &key, b, &c, 0);
}

static void turns_add_blocks(struct finding_maker *m, uint32_t thread)
{
	const struct history_range *r = &m->h->threads[thread].blocks;

	for (size_t i = r->first; i < r->first + r->count; i++)
		turns_add_block(m, &m->h->blocks.items[i]);
}

/* Does the span belong to the same turn?  The gap may consist of spans too short to be recorded one by one. */
static bool turns_goes_on(const struct finding_maker *m, const struct history_span *turn, const struct history_span *s)
{
	return turn->end_ns && s->begin_ns <= turn->end_ns + TURN_GAP_NS &&
	       !history_block(m->h, s->thread, turn->end_ns, s->begin_ns);
}

/* A turn consists of consecutive spans in which the thread ran or waited for a CPU. */
static void add_turns_of(struct finding_maker *m, uint32_t thread)
{
	const struct history_range *r = &m->h->threads[thread].states;
	struct history_span turn = { 0 };
	struct cause did = { 0 };

	for (size_t i = r->first; i < r->first + r->count; i++) {
		const struct history_span *s = &m->h->states.items[i];

		if (turns_goes_on(m, &turn, s)) {
			turn.end_ns = s->end_ns > turn.end_ns ? s->end_ns : turn.end_ns;
		} else {
			turns_add_turn(m, &turn, &did);
			turn = *s;
			turn.stack = HISTORY_NONE;
			did = (struct cause){ 0 };
		}
		*(s->state == RECORDING_RUNNING     ? &did.ran_ns
		  : s->state == RECORDING_THROTTLED ? &did.throttled_ns
						    : &did.ready_ns) += history_length(s);
	}
	turns_add_turn(m, &turn, &did);
}

void turns_add(struct finding_maker *m)
{
	struct turns_loop *loops = turns_find_loops(m);

	for (uint32_t i = 0; i < m->h->count; i++) {
		if (m->roles[i] != (FINDING_VICTIM | FINDING_GUILTY))
			continue;
		if (turns_is_loop(m, &loops[i], i))
			add_turns_of(m, i);
		if (loops[i].epolls >= LOOP_WAITS)
			turns_add_blocks(m, i);
	}
	free(loops);
}
