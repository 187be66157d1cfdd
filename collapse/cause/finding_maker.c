#include "collapse/cause/finding_maker.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/cause/critical_path.h"
#include "core/hash.h"
#include "core/hash_table.h"
#include "core/memory.h"
#include "core/sorted.h"

/* ---- functions ----------------------------------------------------------------------- */

struct stack_list {
	uint32_t *items;
	size_t count, cap;
};

static const struct frames_function no_function = { UINT32_MAX, UINT32_MAX };

/* Add the stacks in which the thread ran during the victims' waits; g NULL: at any time. */
static void finding_maker_add_stacks(const struct finding_maker *m, const struct group *g, uint32_t thread,
				     struct stack_list *l)
{
	const struct history_range *r = &m->h->threads[thread].samples;

	for (size_t i = r->first; i < r->first + r->count; i++) {
		if (g && !group_covers(g, m->h->samples.items[i].begin_ns))
			continue;
		l->items = xgrow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
		l->items[l->count++] = m->h->samples.items[i].stack;
	}
}

/* The function in which the thread ran during the waits of g (NULL: at any time). */
static struct frames_function finding_maker_function_of(struct finding_maker *m, const struct group *g, uint32_t thread)
{
	struct stack_list l = { 0 };
	struct frames_function function = no_function;

	finding_maker_add_stacks(m, g, thread, &l);
	if (l.count)
		function = frames_common(m->f, l.items, l.count);
	free(l.items);
	return function;
}

struct frames_function finding_maker_function(struct finding_maker *m, uint32_t thread)
{
	return finding_maker_function_of(m, NULL, thread);
}

enum { SAMPLE_NS = 10000000 };

/* The function in which a JVM's worker threads did the work that the JVM's own thread had given them.  That thread
 * waits for them in blocks, which weigh as much as samples. */
static void add_own_blocks(const struct finding_maker *m, const struct group *g, struct stack_list *l)
{
	const struct history_range *r = &m->h->threads[g->key.guilty].blocks;

	for (size_t i = r->first; i < r->first + r->count; i++) {
		const struct history_span *b = &m->h->blocks.items[i];

		if (frames_wait_kind(m->f, b->stack) == WAIT_WORK || !group_covers(g, b->begin_ns))
			continue;
		for (uint64_t ns = SAMPLE_NS; ns <= history_length(b) && ns <= SAMPLE_NS * 100; ns += SAMPLE_NS) {
			l->items = xgrow(l->items, &l->cap, l->count + 1, sizeof(*l->items));
			l->items[l->count++] = b->stack;
		}
	}
}

/* Is it where the JVM's thread waits for its workers? */
static bool finding_maker_is_waiting(const struct finding_maker *m, uint32_t text)
{
	static const char *const ways[] = { "WorkGang::", "WorkerThreads::", "WorkerTaskDispatcher::",
					    "PosixSemaphore::" };
	const char *name = intern_text(&m->f->names->texts, text);

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (!strncmp(name, ways[i], strlen(ways[i])))
			return true;
	}
	return !strstr(name, "::");
}

static struct frames_function pause_function(struct finding_maker *m, const struct group *g)
{
	struct stack_list l = { 0 };
	struct frames_function function = no_function;

	finding_maker_add_stacks(m, g, g->key.guilty, &l);
	add_own_blocks(m, g, &l);
	if (l.count)
		function = frames_common(m->f, l.items, l.count);
	for (size_t i = 0; i < l.count; i++) {
		uint32_t operation = frames_jvm_operation(m->f, l.items[i]);

		if (operation != UINT32_MAX && operation != function.text)
			function.caller = operation;
	}
	if (function.caller != UINT32_MAX && finding_maker_is_waiting(m, function.text))
		function = (struct frames_function){ function.caller, UINT32_MAX };
	free(l.items);
	return function;
}

/* The function of the guilty thread.  If the thread has no samples at the time of the waits: the function in which it
 * woke the victims, or the thread between them; or else what it ran at other times. */
static struct frames_function guilty_function(struct finding_maker *m, const struct group *g)
{
	struct frames_function function;

