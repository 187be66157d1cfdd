#include "collapse/cause/findings.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/cause/groups.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/sorted.h"

enum { MIN_WAIT_NS = 1000000 };

struct demand;

struct stack_list {
	uint32_t *items;
	size_t count, cap;
};

struct maker {
	struct findings *all;
	const struct history *h;
	struct cause_frames *f;
	uint8_t *roles;         /* by thread: enum finding_role */
	uint32_t *process;      /* by thread: the first one of its process */
	struct demand *demands; /* by the first thread of a process */
	struct groups groups;
};

static bool is_victim(const struct maker *m, uint32_t thread)
{
	return m->roles[thread] & FINDING_VICTIM;
}

static bool is_guilty(const struct maker *m, uint32_t thread)
{
	return m->roles[thread] & FINDING_GUILTY;
}

static double seconds_of(const struct history *h)
{
	return (double)(h->last_ns - h->first_ns) / 1e9;
}

/* ---- waits for others ---------------------------------------------------------------- */

static int finding_of_cause(enum cause_kind kind)
{
	switch (kind) {
	case CAUSE_RAN: return FINDING_RAN;
	case CAUSE_SLEPT: return FINDING_SLEPT;
	case CAUSE_IO: return FINDING_IO;
	case CAUSE_NO_CPU: return FINDING_NO_CPU;
	default: return -1;
	}
}

/* Who waits for a lock has work to do; who waits for another thread, or process, often has none. */
static double weight_of(enum finding_kind kind, enum wait_kind wait)
{
	static const double weights[FINDING_KINDS] = {
		[FINDING_RAN] = 1,    [FINDING_SLEPT] = 1,  [FINDING_IO] = 1,
		[FINDING_NO_CPU] = 1, [FINDING_STOLEN] = 1, [FINDING_PINNED] = 1,
		[FINDING_CROWD] = 1,  [FINDING_HOT] = 0.3,  [FINDING_WAKER] = 0.9
	};

	if (kind <= FINDING_NO_CPU && kind != FINDING_IO && wait != WAIT_LOCK)
		return 0.05;
	return weights[kind];
}

static void add_block(struct maker *m, const struct history_span *b)
{
	enum wait_kind wait = frames_wait_kind(m->f, b->stack);
	struct cause c;
	struct group_key key;
	int kind;

	if (!is_victim(m, b->thread) || b->end_ns - b->begin_ns < MIN_WAIT_NS || b->open || wait == WAIT_WORK ||
	    !frames_has_user(m->f, b->stack))
		return;
	c = cause_follow(m->h, m->f, b);
	kind = finding_of_cause(c.kind);
	if (kind < 0 || !is_guilty(m, c.guilty) || (kind == FINDING_SLEPT && c.guilty == b->thread))
		return;
	key = (struct group_key){ (enum finding_kind)kind, wait, c.guilty,
				  kind == FINDING_NO_CPU ? c.by : HISTORY_NONE };
	groups_add(&m->groups, &key, b, &c);
}

/* ---- waits for a CPU ----------------------------------------------------------------- */

/* Was there a CPU that did nothing for half of the time? */
static bool some_cpu_was_idle(const struct history *h)
{
	for (size_t cpu = 0; cpu < h->cpu_count; cpu++) {
		if (h->idle_ns[cpu] * 2 > h->last_ns - h->first_ns)
			return true;
	}
	return false;
}

/* What the threads of a process wanted, and got. */
struct demand {
	uint64_t ran_ns, waited_ns;
};

/* By thread: that of its process, whose first thread has it. */
static uint32_t *number_processes(const struct history *h)
{
	uint32_t *first = xcalloc(h->count + 1, sizeof(*first));
	struct map by_pid = { 0 };

	for (uint32_t i = 0; i < h->count; i++) {
		uint32_t *number = map_at(&by_pid, (uint64_t)(uint32_t)h->threads[i].pid, 0);

		if (!*number)
			*number = i + 1;
		first[i] = *number - 1;
	}
	map_free(&by_pid);
	return first;
}

static void sum_demands(struct maker *m)
{
	m->process = number_processes(m->h);
	m->demands = xcalloc(m->h->count + 1, sizeof(*m->demands));
	for (size_t i = 0; i < m->h->states.count; i++) {
		const struct history_span *s = &m->h->states.items[i];
		struct demand *d = &m->demands[m->process[s->thread]];

		*(s->state == RECORDING_RUNNING ? &d->ran_ns : &d->waited_ns) += s->end_ns - s->begin_ns;
	}
}

