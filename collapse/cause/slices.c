#include "collapse/cause/slices.h"

#include <stdlib.h>

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

static bool slices_goes_on(const struct history *h, struct cause_frames *f, const struct history_span *b,
			   const struct history_span *next)
{
	return b->other == HISTORY_INTERRUPT && b->thread == next->thread && b->end_ns <= next->begin_ns &&
	       next->begin_ns - b->end_ns <= SLICE_PAUSE_NS && slices_is_for_thread(f, b) &&
	       frames_same_user(f, b->stack, next->stack) &&
	       history_ran(h, b->thread, b->end_ns, next->begin_ns) <= SLICE_RAN_NS;
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

/* ---- who held it ------------------------------------------------------------------------ */

enum { SLICES_HOLDERS = 16 };

/* The threads of a process that released locks to waiting threads. */
struct slices_holders {
	uint32_t items[SLICES_HOLDERS];
	size_t count;
};

static bool slices_is_for_lock(struct cause_frames *f, const struct history_span *b)
{
	return wait_is_for_lock(frames_wait_named(f, b->stack));
}

static void slices_add_holder(struct slices_holders *all, uint32_t thread)
{
	size_t i = 0;

	while (i < all->count && all->items[i] != thread)
		i++;
	if (i == all->count && i < SLICES_HOLDERS)
		all->items[all->count++] = thread;
}

/* The thread that ran for most of the wait; HISTORY_INTERRUPT: none did. */
static uint32_t slices_holder(const struct history *h, const struct slices_holders *all, const struct history_span *b)
{
	for (size_t i = 0; i < all->count; i++) {
		if (all->items[i] != b->thread &&
		    history_ran(h, all->items[i], b->begin_ns, b->end_ns) * 2 > history_length(b))
			return all->items[i];
	}
	return HISTORY_INTERRUPT;
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
		b->other = slices_holder(h, &holders[h->threads[b->thread].process], b);
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
	guess_holders(h, f);
}