	if (g->key.kind == FINDING_STOLEN || g->key.kind == FINDING_GAVE_WAY || g->key.kind == FINDING_THROTTLED)
		return no_function; /* add_thieves(), add_user() */
	if (g->key.kind == FINDING_PAUSE)
		return pause_function(m, g);
	if (g->longest.stack != HISTORY_NONE)
		return frames_function(m->f, g->longest.stack);
	if (g->key.kind == FINDING_WAKER)
		return no_function; /* where it ran is not where it woke others */
	function = finding_maker_function_of(m, g, g->key.guilty);
	if (function.text == UINT32_MAX && g->longest.let_go != HISTORY_NONE)
		function = frames_function(m->f, g->longest.let_go | FRAMES_OF_WAKER);
	if (function.text == UINT32_MAX)
		function = finding_maker_function_of(m, NULL, g->key.guilty);
	return function;
}

/* ---- the same, done in turns ----------------------------------------------------------- */

struct alike {
	const struct finding_maker *maker;
	const struct frames_function *functions; /* of the groups: finding_maker_likeness() */
};

static uint32_t process_of_group(const struct finding_maker *m, const struct group *g)
{
	return m->h->threads[g->key.guilty].process;
}

static bool is_alike(const void *alike, uint32_t number, const void *group)
{
	const struct alike *k = alike;
	const struct group *a = &k->maker->groups.items[number], *b = group;
	const struct frames_function *f = &k->functions[number], *other = &k->functions[b - k->maker->groups.items];

	return a->key.kind == b->key.kind && a->key.wait == b->key.wait && a->key.wish == b->key.wish &&
	       f->text == other->text && f->caller == other->caller &&
	       process_of_group(k->maker, a) == process_of_group(k->maker, b);
}

static uint64_t hash_alike(const struct alike *k, const struct group *g)
{
	const struct frames_function *f = &k->functions[g - k->maker->groups.items];
	uint64_t kinds = (uint64_t)g->key.wish << 16 | (uint64_t)g->key.kind << 8 | (uint64_t)g->key.wait;

	return hash_mix(hash_mix(kinds, (uint64_t)process_of_group(k->maker, g)), (uint64_t)f->text << 32 | f->caller);
}

static bool may_merge(const struct group *g, struct frames_function f)
{
	return !g->merged && g->key.kind <= FINDING_MAYBE && f.text != UINT32_MAX;
}

/* In a queue for a lock, each waiting thread makes the later ones wait longer. */
static void merge_groups(struct finding_maker *m, const struct frames_function *functions)
{
	struct groups *all = &m->groups;
	struct alike alike = { m, functions };
	struct hash_table first = { 0 }; /* of those that are alike */

	for (uint32_t i = 0; i < all->count; i++) {
		struct group *g = &all->items[i];
		uint32_t number;

		if (!may_merge(g, functions[i]))
			continue;
		number = hash_table_add(&first, hash_alike(&alike, g), is_alike, &alike, g, i);
		if (number != i)
			group_merge(&all->items[number], g);
	}
	hash_table_free(&first);
}

/* ---- findings ---------------------------------------------------------------------------- */

/* Was some CPU idle for half of the time? */
static bool some_cpu_was_idle(const struct history *h)
{
	for (size_t cpu = 0; cpu < h->cpu_count; cpu++) {
		if (h->idle_ns[cpu] * 2 > h->last_ns - h->first_ns)
			return true;
	}
	return false;
}

/* A thread that waits for a lock, or for its turn, has work to do; a thread that waits for another thread or process
 * often has none.  If a thread waits for its turn behind a thread that gets no CPU, the reason is the lack of CPUs,
 * which is a finding of its own. */
