#include "collapse/cause/children.h"

#include <stdlib.h>

#include "collapse/cause/critical_path.h"
#include "core/memory.h"

enum {
	CHILDREN_MAX = 2,    /* so many findings */
	LEAST_OF_TIME = 2,   /* a parent that waits for less than one half of the time has other things to do */
	LEAST_COMPUTING = 2, /* ... and children that compute for less than one half of the wait may wait for work */
};

/* The waits of one process for processes of one name. */
struct children_wait {
	uint32_t parent, longest; /* threads */
	uint64_t ns, busy_ns, longest_ns, longest_at_ns;
	size_t count;
};

struct children_waits {
	struct children_wait *items;
	size_t count, cap;
	struct map numbers;
};

/* How long each process ran, or waited for a CPU. */
static uint64_t *children_busy(const struct history *h)
{
	uint64_t *busy = xcalloc(h->count + 1, sizeof(*busy));

	for (uint32_t i = 0; i < h->count; i++)
		busy[h->threads[i].process] += h->threads[i].ran_ns + h->threads[i].ready_ns;
	return busy;
}

/* The living child that computed most. */
static uint32_t children_living(const struct history *h, const uint64_t *busy, uint32_t parent)
{
	uint32_t best = HISTORY_NONE;

	for (uint32_t i = 0; i < h->count; i++) {
		if (h->threads[i].process == i && critical_path_parent(h, i) == parent && !h->threads[i].ended &&
		    (best == HISTORY_NONE || busy[i] > busy[best]))
			best = i;
	}
	return best;
}

/* The process for which a main thread waited; HISTORY_NONE: it is not known, or none. */
static uint32_t children_awaited(const struct finding_maker *m, const uint64_t *busy, const struct history_span *b)
{
	const struct history *h = m->h;
	const struct history_thread *t = &h->threads[b->thread];
	uint32_t child;

	if (b->unasked || t->tid != t->pid || !(m->roles[b->thread] & FINDING_VICTIM) || !critical_path_awaits(m->f, b))
		return HISTORY_NONE;
	if (b->open)
		child = children_living(h, busy, t->process);
	else
		child = b->other < HISTORY_INTERRUPT ? h->threads[b->other].process : HISTORY_NONE;
	/* A child that runs all the time is usual: every shell waits for what it runs. */
	if (child == HISTORY_NONE || critical_path_parent(h, child) != t->process ||
	    !history_passes(h, &h->threads[child]))
		return HISTORY_NONE;
	return m->roles[child] & FINDING_GUILTY ? child : HISTORY_NONE;
}

static void children_note(struct children_waits *all, const struct history *h, const uint64_t *busy,
			  const struct history_span *b, uint32_t child)
{
	uint32_t *number = map_at(&all->numbers, b->thread, h->threads[child].name);
	uint64_t ns = history_length(b);
	struct children_wait *w;

	if (!*number) {
		all->items = xgrow(all->items, &all->cap, all->count + 1, sizeof(*all->items));
		all->items[all->count++] = (struct children_wait){ .parent = b->thread };
		*number = (uint32_t)all->count;
	}
	w = &all->items[*number - 1];
	w->count++;
	w->ns += ns;
	w->busy_ns += busy[child];
	if (ns <= w->longest_ns)
		return;
	w->longest_ns = ns;
	w->longest_at_ns = b->begin_ns;
	w->longest = child;
}

static bool children_are_told(const struct finding_maker *m, const struct children_wait *w)
{
	const struct history *h = m->h;

	for (size_t i = 0; i < m->all->count; i++) {
		const struct finding *f = &m->all->items[i];

		if ((f->kind == FINDING_TREE || f->kind == FINDING_CHILD) &&
		    h->threads[f->guilty].name == h->threads[w->longest].name)
			return true;
	}
	return false;
}

static bool children_matter(const struct finding_maker *m, const struct children_wait *w)
{
	return w->ns * LEAST_OF_TIME >= m->h->last_ns - m->h->first_ns && w->busy_ns * LEAST_COMPUTING >= w->ns &&
	       !children_are_told(m, w);
}

static void children_add_finding(struct finding_maker *m, const struct children_wait *w)
{
	static const struct frames_function none = { UINT32_MAX, UINT32_MAX };
	struct finding n = { .kind = FINDING_CHILD,
			     .wait = WAIT_PROCESS,
			     .guilty = w->longest,
			     .guilty_count = w->count,
			     .parent = HISTORY_NONE,
			     .parent_function = none,
			     .function = finding_maker_function(m, w->longest),
			     .by = HISTORY_NONE,
			     .by_function = none,
			     .site = none,
			     .count = w->count,
			     .episodes = w->count,
			     .total_ns = w->ns,
			     .longest_ns = w->longest_ns,
			     .longest_at_ns = w->longest_at_ns,
			     .victims = { { w->parent, w->ns } },
			     .victim_count = 1,
			     .lived_ns = m->lived_ns[w->parent],
			     .cpu = HISTORY_NONE,
			     .longest = { .guilty = w->longest,
					  .by = HISTORY_NONE,
					  .stack = HISTORY_NONE,
					  .let_go = HISTORY_NONE,
					  .from_ns = w->longest_at_ns,
					  .to_ns = w->longest_at_ns + w->longest_ns },
			     .longest_victim = w->parent,
			     .weight = CHILD_WEIGHT,
			     .score = (double)w->ns / 1e9 * CHILD_WEIGHT };

	m->all->items = xgrow(m->all->items, &m->all->cap, m->all->count + 1, sizeof(n));
	m->all->items[m->all->count++] = n;
}

/* The one whose children computed most; NULL: none matters. */
static const struct children_wait *children_most(const struct finding_maker *m, const struct children_waits *all)
{
	const struct children_wait *best = NULL;

	for (size_t i = 0; i < all->count; i++) {
		if (children_matter(m, &all->items[i]) && (!best || all->items[i].busy_ns > best->busy_ns))
			best = &all->items[i];
	}
	return best;
}

void children_add(struct finding_maker *m)
{
	struct children_waits all = { 0 };
	uint64_t *busy = children_busy(m->h);
	const struct children_wait *w;

	for (size_t i = 0; i < m->h->blocks.count; i++) {
		const struct history_span *b = &m->h->blocks.items[i];
		uint32_t child = children_awaited(m, busy, b);

		if (child != HISTORY_NONE)
			children_note(&all, m->h, busy, b, child);
	}
	for (size_t i = 0; i < CHILDREN_MAX && (w = children_most(m, &all)); i++)
		children_add_finding(m, w);
	free(all.items);
	map_free(&all.numbers);
	free(busy);
}
