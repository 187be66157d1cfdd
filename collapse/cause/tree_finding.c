#include "collapse/cause/tree_finding.h"

#include <stdlib.h>

#include "collapse/cause/critical_path.h"
#include "core/memory.h"

enum {
	MANY = 5,           /* so many such processes make a build; with fewer, one process simply waits for another */
	LEAST_PERCENT = 30, /* of the path */
	LEAST_SHARE = 3,    /* one third of the CPU time */
	ALL_BUT = 20,       /* all but one in so many */
};

/* Every other problem of a build is part of its critical path, and so costs less. */
static const double BUILD_WEIGHT = 0.9;

/* Processes of one name. */
struct tree_share {
	uint32_t longest;
	size_t count;
	uint64_t ns, passed_ns, ran_ns, ready_ns; /* passed: of the processes that began or ended in the recording */
};

/* For each process name, by its number in names - 1. */
static struct tree_share *tree_finding_shares(const struct history *h, const struct critical_path *p, struct map *names)
{
	struct tree_share *shares = xcalloc(h->count + 1, sizeof(*shares));

	for (uint32_t i = 0; i < h->count; i++) {
		const struct history_thread *t = &h->threads[i];
		uint32_t *number = map_at(names, t->name, 0);
		struct tree_share *s;

		if (!*number)
			*number = (uint32_t)names->count;
		s = &shares[*number - 1];
		s->ran_ns += t->ran_ns;
		s->ready_ns += t->ready_ns;
		if (t->process != i || !p->by_process[i] || i == p->root)
			continue;
		if (!s->count++ || p->by_process[i] > p->by_process[s->longest])
			s->longest = i;
		s->ns += p->by_process[i];
		s->passed_ns += history_passes(h, t) ? p->by_process[i] : 0;
	}
	return shares;
}

/* Without any, its count is 0. */
static struct tree_share tree_finding_best(const struct history *h, const struct critical_path *p)
{
	struct map names = { 0 };
	struct tree_share *shares = tree_finding_shares(h, p, &names), best = { 0 };

	for (size_t i = 0; i < names.count; i++) {
		if (shares[i].ns > best.ns)
			best = shares[i];
	}
	free(shares);
	map_free(&names);
	return best;
}

/* The tree's share of all CPU time. */
static double tree_finding_share(const struct history *h, const struct critical_path *p)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < h->count; i++)
		ns += h->threads[i].tid && !h->threads[i].recorder ? h->threads[i].ran_ns : 0;
	return ns ? (double)p->ran_ns / (double)ns : 0;
}

/* Did most of the tree's work happen in processes that began or ended in the recording, and is the tree a good part of
 * what ran? */
static bool tree_finding_is_build(const struct critical_path *p, double share)
{
	return p->passed >= MANY && p->passed_ns * 2 >= p->ran_ns && share * LEAST_SHARE >= 1;
}

/* Did the process compute, or want to, for half of the wait; or is it not known what it did? */
static bool tree_finding_computes(const struct history *h, const struct tree_share *s)
{
	const struct history_thread *t = &h->threads[s->longest];

	return (s->ran_ns + s->ready_ns) * 2 >= s->ns || (!t->states.count && !t->blocks.count);
}

/* What the process waited for, if that took half of its part of the path: an answer of the network, such as a remote compiler's,
 * a device or a lock; WAIT_UNKNOWN: anything else. */
static enum wait_kind tree_finding_wait(const struct finding_maker *m, uint32_t process, uint64_t path_ns)
{
	const struct history_range *r = &m->h->threads[process].blocks;
	uint64_t ns[WAIT_KINDS] = { 0 };

	for (size_t i = r->first; i < r->first + r->count; i++) {
		const struct history_span *b = &m->h->blocks.items[i];

		ns[frames_wait_named(m->f, b->stack)] += history_length(b);
	}
	return ns[WAIT_NETWORK] * 2 >= path_ns ? WAIT_NETWORK
	       : ns[WAIT_IO] * 2 >= path_ns    ? WAIT_IO
	       : ns[WAIT_LOCK] * 2 >= path_ns  ? WAIT_LOCK
					       : WAIT_UNKNOWN;
}

/* Did the main thread of its parent start this process, or does the whole tree pass?  A service whose other threads start
 * processes is not a build. */
static bool tree_finding_is_of_main(const struct history *h, uint32_t root, uint32_t process)
{
	uint32_t parent = h->threads[process].parent;

	return parent == HISTORY_NONE || h->threads[parent].tid == h->threads[parent].pid ||
	       history_passes(h, &h->threads[root]);
}

static bool tree_finding_is_told(const struct finding_maker *m, const struct critical_path *p,
				 const struct tree_share *s, bool build)
{
	if (!s->count || !(m->roles[p->root] & FINDING_VICTIM) || s->ns * 100 < p->ns * LEAST_PERCENT)
		return false;
	if (!build && (s->passed_ns * 2 < s->ns || p->passed >= MANY))
		return false;
	return (tree_finding_computes(m->h, s) ||
		(build && tree_finding_wait(m, s->longest, p->by_process[s->longest]) != WAIT_UNKNOWN)) &&
	       tree_finding_is_of_main(m->h, p->root, s->longest);
}