static double finding_maker_weight_of(const struct finding *n)
{
	static const double weights[FINDING_KINDS] = {
		[FINDING_RAN] = 1,         [FINDING_SLEPT] = 1,   [FINDING_IO] = 1,     [FINDING_PAUSE] = 1,
		[FINDING_NO_CPU] = 1,      [FINDING_STOLEN] = 1,  [FINDING_PINNED] = 1, [FINDING_CROWD] = 1,
		[FINDING_HOT] = 0.15,      [FINDING_WAKER] = 0.9, [FINDING_WAITED] = 1, [FINDING_MAYBE] = 0.05,
		[FINDING_THROTTLED] = 1,   [FINDING_TURN] = 0.3,  [FINDING_STUCK] = 1,  [FINDING_SHORT] = 1,
		[FINDING_GAVE_WAY] = 0.05,
	};

	if (n->kind <= FINDING_SLEPT && !wait_is_for_lock(n->wait) &&
	    (n->wish != BLOCK_WISH_TURN || n->kind == FINDING_NO_CPU))
		return n->wish == BLOCK_WISH_UNKNOWN ? 0.05 : 0.3;
	return weights[n->kind];
}

enum { TURN_NS = 50000000 };

/* CPUs are shared in turns of milliseconds.  Many short waits are therefore less of a problem than a few long ones.  A
 * process that wants a CPU all the time loses little by them, and so does one that waits for only a tenth of the time.
 * Kernel threads work in the background: if another thread waited for them, that wait is reported itself. */
static double weight_of_turns(const struct finding_maker *m, const struct finding *n, uint32_t process,
			      uint64_t lost_ns)
{
	uint64_t all_ns = m->h->last_ns - m->h->first_ns;
	const struct demand *d = &m->demands[process];
	bool is_hog = d->ran_ns + d->waited_ns > all_ns / 100 * 98;
	double length = n->longest_ns < TURN_NS ? (double)n->longest_ns / TURN_NS : 1;

	if (!finding_is_for_cpu(n->kind))
		return 1;
	return (length < 0.2 ? 0.2 : length) * (n->kind == FINDING_STOLEN && is_hog ? 0.3 : 1) *
	       (lost_ns < all_ns / 10 ? 0.25 : 1) * (m->h->threads[process].kernel ? 0.2 : 1);
}

/* The total loss of the process that lost most, over all its threads. */
static uint64_t worst_loss(const struct finding_maker *m, const struct group *g, uint32_t *process)
{
	uint64_t *lost = xcalloc(m->h->count + 1, sizeof(*lost)), most = 0;

	for (size_t i = 0; i < g->victims.count; i++) {
		uint32_t victim = m->h->threads[g->victims.items[i].thread].process;

		lost[victim] += g->victims.items[i].ns;
		if (lost[victim] > most) {
			most = lost[victim];
			*process = victim;
		}
	}
	free(lost);
	return most;
}

enum { WAKE_NS = 5000 }; /* migrating also costs the thread that is woken */

/* Seconds lost, by their weight. */
static double score_of(const struct finding_maker *m, const struct group *g, const struct finding *n)
{
	uint32_t process = 0;
	uint64_t ns = worst_loss(m, g, &process);

	if (n->kind == FINDING_WAKER)
		ns += n->count * WAKE_NS;
	return (double)ns / 1e9 * n->weight * weight_of_turns(m, n, process, ns);
}

/* The distance from one window of time to the next, if it is nearly constant. */
static uint64_t finding_maker_period_of(const struct group *g)
{
	uint64_t all_ns = g->windows[g->window_count - 1].from_ns - g->windows[0].from_ns, mean_ns;

	if (g->window_count < 3)
		return 0;
	mean_ns = all_ns / (g->window_count - 1);
	for (size_t i = 1; i < g->window_count; i++) {
		uint64_t ns = g->windows[i].from_ns - g->windows[i - 1].from_ns;

		if (ns < mean_ns / 4 * 3 || ns > mean_ns / 4 * 5)
			return 0;
	}
	return mean_ns;
}

static int by_ns(const void *a, const void *b)
{
	const struct finding_share *x = a, *y = b;

	return ORDER(y->ns, x->ns) ?: ORDER(x->thread, y->thread);
}

/* How many CPUs may the victim use that may use most? */
static uint64_t finding_maker_cpus_allowed(const struct finding_maker *m, const struct group *g)
{
	uint64_t most = 0;

	for (size_t i = 0; i < g->victims.count; i++) {
		uint64_t cpus = m->h->threads[g->victims.items[i].thread].cpus_allowed;

		most = cpus > most ? cpus : most;
	}
	return most;
}

