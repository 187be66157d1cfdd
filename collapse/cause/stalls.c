#include "collapse/cause/stalls.h"

#include <stdbool.h>
#include <stdlib.h>

#include "collapse/cause/block_wait.h"
#include "core/memory.h"
#include "core/sorted.h"

enum { LEAST_WAIT_NS = 1000000 };

/* A wait, and for whom. */
struct stall_wait {
	uint32_t guilty, thread, stack;
	enum cause_kind did;
	enum wait_kind wait;
	uint64_t from_ns, to_ns;
};

struct stall_waits {
	struct stall_wait *items;
	size_t count, cap;
};

static bool stalls_is_of_others(enum cause_kind did)
{
	return did == CAUSE_RAN || did == CAUSE_SLEPT || did == CAUSE_IO || did == CAUSE_NO_CPU;
}

/* Does a thread in such a wait have work to do?  A wait for another process's output mostly means that it has none. */
static bool is_for_others(enum wait_kind wait)
{
	return wait_is_for_lock(wait) || wait == WAIT_ANOTHER_THREAD || wait == WAIT_IO || wait == WAIT_FAULT ||
	       wait == WAIT_UNKNOWN;
}

static void stalls_add_wait(struct stall_waits *all, const struct history *h, struct cause_frames *f,
			    const struct history_span *b)
{
	enum wait_kind wait = block_wait_kind(h, f, b);
	struct cause c;

	if (b->open || b->end_ns - b->begin_ns < LEAST_WAIT_NS || !is_for_others(wait) || !frames_has_user(f, b->stack))
		return;
	c = cause_follow(h, f, b);
	if (!stalls_is_of_others(c.kind) || c.guilty == b->thread || h->threads[b->thread].recorder ||
	    h->threads[c.guilty].recorder)
		return;
	all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(*all->items));
	all->items[all->count++] =
		(struct stall_wait){ c.guilty, b->thread, c.stack, c.kind, wait, b->begin_ns, b->end_ns };
}

static int by_guilty_and_time(const void *a, const void *b)
{
	const struct stall_wait *x = a, *y = b;

	return ORDER(x->guilty, y->guilty) ?: ORDER(x->from_ns, y->from_ns) ?: ORDER(x->to_ns, y->to_ns) ?:
	       ORDER(x->thread, y->thread);
}

/* ---- when several waited ------------------------------------------------------------- */

struct stretch {
	uint64_t from_ns, to_ns;
};

struct stretches {
	struct stretch *items;
	size_t count, cap;
};

/* Waits of several threads for the same thread, in the order in which they began; scratch has room for as many numbers.
 * Finds the stretches in which two or more of them overlapped. */
static void find_stretches(struct stretches *all, const struct stall_wait *waits, size_t count, uint64_t *scratch)
{
	size_t open = 0, ended = 0;
	uint64_t from_ns = 0;

	all->count = 0;
	for (size_t i = 0; i < count; i++)
		scratch[i] = waits[i].to_ns;
	qsort(scratch, count, sizeof(*scratch), by_u64);
	for (size_t i = 0; ended < count;) {
		if (i < count && waits[i].from_ns < scratch[ended]) {
			if (++open == 2)
				from_ns = waits[i].from_ns;
			i++;
		} else if (open-- == 2) {
			all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(*all->items));
			all->items[all->count++] = (struct stretch){ from_ns, scratch[ended++] };
		} else {
			ended++;
		}
	}
}

static uint64_t stalls_overlap(const struct stall_wait *w, const struct stretch *s)
{
	uint64_t from = w->from_ns > s->from_ns ? w->from_ns : s->from_ns;
	uint64_t to = w->to_ns < s->to_ns ? w->to_ns : s->to_ns;

	return from < to ? to - from : 0;
}

/* The stretch that covers most of the wait; all->count: none does.  A thread that waits for another one to end waits
 * through all stretches. */