/* How much time of these processes each one accounts for that started them, itself or by others. */
static uint64_t *tree_finding_sum_started(const struct history *h, const struct critical_path *p, uint32_t name)
{
	uint64_t *ns = xcalloc(h->count + 1, sizeof(*ns));

	for (uint32_t i = 0; i < h->count; i++) {
		uint32_t parent = i;

		if (h->threads[i].process != i || !p->by_process[i] || h->threads[i].name != name || i == p->root)
			continue;
		for (size_t k = 0; k < GENERATIONS && (parent = critical_path_parent(h, parent)) != HISTORY_NONE; k++)
			ns[parent] += h->threads[parent].name != name ? p->by_process[i] : 0;
	}
	return ns;
}

/* The child of this process that accounts for nearly all of ns; HISTORY_NONE: there is none. */
static uint32_t tree_finding_child(const struct history *h, uint32_t process, const uint64_t *started, uint64_t ns)
{
	for (uint32_t i = 0; i < h->count; i++) {
		if (started[i] * ALL_BUT >= ns * (ALL_BUT - 1) && i != process && critical_path_parent(h, i) == process)
			return i;
	}
	return HISTORY_NONE;
}

/* The process that started nearly all of these, itself or by others: a script whose subshells do so. */
static uint32_t tree_finding_starter(const struct history *h, const struct critical_path *p, const struct tree_share *s)
{
	uint64_t *started = tree_finding_sum_started(h, p, h->threads[s->longest].name);
	uint32_t starter = p->root, child;

	for (size_t i = 0; i < GENERATIONS; i++) {
		child = tree_finding_child(h, starter, started, s->ns);
		if (child == HISTORY_NONE)
			break;
		starter = child;
	}
	free(started);
	return starter;
}

/* The main thread of a process. */
static uint32_t tree_finding_thread(const struct history *h, uint32_t process)
{
	uint32_t number = map_get(&h->by_tid, (uint32_t)h->threads[process].pid, (uint32_t)h->threads[process].pid);

	return number ? number - 1 : process;
}

/* share: if a build runs beside other work, it does not explain that work, however long the build takes. */
static struct finding tree_finding_make(struct finding_maker *m, const struct critical_path *p, struct tree_share s,
					bool build, double share)
{
	static const struct frames_function none = { UINT32_MAX, UINT32_MAX };
	uint64_t longest_ns = p->by_process[s.longest], at_ns = p->since_ns[s.longest];
	uint32_t starter = tree_finding_starter(m->h, p, &s), victim = p->thread;

	if (longest_ns * 2 >= p->ns) { /* the longest process alone makes up most of the path */
		s.count = 1;
		s.ns = longest_ns;
		starter = critical_path_parent(m->h, s.longest);
	}
	if (!build && starter != HISTORY_NONE && starter != p->root) /* it waits; p->thread only waits for it */
		victim = tree_finding_thread(m->h, starter);
	return (struct finding){ .kind = build ? FINDING_TREE : FINDING_CHILD,
				 .wait = WAIT_PROCESS,
				 .meanwhile = tree_finding_computes(m->h, &s)
						      ? WAIT_UNKNOWN
						      : tree_finding_wait(m, s.longest, longest_ns),
				 .guilty = s.longest,
				 .guilty_count = s.count,
				 .parent = build && s.count > 1 && starter != p->root ? starter : HISTORY_NONE,
				 .parent_function = none,
				 .function = finding_maker_function(m, s.longest),
				 .by = HISTORY_NONE,
				 .by_function = none,
				 .site = none,
				 .count = s.count,
				 .episodes = s.count,
				 .total_ns = s.ns,
				 .longest_ns = longest_ns,
				 .longest_at_ns = at_ns,
				 .victims = { { victim, s.ns } },
				 .victim_count = 1,
				 .lived_ns = p->ns,
				 .cpu = HISTORY_NONE,
				 .longest = { .guilty = s.longest,
					      .by = HISTORY_NONE,
					      .stack = HISTORY_NONE,
					      .let_go = HISTORY_NONE,
					      .from_ns = at_ns,
					      .to_ns = at_ns + longest_ns },
				 .longest_victim = victim,
				 .weight = build ? BUILD_WEIGHT * share : CHILD_WEIGHT,
				 .score = build ? (double)p->ns / 1e9 * share * share
						: (double)s.ns / 1e9 * CHILD_WEIGHT };
}

/* Does a finding of many short processes, which says it better, tell of nearly all of that time? */
static bool tree_finding_is_storm(const struct finding_maker *m, const struct tree_share *s)
{
	for (size_t i = 0; i < m->all->count; i++) {
		const struct finding *f = &m->all->items[i];

		if (s->count && f->kind == FINDING_FORKS && f->forks.elapsed && f->total_ns / 9 * 10 >= s->ns &&
		    f->forks.names[0].name == m->h->threads[s->longest].name)
			return true;
	}
	return false;
}

void tree_finding_add(struct finding_maker *m)
{
	struct critical_path p = { 0 };
	struct tree_share best;
	double share;
	bool build;

	critical_path_find(&p, m->h, m->f);
	storms_add(m, &p);
	if (p.root == HISTORY_NONE)
		return;
	best = tree_finding_best(m->h, &p);
	share = tree_finding_share(m->h, &p);
	build = tree_finding_is_build(&p, share);
	if (!tree_finding_is_storm(m, &best) && tree_finding_is_told(m, &p, &best, build)) {
		m->all->items = xgrow(m->all->items, &m->all->cap, m->all->count + 1, sizeof(*m->all->items));
		m->all->items[m->all->count++] = tree_finding_make(m, &p, best, build, share);
	}
	critical_path_free(&p);
}