enum { CPU_WAITS_MIN = 10 }; /* victims that waited less often may have had no reason to move to another CPU */

/* The only CPU on which all victims ran, although they had to wait for it.  Many of the kernel's own belong to one. */
static uint32_t only_cpu(const struct finding_maker *m, const struct group *g)
{
	uint32_t cpu = m->h->threads[g->victims.items[0].thread].cpu;

	if (m->h->threads[g->victims.items[0].thread].kernel)
		return HISTORY_NONE;
	for (size_t i = 1; i < g->victims.count; i++) {
		if (m->h->threads[g->victims.items[i].thread].cpu != cpu)
			return HISTORY_NONE;
	}
	return g->count < CPU_WAITS_MIN ? HISTORY_NONE : cpu;
}

static void finding_maker_add_victims(const struct finding_maker *m, struct group *g, struct finding *n)
{
	qsort(g->victims.items, g->victims.count, sizeof(*g->victims.items), by_ns);
	n->victim_count = g->victims.count;
	for (size_t i = 0; i < g->victims.count; i++) {
		if (i < FINDING_VICTIMS)
			n->victims[i] = g->victims.items[i];
		n->lived_ns += m->lived_ns[g->victims.items[i].thread];
		n->others |= m->h->threads[g->victims.items[i].thread].process !=
			     m->h->threads[g->victims.items[0].thread].process;
	}
}

static void finding_maker_add_holder(struct finding_maker *m, const struct group *g, struct finding *n)
{
	uint32_t by = group_largest(&g->by);

	n->by = HISTORY_NONE;
	n->by_function = no_function;
	for (size_t i = 0; by != HISTORY_NONE && i < g->by.count; i++) {
		if (g->by.items[i].thread == by && g->by.items[i].ns * 2 > g->ready_ns)
			n->by = by;
	}
	if (n->by != HISTORY_NONE)
		n->by_function = finding_maker_function_of(m, g, by);
}

/* Nearly all: what is said of processes of one name is that of so much of their time, since others may bear that name. */
static bool is_of_nearly_all(uint64_t ns, uint64_t all_ns)
{
	return ns / 9 * 10 >= all_ns;
}

/* The total time of the processes of one name: a compiler's processes, for example, are each short. */
static uint64_t ns_of_name(const struct finding_maker *m, const struct group *g, uint32_t name, size_t *count)
{
	uint64_t ns = 0;

	*count = 0;
	for (size_t i = 0; i < g->guilty.count; i++) {
		if (m->h->threads[g->guilty.items[i].thread].name != name)
			continue;
		ns += g->guilty.items[i].ns;
		++*count;
	}
	return ns;
}

/* The process that started nearly all of the processes of that name, itself or by others, such as subshells and xargs: the
 * nearest ancestor, of another name, that they have in common.  init is nobody's idea. */
static uint32_t main_parent(const struct finding_maker *m, const struct group *g, const struct finding *n)
{
	enum { INIT = 1 };
	const struct history_thread *threads = m->h->threads;
	uint64_t *started = xcalloc(m->h->count + 1, sizeof(*started)), all_ns = 0;
	uint32_t name = threads[n->guilty].name, starter = HISTORY_NONE, at;

	for (size_t i = 0; i < g->guilty.count; i++) {
		const struct finding_share *share = &g->guilty.items[i];

		if (threads[share->thread].name != name)
			continue;
		all_ns += share->ns;
		at = critical_path_parent(m->h, share->thread);
		for (size_t k = 0; k < GENERATIONS && at != HISTORY_NONE; k++, at = critical_path_parent(m->h, at))
			started[at] += threads[at].name != name && threads[at].pid != INIT ? share->ns : 0;
	}
	at = critical_path_parent(m->h, n->guilty);
	for (size_t k = 0; k < GENERATIONS && at != HISTORY_NONE; k++, at = critical_path_parent(m->h, at)) {
		if (started[at] && is_of_nearly_all(started[at], all_ns)) {
			starter = at;
			break;
		}
	}
	free(started);
	at = n->guilty;
	for (size_t k = 0; k < GENERATIONS && starter != HISTORY_NONE && critical_path_parent(m->h, at) != starter; k++)
		at = critical_path_parent(m->h, at);
	return starter == HISTORY_NONE ? HISTORY_NONE : threads[at].parent; /* the thread that did */
}