/* A tenth of what it wanted is a matter for somebody. */
static bool waits_matter(const struct demand *d)
{
	return d->waited_ns * 10 > d->ran_ns + d->waited_ns;
}

static void add_wait(struct maker *m, const struct history_span *s)
{
	const struct history_thread *threads = m->h->threads;
	struct cause c = { .kind = CAUSE_NO_CPU,
			   .guilty = s->other,
			   .by = HISTORY_NONE,
			   .stack = HISTORY_NONE,
			   .from_ns = s->begin_ns,
			   .to_ns = s->end_ns };
	struct group_key key = { FINDING_CROWD, WAIT_UNKNOWN, s->other, HISTORY_NONE };

	if (s->state == RECORDING_RUNNING || s->other == HISTORY_NONE || !is_victim(m, s->thread) ||
	    !is_guilty(m, s->other) || !waits_matter(&m->demands[m->process[s->thread]]))
		return;
	if (threads[s->thread].pid != threads[s->other].pid) {
		key.kind = FINDING_STOLEN;
		key.guilty = m->process[s->other];
	}
	groups_add(&m->groups, &key, s, &c);
}

/* ---- what runs ----------------------------------------------------------------------- */

static struct group_key own_key(enum finding_kind kind, uint32_t thread)
{
	return (struct group_key){ kind, WAIT_UNKNOWN, thread, HISTORY_NONE };
}

/* More than half of a CPU, and more than half of that in one function. */
static void add_hot(struct maker *m, uint32_t thread)
{
	const struct history_thread *t = &m->h->threads[thread];
	uint64_t all_ns = m->h->last_ns - m->h->first_ns;
	struct cause c = { .guilty = thread,
			   .by = HISTORY_NONE,
			   .stack = HISTORY_NONE,
			   .from_ns = m->h->first_ns,
			   .to_ns = m->h->last_ns };
	struct history_span span = {
		m->h->first_ns, m->h->first_ns + t->ran_ns, thread, HISTORY_NONE, HISTORY_NONE, 0, 0, false
	};
	struct group_key key = own_key(FINDING_HOT, thread);

	if (m->roles[thread] != (FINDING_VICTIM | FINDING_GUILTY) || t->ran_ns * 2 < all_ns || !t->samples.count)
		return;
	groups_add(&m->groups, &key, &span, &c);
}

enum { WAKES_PER_SECOND = 2000 };

static void add_wakers(struct maker *m)
{
	uint64_t *wakes = xcalloc(m->h->count + 1, sizeof(*wakes));
	const struct history *h = m->h;

	for (size_t i = 0; i < h->blocks.count; i++) {
		const struct history_span *b = &h->blocks.items[i];

		if (b->other < h->count && is_guilty(m, b->other) && is_victim(m, b->thread))
			wakes[b->other]++;
	}
	for (uint32_t thread = 0; thread < h->count; thread++) {
		struct history_span span = {
			h->first_ns, h->first_ns + h->threads[thread].ran_ns, thread, HISTORY_NONE, HISTORY_NONE, 0, 0,
			false
		};
		struct cause c = { .guilty = thread,
				   .by = HISTORY_NONE,
				   .stack = HISTORY_NONE,
				   .from_ns = h->first_ns,
				   .to_ns = h->last_ns };
		struct group_key key = own_key(FINDING_WAKER, thread);

		if ((double)wakes[thread] < WAKES_PER_SECOND * seconds_of(h))
			continue;
		groups_add(&m->groups, &key, &span, &c);
		groups_last(&m->groups)->count = wakes[thread];
	}
	free(wakes);
}

/* ---- from groups to findings --------------------------------------------------------- */

static int by_ns(const void *a, const void *b)
{
	const struct finding_victim *x = a, *y = b;

	return ORDER(y->ns, x->ns) ?: ORDER(x->thread, y->thread);
}