static size_t stalls_stretch_of(const struct stretches *all, const struct stall_wait *w)
{
	size_t i = FIRST_NOT(at, all->count, all->items[at].to_ns <= w->from_ns);

	for (; i < all->count && all->items[i].from_ns < w->to_ns; i++) {
		if (stalls_overlap(w, &all->items[i]) * 2 >= w->to_ns - w->from_ns)
			return i;
	}
	return all->count;
}

static void add_to_stall(struct stall *s, const struct stall_wait *w)
{
	uint64_t ns = w->to_ns - w->from_ns;

	if (!s->waits_ns || w->from_ns < s->from_ns)
		s->from_ns = w->from_ns;
	if (w->to_ns > s->to_ns)
		s->to_ns = w->to_ns;
	s->waits_ns += ns;
	if (ns <= s->longest_ns)
		return;
	s->longest_ns = ns;
	s->wait = w->wait;
	s->did = w->did;
	s->stack = w->stack;
}

/* ---- from waits to stalls ------------------------------------------------------------- */

enum { EPISODE_PART = 5 }; /* of the longest wait for a thread */

struct stall_maker {
	struct stalls *all;
	const struct history *h;
	struct cause_frames *f;
	struct stretches stretches;
	uint64_t alone_ns; /* a wait of this length is a stall even if only one thread waits */
	uint64_t *scratch;
	uint32_t *seen, number; /* [thread]: the number of the last stall in which the thread waited */
};

/* Does this kind of wait prove that the thread has work to do?  A wait for a condition does not. */
static bool counts_alone(const struct stall_wait *w)
{
	return wait_is_for_lock(w->wait) || w->wait == WAIT_IO || w->wait == WAIT_FAULT;
}

static void stalls_keep(struct stall_maker *m, const struct stall *s)
{
	m->all->items = xgrow(m->all->items, &m->all->cap, m->all->count + 1, sizeof(*s));
	m->all->items[m->all->count++] = *s;
}

/* A wait for a thread that makes other stalls may be shorter, so that all its episodes are marked. */
static uint64_t least_alone_ns(const struct stall_maker *m, const struct stall_wait *waits, size_t count,
			       bool has_stalls)
{
	uint64_t longest_ns = 0, least_ns;

	for (size_t i = 0; i < count; i++) {
		uint64_t ns = waits[i].to_ns - waits[i].from_ns;

		if (counts_alone(&waits[i]) && ns > longest_ns)
			longest_ns = ns;
	}
	least_ns = longest_ns / EPISODE_PART;
	return (has_stalls || longest_ns >= m->alone_ns) && least_ns < m->alone_ns ? least_ns : m->alone_ns;
}

static void add_alone(struct stall_maker *m, const struct stall_wait *w, uint64_t least_ns)
{
	struct stall s = { .threads = 1, .guilty = w->guilty };

	if (!counts_alone(w) || w->to_ns - w->from_ns < least_ns)
		return;
	add_to_stall(&s, w);
	stalls_keep(m, &s);
}

/* Make stalls of the waits for one thread: a stretch that covers most of the waits of at least two threads is a stall;
 * each other wait counts alone. */
static void add_stalls(struct stall_maker *m, const struct stall_wait *waits, size_t count)
{
	size_t before = m->all->count, *of;
	struct stall *stalls;
	uint64_t least_ns;

	find_stretches(&m->stretches, waits, count, m->scratch);
	stalls = xcalloc(m->stretches.count + 1, sizeof(*stalls));
	of = xcalloc(count + 1, sizeof(*of));
	for (size_t i = 0; i < count; i++) {
		of[i] = stalls_stretch_of(&m->stretches, &waits[i]);
		add_to_stall(&stalls[of[i]], &waits[i]);
	}
	/* Waits of one stretch may not be adjacent in the list.  A thread waits once in a stretch, and hardly ever
	 * twice. */
	for (size_t i = 0; i < count; i++) {
		uint32_t number = m->number + (uint32_t)of[i] + 1;

		stalls[of[i]].threads += m->seen[waits[i].thread] != number;
		m->seen[waits[i].thread] = number;
	}
	m->number += (uint32_t)m->stretches.count + 1;
	for (size_t i = 0; i < m->stretches.count; i++) {
		if (stalls[i].threads < 2)
			continue;
		stalls[i].guilty = waits->guilty;
		stalls_keep(m, &stalls[i]);
	}
	least_ns = least_alone_ns(m, waits, count, m->all->count > before);
	for (size_t i = 0; i < count; i++) {
		if (of[i] == m->stretches.count || stalls[of[i]].threads < 2)
			add_alone(m, &waits[i], least_ns);
	}
	free(stalls);
	free(of);
}