/* What the thread ran during the waits of the group; without samples, where it was blocked longest. */
static struct frames_function what_did(struct finding_maker *m, const struct group *g, uint32_t thread)
{
	struct frames_function function = finding_maker_function_of(m, g, thread);
	const struct history_range *r = &m->h->threads[thread].blocks;
	const struct history_span *longest = NULL;

	for (size_t i = r->first; i < r->first + r->count; i++) {
		const struct history_span *b = &m->h->blocks.items[i];

		if (!longest || history_length(b) > history_length(longest))
			longest = b;
	}
	return function.text == UINT32_MAX && longest ? frames_function(m->f, longest->stack) : function;
}

/* Let each sample of the thread in the waits of g vote: was it in the function? */
static int thieves_vote(struct finding_maker *m, const struct group *g, uint32_t thread,
			struct frames_function function)
{
	struct stack_list l = { 0 };
	int votes = 0;

	finding_maker_add_stacks(m, g, thread, &l);
	for (size_t i = 0; i < l.count; i++)
		votes += frames_contain(m->f, l.items[i], function.text) ? 1 : -1;
	free(l.items);
	return votes;
}

/* Did the processes of that name that had the CPU mostly run in the function? */
static bool thieves_ran_in(struct finding_maker *m, const struct group *g, const struct finding *n,
			   struct frames_function function)
{
	const struct history_thread *threads = m->h->threads;
	int *votes = xcalloc(m->h->count + 1, sizeof(*votes)); /* by the first thread of a process */
	uint64_t ns = 0;

	for (uint32_t i = 0; i < m->h->count; i++) {
		if (threads[i].name == threads[n->guilty].name)
			votes[threads[i].process] += thieves_vote(m, g, i, function);
	}
	for (size_t i = 0; i < g->guilty.count; i++) {
		uint32_t thread = g->guilty.items[i].thread;

		if (threads[thread].name == threads[n->guilty].name && votes[thread] > 0)
			ns += g->guilty.items[i].ns;
	}
	free(votes);
	return is_of_nearly_all(ns, n->had_ns);
}

/* The function in which those ran that had the CPU; a process without samples may have run in any. */
static struct frames_function thieves_function(struct finding_maker *m, const struct group *g, const struct finding *n)
{
	const struct history_thread *threads = m->h->threads;
	bool *had = xcalloc(m->h->count + 1, sizeof(*had)); /* by the first thread of a process */
	struct frames_function function = no_function;
	struct stack_list l = { 0 };

	for (size_t i = 0; i < g->guilty.count; i++)
		had[g->guilty.items[i].thread] =
			n->guilty_count > 1 || g->guilty.items[i].thread == threads[n->guilty].process;
	for (uint32_t i = 0; i < m->h->count; i++) {
		if (threads[i].name == threads[n->guilty].name && had[threads[i].process])
			finding_maker_add_stacks(m, g, i, &l);
	}
	if (l.count)
		function = frames_common(m->f, l.items, l.count);
	free(l.items);
	free(had);
	return function.text == UINT32_MAX || thieves_ran_in(m, g, n, function) ? function : no_function;
}

/* If one of several processes of that name had nearly all of their time, only that one is told. */
static void name_one_thief(const struct finding_maker *m, const struct group *g, struct finding *n)
{
	uint32_t name = m->h->threads[n->guilty].name;
	uint64_t had_ns = n->had_ns;

	for (size_t i = 0; i < g->guilty.count; i++) {
		const struct finding_share *share = &g->guilty.items[i];

		if (m->h->threads[share->thread].name != name || !is_of_nearly_all(share->ns, had_ns))
			continue;
		n->guilty = share->thread;
		n->guilty_count = 1;
		n->had_ns = share->ns;
	}
}

