#include "collapse/cause/turns.h"

#include <stdlib.h>

#include "core/format/recording.h"
#include "core/memory.h"

enum {
	LOOP_WAITS = 10,         /* who waited for events less often is no loop */
	LONG_TURN_NS = 50000000, /* people notice a tenth of a second */
	TURN_GAP_NS = 2000000,   /* between spans of one turn */
};

/* How often, and for how long, each thread waited for events. */
struct turns_loop {
	uint64_t ns, count;
};

static struct turns_loop *turns_find_loops(const struct finding_maker *m)
{
	static const char *const waits[] = { "ep_poll",   "do_epoll_wait",   "do_sys_poll",    "do_poll*",
					     "do_select", "core_sys_select", "io_cqring_wait", NULL };
	struct turns_loop *loops = xcalloc(m->h->count + 1, sizeof(*loops));

	for (size_t i = 0; i < m->h->blocks.count; i++) {
		const struct history_span *b = &m->h->blocks.items[i];

		if (frames_wait_named(m->f, b->stack) != WAIT_WORK || !frames_has(m->f, b->stack, waits))
			continue;
		loops[b->thread].ns += history_length(b);
		loops[b->thread].count++;
	}
	return loops;
}

/* ran_ns: of its spans in which the thread ran. */
static void turns_add_turn(struct finding_maker *m, const struct history_span *turn, uint64_t ran_ns)
{
	struct group_key key = { .kind = FINDING_TURN, .guilty = turn->thread };
	struct cause c = { .kind = CAUSE_RAN,
			   .guilty = turn->thread,
			   .by = HISTORY_NONE,
			   .stack = HISTORY_NONE,
			   .let_go = HISTORY_NONE,
			   .from_ns = turn->begin_ns,
			   .to_ns = turn->end_ns };

	if (history_length(turn) >= LONG_TURN_NS && ran_ns * 2 > history_length(turn))
		groups_add(&m->groups, &key, turn, &c, 0);
}

/* Does the span go on with the turn?  What is between may be spans too short to be recorded one by one. */
static bool turns_goes_on(const struct finding_maker *m, const struct history_span *turn, const struct history_span *s)
{
	return turn->end_ns && s->begin_ns <= turn->end_ns + TURN_GAP_NS &&
	       !history_block(m->h, s->thread, turn->end_ns, s->begin_ns);
}

/* A turn is made of spans, in which the thread ran or waited for a CPU, that follow each other. */
static void add_turns_of(struct finding_maker *m, uint32_t thread)
{
	const struct history_range *r = &m->h->threads[thread].states;
	struct history_span turn = { 0 };
	uint64_t ran_ns = 0;

	for (size_t i = r->first; i < r->first + r->count; i++) {
		const struct history_span *s = &m->h->states.items[i];

		if (turns_goes_on(m, &turn, s)) {
			turn.end_ns = s->end_ns > turn.end_ns ? s->end_ns : turn.end_ns;
		} else {
			turns_add_turn(m, &turn, ran_ns);
			turn = *s;
			turn.stack = HISTORY_NONE;
			ran_ns = 0;
		}
		ran_ns += s->state == RECORDING_RUNNING ? history_length(s) : 0;
	}
	turns_add_turn(m, &turn, ran_ns);
}

void turns_add(struct finding_maker *m)
{
	struct turns_loop *loops = turns_find_loops(m);

	for (uint32_t i = 0; i < m->h->count; i++) {
		if (m->roles[i] == (FINDING_VICTIM | FINDING_GUILTY) && loops[i].count >= LOOP_WAITS &&
		    loops[i].ns * 2 > m->lived_ns[i])
			add_turns_of(m, i);
	}
	free(loops);
}
