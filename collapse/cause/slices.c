#include "collapse/cause/slices.h"

#include <stdlib.h>

#include "core/format/recording.h"
#include "core/memory.h"

enum {
	SLICE_RAN_NS = 100000,
	SLICE_PAUSE_NS = 20000000
}; /* limits between two slices: how long the thread may have run, and how long it may have had no CPU */

static bool slices_is_for_thread(struct cause_frames *f, const struct history_span *b)
{
	enum wait_kind kind = frames_wait_named(f, b->stack);

	return wait_is_for_lock(kind) || kind == WAIT_ANOTHER_THREAD;
}

static bool slices_is_for_lock(struct cause_frames *f, const struct history_span *b)
{
	return wait_is_for_lock(frames_wait_named(f, b->stack));
}

/* The thread hardly ran until it waited again. */
static bool slices_is_pause(const struct history *h, const struct history_span *b, uint64_t to_ns)
{
	return to_ns - b->end_ns <= SLICE_PAUSE_NS && history_ran(h, b->thread, b->end_ns, to_ns) <= SLICE_RAN_NS;
}

/* A timer ended the wait for the lock, and the thread did not get it: it waits again once it has a CPU, however long that
 * takes.  For how long it ran is an estimate where its spans were summed. */
static bool slices_is_pause_of_lock(const struct history *h, const struct history_span *b, uint64_t to_ns)
{
	uint32_t by;

	return history_ran(h, b->thread, b->end_ns, to_ns) <= HISTORY_LONG_NS &&
	       history_waited(h, b->thread, b->end_ns, to_ns, &by) + SLICE_PAUSE_NS >= to_ns - b->end_ns;
}

static bool slices_goes_on(const struct history *h, struct cause_frames *f, const struct history_span *b,
			   const struct history_span *next)
{
	if (b->other != HISTORY_INTERRUPT || b->thread != next->thread || b->end_ns > next->begin_ns ||
	    !slices_is_for_thread(f, b) || !frames_same_user(f, b->stack, next->stack))
		return false;
	return slices_is_for_lock(f, b) ? slices_is_pause_of_lock(h, b, next->begin_ns)
					: slices_is_pause(h, b, next->begin_ns);
}

/* Join the block at i and the slices that follow it.  Returns how many slices were joined. */
static size_t slices_join_one(struct history_list *l, size_t i, const bool *goes_on)
{
	struct history_span *b = &l->items[i];
	size_t count = 0;

	while (goes_on[i + count]) {
		const struct history_span *next = &l->items[i + ++count];

		b->end_ns = next->end_ns;
		b->other = next->other;
		b->guessed = next->guessed;
		b->stack = next->stack;
		b->open = next->open;
		b->unasked &= next->unasked;
	}
	return count;
}

/* ---- waits for a CPU between slices ------------------------------------------------------ */

/* Had the thread got a CPU then, it would only have gone on to wait for the lock. */
static bool slices_is_between(const struct history *h, struct cause_frames *f, const struct history_span *s)
{
	const struct history_span *b;

	if (s->state == RECORDING_RUNNING || s->state == RECORDING_THROTTLED)
		return false;
	b = history_block(h, s->thread, s->begin_ns, s->end_ns);
	return b && slices_is_for_lock(f, b) && history_overlap(b, s->begin_ns, s->end_ns) == history_length(s);
}

/* What was a part of a wait for a lock is no wait for a CPU. */
static void slices_drop_between(struct history *h, struct cause_frames *f)
{
	struct history_list *l = &h->states;
	size_t kept = 0;

	for (size_t i = 0; i < h->count; i++)
		h->threads[i].states.count = 0;
	for (size_t i = 0; i < l->count; i++) {
		struct history_thread *t = &h->threads[l->items[i].thread];
		uint64_t ns = history_length(&l->items[i]);

		if (slices_is_between(h, f, &l->items[i])) {
			t->ready_ns -= ns < t->ready_ns ? ns : t->ready_ns;
			continue;
		}
		if (!t->states.count++)
			t->states.first = kept;
		l->items[kept++] = l->items[i];
	}
	l->count = kept;
}

/* ---- who held it ------------------------------------------------------------------------ */

enum { SLICES_HOLDERS = 16 };

/* The threads of a process that released locks to waiting threads. */
struct slices_holders {
	uint32_t items[SLICES_HOLDERS];
	size_t count;
};

static void slices_add_holder(struct slices_holders *all, uint32_t thread)
{
	size_t i = 0;

	while (i < all->count && all->items[i] != thread)
		i++;
	if (i == all->count && i < SLICES_HOLDERS)
		all->items[all->count++] = thread;
}

enum { SLICES_RAN_PART = 20 };

/* The thread that ran most, for most of the wait; HISTORY_INTERRUPT: there is none.  A thread with the GIL seldom blocks,
 * but it may get no CPU for a part of that time; one that got hardly any may not have had the GIL. */
static uint32_t slices_holder(const struct history *h, struct cause_frames *f, const struct slices_holders *all,
			      const struct history_span *b)
{
	bool is_gil = frames_wait_named(f, b->stack) == WAIT_GIL;
	uint32_t best = HISTORY_INTERRUPT, by;
	uint64_t most = 0;

	for (size_t i = 0; i < all->count; i++) {
		uint64_t ran = history_ran(h, all->items[i], b->begin_ns, b->end_ns);
		uint64_t ready = is_gil ? history_waited(h, all->items[i], b->begin_ns, b->end_ns, &by) : 0;

		if (all->items[i] == b->thread || ran <= most || (ran + ready) * 2 <= history_length(b) ||
		    ran * SLICES_RAN_PART < history_length(b))
			continue;
		most = ran;
		best = all->items[i];
	}
	return best;
}

/* When a timer ended a wait for a lock, and the thread did not wait again, the thread now has the lock: the previous
 * owner released it without waking anybody.  That owner is probably the thread that ran during the wait, among those
 * that release locks to others. */
static void guess_holders(struct history *h, struct cause_frames *f)
{
	struct slices_holders *holders = xcalloc(h->count + 1, sizeof(*holders)); /* by process */

	for (size_t i = 0; i < h->blocks.count; i++) {
		const struct history_span *b = &h->blocks.items[i];

		if (b->other < HISTORY_INTERRUPT && slices_is_for_lock(f, b))
			slices_add_holder(&holders[h->threads[b->thread].process], b->other);
	}
	for (size_t i = 0; i < h->blocks.count; i++) {
		struct history_span *b = &h->blocks.items[i];

		if (b->other != HISTORY_INTERRUPT || b->open || !slices_is_for_lock(f, b))
			continue;
		b->other = slices_holder(h, f, &holders[h->threads[b->thread].process], b);
		b->guessed = b->other != HISTORY_INTERRUPT;
	}
	free(holders);
}

void slices_join(struct history *h, struct cause_frames *f)
{
	struct history_list *l = &h->blocks;
	bool *goes_on = xcalloc(l->count + 1, sizeof(*goes_on));
	size_t kept = 0;

	for (size_t i = 0; i + 1 < l->count; i++)
		goes_on[i] = slices_goes_on(h, f, &l->items[i], &l->items[i + 1]);
	for (size_t i = 0; i < l->count; i++) {
		struct history_range *r = &h->threads[l->items[i].thread].blocks;
		size_t more = slices_join_one(l, i, goes_on);

		if (i == r->first)
			r->first = kept;
		r->count -= more;
		l->items[kept++] = l->items[i];
		i += more;
	}
	l->count = kept;
	free(goes_on);
	slices_drop_between(h, f);
	guess_holders(h, f);
}