/* Name a single thread instead of the process if that thread had nearly all of the process's time. */
static void name_its_thread(const struct finding_maker *m, const struct group *g, struct finding *n)
{
	uint32_t process = n->guilty;

	n->several = g->thieves.count > 0;
	for (size_t i = 0; i < g->thieves.count; i++) {
		const struct finding_share *share = &g->thieves.items[i];

		if (m->h->threads[share->thread].process != process || !is_of_nearly_all(share->ns, n->had_ns))
			continue;
		n->guilty = share->thread;
		n->several = false;
	}
}

/* The other process that had the CPU for most of the time. */
static void add_thieves(struct finding_maker *m, const struct group *g, struct finding *n)
{
	uint64_t most = 0;

	for (size_t i = 0; i < g->guilty.count; i++) {
		size_t count;
		uint32_t thread = g->guilty.items[i].thread;
		uint64_t ns = ns_of_name(m, g, m->h->threads[thread].name, &count);

		if (ns <= most)
			continue;
		most = ns;
		n->guilty = thread;
		n->guilty_count = count;
	}
	n->thieves = g->guilty.count;
	n->had_ns = most;
	name_one_thief(m, g, n);
	if (n->guilty_count == 1)
		name_its_thread(m, g, n);
	n->parent = n->guilty_count > 1 ? main_parent(m, g, n) : HISTORY_NONE;
	if (n->parent != HISTORY_NONE)
		n->parent_function = what_did(m, g, n->parent);
	n->function = thieves_function(m, g, n);
}

/* The thread that used most of its process's CPU time. */
static void add_user(struct finding_maker *m, struct finding *n)
{
	const struct history_thread *threads = m->h->threads;

	for (uint32_t i = 0; i < m->h->count; i++) {
		if (threads[i].process == threads[n->guilty].process && threads[i].ran_ns > threads[n->guilty].ran_ns)
			n->guilty = i;
	}
	n->guilty_count = 1;
	n->function = finding_maker_function_of(m, NULL, n->guilty);
}

static void finding_maker_keep_stretches(struct findings *all, const struct group *g, struct finding *n)
{
	size_t count = all->stretch_count + g->window_count;

	all->stretches = xgrow(all->stretches, &all->stretch_cap, count, sizeof(*all->stretches));
	memcpy(&all->stretches[all->stretch_count], g->windows, g->window_count * sizeof(*g->windows));
	n->first_stretch = all->stretch_count;
	n->stretch_count = g->window_count;
	all->stretch_count = count;
}

static bool finding_maker_is_for_cpu(const struct group *g)
{
	return finding_is_for_cpu(g->key.kind) || g->key.kind == FINDING_GAVE_WAY;
}

/* By thread: how much of its waits for a CPU is in groups. */
static uint64_t *finding_maker_known_waits(const struct finding_maker *m)
{
	uint64_t *known = xcalloc(m->h->count + 1, sizeof(*known));

	for (size_t i = 0; i < m->groups.count; i++) {
		const struct group *g = &m->groups.items[i];

		for (size_t k = 0; !g->merged && finding_maker_is_for_cpu(g) && k < g->victims.count; k++)
			known[g->victims.items[k].thread] += g->victims.items[k].ns;
	}
	return known;
}

/* All waits of the victims for a CPU: each group has its share of those that are in no group. */
static uint64_t finding_maker_whole(const struct finding_maker *m, const struct group *g, const uint64_t *known)
{
	double ns = 0;

	if (m->h->limited || !finding_maker_is_for_cpu(g))
		return 0;
	for (size_t i = 0; i < g->victims.count; i++) {
		const struct finding_share *share = &g->victims.items[i];

		if (known[share->thread])
			ns += (double)m->h->threads[share->thread].ready_ns * (double)share->ns /
			      (double)known[share->thread];
	}
	return (uint64_t)ns;
}