/* Add the stacks in which the thread ran, in the times when the victims waited for it. */
static void add_stacks(struct maker *m, const struct group *g, uint32_t thread, struct stack_list *l)
{
	const struct history_range *r = &m->h->threads[thread].samples;

	for (size_t i = r->first; i < r->first + r->count; i++) {
		if (!group_covers(g, m->h->samples.items[i].begin_ns))
			continue;
		l->items = xgrow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
		l->items[l->count++] = m->h->samples.items[i].stack;
	}
}

static struct frames_function guilty_function(struct maker *m, const struct group *g)
{
	uint32_t guilty = g->key.kind == FINDING_NO_CPU && g->key.by != HISTORY_NONE ? g->key.by : g->key.guilty;
	struct stack_list l = { 0 };
	struct frames_function function;

	if (g->longest.stack != HISTORY_NONE)
		return frames_function(m->f, g->longest.stack);
	for (uint32_t i = 0; i < m->h->count; i++) {
		if (i == guilty || (g->key.kind == FINDING_STOLEN && m->process[i] == guilty))
			add_stacks(m, g, i, &l);
	}
	function = frames_common(m->f, l.items, l.count);
	free(l.items);
	return function;
}

/* Seconds lost.  A process that wants a CPU all the time is a hog: it misses little. */
static double score_of(const struct maker *m, const struct group *g, enum finding_kind kind)
{
	const struct demand *d = &m->demands[m->process[g->victims[0].thread]];
	bool is_hog = d->ran_ns + d->waited_ns > (m->h->last_ns - m->h->first_ns) / 100 * 98;

	return (double)g->total_ns / 1e9 * weight_of(kind, g->key.wait) * (kind == FINDING_STOLEN && is_hog ? 0.3 : 1);
}

static void add_finding(struct maker *m, struct group *g)
{
	struct finding n = { .kind = g->key.kind,
			     .wait = g->key.wait,
			     .guilty = g->key.guilty,
			     .by = g->key.by,
			     .count = g->count,
			     .total_ns = g->total_ns,
			     .longest_ns = g->longest_ns,
			     .longest_at_ns = g->longest_at_ns,
			     .victim_count = g->victim_count,
			     .longest = g->longest,
			     .longest_victim = g->longest_victim,
			     .site = { UINT32_MAX, UINT32_MAX } };

	group_sort(g);
	n.function = guilty_function(m, g);
	if (g->site_stack != HISTORY_NONE)
		n.site = frames_function(m->f, g->site_stack);
	if (n.kind == FINDING_CROWD && some_cpu_was_idle(m->h))
		n.kind = FINDING_PINNED;
	qsort(g->victims, g->victim_count, sizeof(*g->victims), by_ns);
	for (size_t i = 0; i < g->victim_count && i < FINDING_VICTIMS; i++)
		n.victims[i] = g->victims[i];
	for (size_t i = 1; i < g->victim_count; i++)
		n.others |= m->process[g->victims[i].thread] != m->process[g->victims[0].thread];
	n.score = score_of(m, g, n.kind);
	m->all->items = xgrow(m->all->items, &m->all->cap, m->all->count + 1, sizeof(n));
	m->all->items[m->all->count++] = n;
}

static int by_score(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	return ORDER(y->score, x->score) ?: ORDER(x->guilty, y->guilty);
}

void findings_make(struct findings *all, const struct history *h, struct cause_frames *f, findings_roles *roles,
		   const void *argument)
{
	struct maker m = { .all = all, .h = h, .f = f, .roles = xcalloc(h->count + 1, 1) };

	for (size_t i = 0; i < h->count; i++)
		m.roles[i] = h->threads[i].tid ? (uint8_t)roles(&h->threads[i], argument) : 0;
	sum_demands(&m);
	for (size_t i = 0; i < h->blocks.count; i++)
		add_block(&m, &h->blocks.items[i]);
	for (size_t i = 0; i < h->states.count; i++)
		add_wait(&m, &h->states.items[i]);
	for (uint32_t i = 0; i < h->count; i++)
		add_hot(&m, i);
	add_wakers(&m);
	for (size_t i = 0; i < m.groups.count; i++)
		add_finding(&m, &m.groups.items[i]);
	if (all->count)
		qsort(all->items, all->count, sizeof(*all->items), by_score);
	groups_free(&m.groups);
	free(m.roles);
	free(m.process);
	free(m.demands);
}

void findings_free(struct findings *all)
{
	if (all)
		free(all->items);
}
