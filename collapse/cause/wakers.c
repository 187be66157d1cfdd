#include "collapse/cause/wakers.h"

#include <stdlib.h>

#include "core/memory.h"

enum { WAKES_PER_SECOND = 2000 };

/* ---- how often ----------------------------------------------------------------------- */

/* [count]: how many blocks of each thread are represented by one block whose waker is known; which blocks have a known
 * waker is chance */
static double *wakers_weights(const struct history *h)
{
	double *weights = xcalloc(h->count + 1, sizeof(*weights));

	for (size_t i = 0; i < h->wake_count; i++)
		weights[h->wakes[i].woken] += (double)h->wakes[i].count;
	for (uint32_t thread = 0; thread < h->count; thread++)
		weights[thread] = weights[thread] > 0 ? 1 + (double)h->threads[thread].untaken / weights[thread] : 1;
	return weights;
}

/* A thread of the kernel wakes others because a request of theirs is done. */
static bool wakers_counts(const struct finding_maker *m, uint32_t waker, uint32_t woken)
{
	return waker < m->h->count && !m->h->threads[waker].kernel && m->roles[waker] & FINDING_GUILTY &&
	       m->roles[woken] & FINDING_VICTIM;
}

/* [count]: how often each thread woke others */
static uint64_t *wakers_sum(const struct finding_maker *m)
{
	const struct history *h = m->h;
	double *weights = wakers_weights(h);
	uint64_t *wakes = xcalloc(h->count + 1, sizeof(*wakes));

	for (size_t i = 0; i < h->blocks.count; i++) {
		const struct history_span *b = &h->blocks.items[i];

		if (wakers_counts(m, b->other, b->thread))
			wakes[b->other]++;
	}
	for (size_t i = 0; i < h->wake_count; i++) {
		const struct history_wakes *w = &h->wakes[i];

		if (wakers_counts(m, w->waker, w->woken))
			wakes[w->waker] += (uint64_t)((double)w->count * weights[w->woken] + 0.5);
	}
	free(weights);
	return wakes;
}

/* ---- where --------------------------------------------------------------------------- */

/* The functions in which a thread woke others. */
struct wakers_places {
	struct map numbers; /* function, caller -> number in items + 1 */
	struct wakers_place {
		uint32_t stack;
		uint64_t count;
	} * items;
	size_t count, cap;
};

static void wakers_add_place(struct finding_maker *m, struct wakers_places *p, uint32_t stack, uint64_t count)
{
	struct frames_function function = frames_function(m->f, stack | FRAMES_OF_WAKER);
	uint32_t *number;

	if (function.text == UINT32_MAX)
		return;
	number = map_at(&p->numbers, function.text, function.caller);
	if (!*number) {
		p->items = xgrow(p->items, &p->cap, p->count + 1, sizeof(*p->items));
		p->items[p->count++] = (struct wakers_place){ stack | FRAMES_OF_WAKER, 0 };
		*number = (uint32_t)p->count;
	}
	p->items[*number - 1].count += count;
}

/* A stack in which the thread woke others more often than in those of any other function; HISTORY_NONE: the recording
 * has no stacks of wakers. */
static uint32_t wakers_place_of(struct finding_maker *m, uint32_t thread)
{
	struct wakers_places p = { 0 };
	const struct history *h = m->h;
	uint32_t stack = HISTORY_NONE;
	uint64_t most = 0;

	for (size_t i = 0; i < h->blocks.count; i++) {
		const struct history_span *b = &h->blocks.items[i];

		if (b->other == thread && !b->guessed && wakers_counts(m, thread, b->thread))
			wakers_add_place(m, &p, b->stack, 1);
	}
	for (size_t i = 0; i < h->wake_count; i++) {
		const struct history_wakes *w = &h->wakes[i];

		if (w->waker == thread && wakers_counts(m, thread, w->woken))
			wakers_add_place(m, &p, w->stack, w->count);
	}
	for (size_t i = 0; i < p.count; i++) {
		if (p.items[i].count <= most)
			continue;
		most = p.items[i].count;
		stack = p.items[i].stack;
	}
	map_free(&p.numbers);
	free(p.items);
	return stack;
}

void wakers_add(struct finding_maker *m)
{
	const struct history *h = m->h;
	uint64_t *wakes = wakers_sum(m);
	double seconds = (double)(h->last_ns - h->first_ns) / 1e9;

	for (uint32_t thread = 0; thread < h->count; thread++) {
		struct history_span span = { .begin_ns = h->first_ns,
					     .end_ns = h->first_ns + h->threads[thread].ran_ns,
					     .thread = thread,
					     .other = HISTORY_NONE,
					     .stack = HISTORY_NONE };
		struct group_key key = { .kind = FINDING_WAKER, .guilty = thread };
		struct cause c = { .guilty = thread,
				   .by = HISTORY_NONE,
				   .let_go = HISTORY_NONE,
				   .from_ns = h->first_ns,
				   .to_ns = h->last_ns };

		if ((double)wakes[thread] < WAKES_PER_SECOND * seconds)
			continue;
		c.stack = wakers_place_of(m, thread);
		groups_add(&m->groups, &key, &span, &c, 0);
		groups_last(&m->groups)->count = wakes[thread];
	}
	free(wakes);
}