static uint64_t longest_that_counts(const struct stall_waits *w)
{
	uint64_t longest_ns = 0;

	for (size_t i = 0; i < w->count; i++) {
		uint64_t ns = w->items[i].to_ns - w->items[i].from_ns;

		if (counts_alone(&w->items[i]) && ns > longest_ns)
			longest_ns = ns;
	}
	return longest_ns;
}

static void join_waits(struct stalls *all, const struct stall_waits *w, const struct history *h, struct cause_frames *f)
{
	struct stall_maker m = { .all = all,
				 .h = h,
				 .f = f,
				 .alone_ns = longest_that_counts(w) / 2,
				 .scratch = xcalloc(w->count + 1, sizeof(*m.scratch)),
				 .seen = xcalloc(h->count + 1, sizeof(*m.seen)) };

	for (size_t first = 0, end; first < w->count; first = end) {
		for (end = first + 1; end < w->count && w->items[end].guilty == w->items[first].guilty;)
			end++;
		add_stalls(&m, &w->items[first], end - first);
	}
	free(m.scratch);
	free(m.seen);
	free(m.stretches.items);
}

static int by_waits(const void *a, const void *b)
{
	const struct stall *x = a, *y = b;

	return ORDER(y->waits_ns, x->waits_ns) ?: ORDER(x->from_ns, y->from_ns) ?: ORDER(x->guilty, y->guilty);
}

static int by_from(const void *a, const void *b)
{
	const struct stall *x = a, *y = b;

	return ORDER(x->from_ns, y->from_ns) ?: ORDER(x->guilty, y->guilty);
}

void stalls_find(struct stalls *all, const struct history *h, struct cause_frames *f)
{
	struct stall_waits waits = { 0 };

	for (size_t i = 0; i < h->blocks.count; i++)
		stalls_add_wait(&waits, h, f, &h->blocks.items[i]);
	if (waits.count)
		qsort(waits.items, waits.count, sizeof(*waits.items), by_guilty_and_time);
	join_waits(all, &waits, h, f);
	free(waits.items);
	if (all->count > STALLS_MAX) {
		qsort(all->items, all->count, sizeof(*all->items), by_waits);
		all->count = STALLS_MAX;
	}
	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), by_from);
	for (size_t i = 0; i < all->count; i++)
		all->items[i].function = cause_function(h, f, all->items[i].guilty, all->items[i].stack,
							all->items[i].from_ns, all->items[i].to_ns);
}

/* ---- stretches of a finding ------------------------------------------------------------- */

static enum stall_of stalls_of(const struct finding *f)
{
	if (f->kind == FINDING_TURN)
		return STALL_OF_EVENTS;
	return finding_is_for_cpu(f->kind) ? STALL_OF_CPU : STALL_OF_WAITS;
}

/* What the guilty thread did meanwhile; CAUSE_UNKNOWN: the finding has no stalls. */
static enum cause_kind stalls_did(const struct finding *f, struct cause_frames *frames)
{
	static const enum cause_kind did[FINDING_KINDS] = {
		[FINDING_RAN] = CAUSE_RAN,    [FINDING_NO_CPU] = CAUSE_NO_CPU, [FINDING_SLEPT] = CAUSE_SLEPT,
		[FINDING_PAUSE] = CAUSE_RAN,  [FINDING_IO] = CAUSE_IO,         [FINDING_WAITED] = CAUSE_THREAD,
		[FINDING_CHILD] = CAUSE_RAN,  [FINDING_STOLEN] = CAUSE_RAN,    [FINDING_PINNED] = CAUSE_RAN,
		[FINDING_CROWD] = CAUSE_RAN,  [FINDING_TURN] = CAUSE_THREAD,
	};
	enum wait_kind wait = f->wait;

