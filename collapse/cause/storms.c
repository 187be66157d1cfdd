#include <stdlib.h>

#include "collapse/cause/tree_finding.h"
#include "core/memory.h"

enum {
	STORM_LEAST = 100,        /* processes, ... */
	STORM_PER_SECOND = 20,    /* ... so often, ... */
	STORM_SHORT_NS = 20000000 /* ... each with so little CPU time: starting it is much of its work */
};

/* kernel/fork.c; and system calls, whose names differ by architecture */
static const char *const storm_forks[] = { "kernel_clone", "_do_fork",  "*sys_clone",   "*sys_clone3",
					   "*sys_vfork",   "*sys_fork", "copy_process", NULL };

/* The short processes that one process started, itself or by others that are short. */
struct storm {
	size_t count;
	uint64_t ran_ns, path_ns; /* their CPU time, and their part of the critical path */
};

struct storms {
	struct finding_maker *m;
	const struct critical_path *path;
	uint64_t *ran_ns;    /* by the first thread of a process: CPU time of all its threads */
	uint32_t *owners;    /* likewise: who started it, if it is short, or else HISTORY_NONE */
	struct storm *items; /* by owner */
};

static bool storms_is_short(const struct storms *s, uint32_t process)
{
	const struct history *h = s->m->h;
	const struct history_thread *t = &h->threads[process];

	return t->process == process && t->tid && !t->recorder && t->born_ns > h->first_ns &&
	       s->ran_ns[process] <= STORM_SHORT_NS && critical_path_parent(h, process) != HISTORY_NONE &&
	       process != s->path->root;
}

static uint32_t storms_owner(const struct storms *s, uint32_t process)
{
	for (size_t i = 0; i < GENERATIONS && process != HISTORY_NONE && storms_is_short(s, process); i++)
		process = critical_path_parent(s->m->h, process);
	return process;
}

static void storms_find(struct storms *s)
{
	const struct history *h = s->m->h;

	for (uint32_t i = 0; i < h->count; i++)
		s->ran_ns[h->threads[i].process] += h->threads[i].ran_ns;
	for (uint32_t i = 0; i < h->count; i++) {
		struct storm *storm;

		s->owners[i] = storms_is_short(s, i) ? storms_owner(s, i) : HISTORY_NONE;
		if (s->owners[i] == HISTORY_NONE)
			continue;
		storm = &s->items[s->owners[i]];
		storm->count++;
		storm->ran_ns += s->ran_ns[i];
		storm->path_ns += s->path->by_process ? s->path->by_process[i] : 0;
	}
}

static uint32_t storms_largest(const struct storms *s)
{
	uint32_t best = HISTORY_NONE;

	for (uint32_t i = 0; i < s->m->h->count; i++) {
		if (s->items[i].count && (best == HISTORY_NONE || s->items[i].count > s->items[best].count))
			best = i;
	}
	return best;
}

/* The thread of the owner that started most of the processes which the owner started itself. */
static uint32_t storms_starter(const struct storms *s, uint32_t owner)
{
	const struct history_thread *threads = s->m->h->threads;
	struct group_shares starters = { 0 };
	uint32_t starter;

	for (uint32_t i = 0; i < s->m->h->count; i++) {
		if (s->owners[i] == owner && threads[threads[i].parent].process == owner)
			group_share_add(&starters, threads[i].parent, 1);
	}
	starter = group_largest(&starters);
	group_shares_free(&starters);
	return starter == HISTORY_NONE ? owner : starter;
}

/* The function in which the thread started processes; *part is the share of its samples that were in the kernel for
 * that. */
static struct frames_function storms_function(struct storms *s, uint32_t thread, double *part)
{
	const struct history_range *r = &s->m->h->threads[thread].samples;
	uint32_t *stacks = xcalloc(r->count + 1, sizeof(*stacks));
	struct frames_function function = { UINT32_MAX, UINT32_MAX };
	size_t count = 0;

	for (size_t i = r->first; i < r->first + r->count; i++) {
		if (frames_has(s->m->f, s->m->h->samples.items[i].stack, storm_forks))
			stacks[count++] = s->m->h->samples.items[i].stack;
	}
	if (count)
		function = frames_common(s->m->f, stacks, count);
	*part = r->count ? (double)count / (double)r->count : 0;
	free(stacks);
	return function;
}

/* CPU time of the owner and of all that it started. */
static uint64_t storms_sum_tree(const struct storms *s, uint32_t owner)
{
	uint64_t ns = 0;

	for (uint32_t i = 0; i < s->m->h->count; i++) {
		uint32_t process = s->m->h->threads[i].process == i ? i : HISTORY_NONE;

		for (size_t k = 0; process != HISTORY_NONE && process != owner && k < GENERATIONS; k++)
			process = critical_path_parent(s->m->h, process);
		ns += process == owner ? s->ran_ns[i] : 0;
	}
	return ns;
}