static void finding_maker_add_finding(struct finding_maker *m, struct group *g, struct frames_function function,
				      const uint64_t *known)
{
	struct finding n = { .kind = g->key.kind,
			     .wait = g->key.wait,
			     .wish = g->key.wish,
			     .guilty = group_largest(&g->guilty),
			     .guilty_count = g->guilty.count,
			     .parent = HISTORY_NONE,
			     .parent_function = no_function,
			     .function = function,
			     .ready_ns = g->ready_ns,
			     .ran_ns = g->ran_ns,
			     .throttled_ns = g->throttled_ns,
			     .count = g->count,
			     .total_ns = g->total_ns,
			     .whole_ns = finding_maker_whole(m, g, known),
			     .longest_ns = g->longest_ns,
			     .longest_at_ns = g->longest_at_ns,
			     .longest = g->longest,
			     .longest_victim = g->longest_victim,
			     .site = no_function };

	if (!g->guilty.count)
		return;
	group_sort(g);
	if (n.kind == FINDING_STOLEN || n.kind == FINDING_GAVE_WAY)
		add_thieves(m, g, &n);
	if (n.kind == FINDING_THROTTLED)
		add_user(m, &n);
	n.episodes = g->window_count;
	finding_maker_keep_stretches(m->all, g, &n);
	n.period_ns = finding_maker_period_of(g);
	finding_maker_add_holder(m, g, &n);
	if (g->site_stack != HISTORY_NONE)
		n.site = frames_function(m->f, g->site_stack);
	if (n.kind == FINDING_RAN && g->ready_ns + g->throttled_ns > g->ran_ns)
		n.kind = FINDING_NO_CPU;
	if (n.kind == FINDING_NO_CPU && !finding_lacked_cpu(&n))
		n.kind = FINDING_RAN;
	if (n.kind == FINDING_IO && m->shortage.taker != HISTORY_NONE && g->site_stack != HISTORY_NONE &&
	    shortage_makes_wait(m->f, g->site_stack)) {
		n.kind = FINDING_SHORT;
		n.guilty = m->shortage.taker;
		n.guilty_count = 1;
		n.function = m->shortage.function;
	}
	if (n.kind == FINDING_CROWD && some_cpu_was_idle(m->h))
		n.kind = FINDING_PINNED;
	finding_maker_add_victims(m, g, &n);
	n.cpus_allowed = finding_maker_cpus_allowed(m, g);
	n.cpu = finding_is_for_cpu(n.kind) && n.cpus_allowed < 2 ? only_cpu(m, g) : HISTORY_NONE;
	n.weight = finding_maker_weight_of(&n);
	n.score = score_of(m, g, &n);
	m->all->items = xgrow(m->all->items, &m->all->cap, m->all->count + 1, sizeof(n));
	m->all->items[m->all->count++] = n;
}

/* What tells that groups are alike: the function of the guilty thread; or, if none is known of threads that take turns,
 * the place where they wait for their turn. */
static struct frames_function finding_maker_likeness(struct finding_maker *m, const struct group *g,
						     struct frames_function function)
{
	bool turns = g->key.wish == BLOCK_WISH_TURN && g->site_stack != HISTORY_NONE;

	return function.text == UINT32_MAX && turns ? frames_function(m->f, g->site_stack) : function;
}

void findings_of_groups(struct finding_maker *m)
{
	size_t count = m->groups.count;
	struct frames_function *functions = xcalloc(count + 1, sizeof(*functions));
	uint64_t *known;
	struct frames_function *likenesses = xcalloc(count + 1, sizeof(*likenesses));

	for (size_t i = 0; i < count; i++) {
		group_sort(&m->groups.items[i]);
		functions[i] = guilty_function(m, &m->groups.items[i]);
		likenesses[i] = finding_maker_likeness(m, &m->groups.items[i], functions[i]);
	}
	merge_groups(m, likenesses);
	known = finding_maker_known_waits(m);
	for (size_t i = 0; i < count; i++) {
		if (!m->groups.items[i].merged)
			finding_maker_add_finding(m, &m->groups.items[i], functions[i], known);
	}
	free(known);
	free(functions);
	free(likenesses);
}