	if (did[f->kind] != CAUSE_THREAD)
		return did[f->kind];
	if (f->kind == FINDING_WAITED)
		wait = f->longest.stack == HISTORY_NONE ? WAIT_UNKNOWN : frames_wait_named(frames, f->longest.stack);
	switch (wait) {
	case WAIT_NETWORK: return CAUSE_OUTSIDE;
	case WAIT_PROCESS: return CAUSE_PROCESS;
	case WAIT_SLEEP: return CAUSE_SLEPT;
	default: return f->kind == FINDING_TURN ? CAUSE_RAN : CAUSE_THREAD;
	}
}

/* For how long the victim waited in that time. */
static uint64_t stalls_waited(const struct history *h, const struct stall *s, uint32_t victim)
{
	const struct history_range *r = &h->threads[victim].blocks;
	uint64_t ns = 0;
	uint32_t by;

	if (s->of == STALL_OF_CPU)
		return history_waited(h, victim, s->from_ns, s->to_ns, &by);
	for (size_t i = r->first; i < r->first + r->count; i++)
		ns += history_overlap(&h->blocks.items[i], s->from_ns, s->to_ns);
	return ns;
}

/* Who waited, of those that the finding names. */
static void stalls_add_victims(struct stall *s, const struct finding *f, const struct history *h)
{
	for (size_t i = 0; i < f->victim_count && i < FINDING_VICTIMS; i++) {
		uint64_t ns = stalls_waited(h, s, f->victims[i].thread);

		if (ns * 2 < s->to_ns - s->from_ns)
			continue;
		s->threads++;
		s->waits_ns += ns;
		s->longest_ns = ns > s->longest_ns ? ns : s->longest_ns;
	}
	if (s->threads)
		return;
	s->threads = 1;
	s->waits_ns = s->longest_ns = s->to_ns - s->from_ns;
}

static bool stalls_has(const struct stalls *all, size_t count, const struct stall *wanted)
{
	for (size_t i = 0; i < count; i++) {
		const struct stall *s = &all->items[i];

		if (s->guilty == wanted->guilty && s->from_ns < wanted->to_ns && wanted->from_ns < s->to_ns)
			return true;
	}
	return false;
}

void stalls_add_finding(struct stalls *all, const struct findings *from, const struct finding *f,
			const struct history *h, struct cause_frames *frames)
{
	const struct finding_stretch *at;
	enum cause_kind did = stalls_did(f, frames);
	size_t count = all->count;
	uint64_t longest_ns = 0;

	if (did == CAUSE_UNKNOWN || !f->stretch_count)
		return;
	at = &from->stretches[f->first_stretch];
	for (size_t i = 0; i < f->stretch_count; i++)
		longest_ns = at[i].to_ns - at[i].from_ns > longest_ns ? at[i].to_ns - at[i].from_ns : longest_ns;
	for (size_t i = 0; i < f->stretch_count && all->count < STALLS_MAX; i++) {
		struct stall s = { .of = stalls_of(f),
				   .from_ns = at[i].from_ns,
				   .to_ns = at[i].to_ns,
				   .guilty = f->guilty,
				   .did = did,
				   .wait = f->wait,
				   .function = f->function };

		if ((s.to_ns - s.from_ns) * EPISODE_PART < longest_ns || stalls_has(all, count, &s))
			continue;
		stalls_add_victims(&s, f, h);
		all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(s));
		all->items[all->count++] = s;
	}
	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), by_from);
}

void stalls_free(struct stalls *all)
{
	if (all)
		free(all->items);
}