/* The names of the processes that used most CPU time, and how many have them. */
static void storms_name(const struct storms *s, uint32_t owner, struct finding_forks *forks)
{
	const struct history_thread *threads = s->m->h->threads;
	struct group_shares times = { 0 }, counts = { 0 };

	for (uint32_t i = 0; i < s->m->h->count; i++) {
		if (s->owners[i] != owner)
			continue;
		group_share_add(&times, threads[i].name, s->ran_ns[i] + 1);
		group_share_add(&counts, threads[i].name, 1);
	}
	for (size_t k = 0; k < FINDING_NAMES && k < times.count; k++) {
		size_t most = 0;

		for (size_t i = 1; i < times.count; i++) {
			if (times.items[i].ns > times.items[most].ns)
				most = i;
		}
		if (!times.items[most].ns)
			break;
		forks->names[k] = (struct finding_name){ counts.items[most].thread, counts.items[most].ns };
		times.items[most].ns = 0;
	}
	group_shares_free(&times);
	group_shares_free(&counts);
}

static uint64_t storms_all_ran(const struct history *h)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < h->count; i++)
		ns += h->threads[i].tid && !h->threads[i].recorder ? h->threads[i].ran_ns : 0;
	return ns;
}

static void storms_make(struct storms *s, uint32_t owner)
{
	static const struct frames_function none = { UINT32_MAX, UINT32_MAX };
	const struct history *h = s->m->h;
	const struct storm *storm = &s->items[owner];
	struct finding n = { .kind = FINDING_FORKS, .wait = WAIT_PROCESS, .guilty = storms_starter(s, owner) };
	uint64_t all_ns = h->last_ns - h->first_ns, tree_ns = storms_sum_tree(s, owner), cpu_ns, ran_ns;
	double part, share;

	n.function = storms_function(s, n.guilty, &part);
	cpu_ns = storm->ran_ns + (uint64_t)(part * (double)h->threads[n.guilty].ran_ns);
	ran_ns = storms_all_ran(h);
	share = ran_ns ? (double)tree_ns / (double)ran_ns : 0;
	n.forks.elapsed = storm->path_ns * 2 >= s->path->ns && storm->path_ns;
	if (share * 3 < 1 || (!n.forks.elapsed && cpu_ns * 2 < tree_ns))
		return;
	n.total_ns = n.forks.elapsed ? storm->path_ns : cpu_ns;
	n.lived_ns = n.forks.elapsed ? s->path->ns : tree_ns;
	storms_name(s, owner, &n.forks);
	n.count = n.episodes = storm->count;
	n.ran_ns = storm->ran_ns;
	n.guilty_count = n.victim_count = 1;
	n.parent = n.by = n.cpu = HISTORY_NONE;
	n.parent_function = n.by_function = n.site = none;
	n.victims[0] = (struct finding_share){ n.guilty, n.total_ns };
	n.longest_victim = n.guilty;
	n.longest_at_ns = h->first_ns;
	n.longest = (struct cause){ .guilty = n.guilty,
				    .by = HISTORY_NONE,
				    .stack = HISTORY_NONE,
				    .let_go = HISTORY_NONE,
				    .from_ns = h->first_ns,
				    .to_ns = h->last_ns };
	n.weight = share;
	n.score = (double)all_ns / 1e9 * share * share;
	s->m->all->items = xgrow(s->m->all->items, &s->m->all->cap, s->m->all->count + 1, sizeof(n));
	s->m->all->items[s->m->all->count++] = n;
}

void storms_add(struct finding_maker *m, const struct critical_path *path)
{
	const struct history *h = m->h;
	struct storms s = { .m = m,
			    .path = path,
			    .ran_ns = xcalloc(h->count + 1, sizeof(*s.ran_ns)),
			    .owners = xcalloc(h->count + 1, sizeof(*s.owners)),
			    .items = xcalloc(h->count + 1, sizeof(*s.items)) };
	double seconds = (double)(h->last_ns - h->first_ns) / 1e9;
	uint32_t owner;

	storms_find(&s);
	owner = storms_largest(&s);
	if (owner != HISTORY_NONE && s.items[owner].count >= STORM_LEAST && m->roles[owner] & FINDING_VICTIM &&
	    (double)s.items[owner].count >= seconds * STORM_PER_SECOND)
		storms_make(&s, owner);
	free(s.ran_ns);
	free(s.owners);
	free(s.items);
}
