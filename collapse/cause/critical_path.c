#include "collapse/cause/critical_path.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

bool critical_path_awaits(struct cause_frames *f, const struct history_span *block)
{
	static const char *const waits[] = { "do_wait", "kernel_wait4", "kernel_waitid", NULL };

	return frames_wait_named(f, block->stack) == WAIT_PROCESS && frames_has(f, block->stack, waits);
}

/* ---- the tree ---------------------------------------------------------------------------- */

struct tree_walk {
	const struct history *h;
	struct cause_frames *f;
	uint64_t *awaited_ns; /* by first thread of a process: how long the process waited for other processes to end */
};

uint32_t critical_path_parent(const struct history *h, uint32_t process)
{
	uint32_t parent = h->threads[process].parent;

	return parent == HISTORY_NONE ? HISTORY_NONE : h->threads[parent].process;
}

/* Did a process that this one started, itself or by others, end the block?  Some programs learn from a pipe, or a signal,
 * that a process has ended. */
static bool critical_path_is_of_child(const struct history *h, const struct history_span *b)
{
	uint32_t own = h->threads[b->thread].process, process;

	if (b->other >= HISTORY_INTERRUPT)
		return false;
	process = h->threads[b->other].process;
	if (process == own || !history_passes(h, &h->threads[process]))
		return false;
	for (size_t i = 0; process != HISTORY_NONE && process != own && i < GENERATIONS; i++)
		process = critical_path_parent(h, process);
	return process == own;
}

static void critical_path_sum_waits(struct tree_walk *w)
{
	w->awaited_ns = xcalloc(w->h->count + 1, sizeof(*w->awaited_ns));
	for (size_t i = 0; i < w->h->blocks.count; i++) {
		const struct history_span *b = &w->h->blocks.items[i];

		if (critical_path_awaits(w->f, b) || critical_path_is_of_child(w->h, b))
			w->awaited_ns[w->h->threads[b->thread].process] += history_length(b);
	}
}

/* The outermost process above this one that waits for other processes to end. */
static uint32_t critical_path_root(const struct tree_walk *w, uint32_t process)
{
	uint32_t root = process, parent = process;

	for (size_t i = 0; i < GENERATIONS; i++) {
		parent = critical_path_parent(w->h, parent);
		if (parent == HISTORY_NONE || w->h->threads[parent].recorder)
			break;
		if (w->awaited_ns[parent])
			root = parent;
	}
	return root;
}

static bool critical_path_counts(const struct history_thread *t)
{
	return t->tid && !t->recorder;
}

/* CPU time of all trees, by the first thread of the root. */
static uint64_t *critical_path_sum_trees(const struct tree_walk *w, uint32_t *roots)
{
	uint64_t *ran = xcalloc(w->h->count + 1, sizeof(*ran));

	for (uint32_t i = 0; i < w->h->count; i++) {
		roots[i] = critical_path_root(w, w->h->threads[i].process);
		ran[roots[i]] += critical_path_counts(&w->h->threads[i]) ? w->h->threads[i].ran_ns : 0;
	}
	return ran;
}

static uint32_t critical_path_best_root(const struct tree_walk *w, const uint64_t *ran)
{
	uint32_t best = HISTORY_NONE;

	for (uint32_t i = 0; i < w->h->count; i++) {
		if (w->awaited_ns[i] && (best == HISTORY_NONE || ran[i] > ran[best]))
			best = i;
	}
	return best;
}

/* CPU time of each process and of all that it began. */
static uint64_t *critical_path_sum_subtrees(const struct tree_walk *w)
{
	uint64_t *ran = xcalloc(w->h->count + 1, sizeof(*ran));

	for (uint32_t i = 0; i < w->h->count; i++) {
		uint32_t process = w->h->threads[i].process;

		for (size_t k = 0;
		     critical_path_counts(&w->h->threads[i]) && process != HISTORY_NONE && k < GENERATIONS; k++) {
			ran[process] += w->h->threads[i].ran_ns;
			process = critical_path_parent(w->h, process);
		}
	}
	return ran;
}

enum { NEARLY_ALL = 20 }; /* all but one in so many */

/* A shell that only waits for one process, which waits for others itself, is not interesting as the root; nor is it if
 * it also began some that took next to no time. */
static uint32_t critical_path_descend(const struct tree_walk *w, uint32_t root, const uint64_t *ran)
{
	uint32_t child = HISTORY_NONE;
	size_t children = 0;

	for (uint32_t i = 0; i < w->h->count; i++) {
		const struct history_thread *t = &w->h->threads[i];

		if (t->process != i || !critical_path_counts(t) || critical_path_parent(w->h, i) != root)
			continue;
		children++;
		if (!w->awaited_ns[i])
			continue;
		if (child != HISTORY_NONE)
			return root;
		child = i;
	}
	if (child == HISTORY_NONE || (children > 1 && (ran[root] - ran[child]) * NEARLY_ALL > ran[root]))
		return root;
	return child;
}

static uint32_t critical_path_descend_all(const struct tree_walk *w, uint32_t root)
{
	uint64_t *ran = critical_path_sum_subtrees(w);
	uint32_t child;

	for (size_t i = 0; root != HISTORY_NONE && i < GENERATIONS; i++) {
		child = critical_path_descend(w, root, ran);
		if (child == root)
			break;
		root = child;
	}
	free(ran);
	return root;
}

/* ---- the path ---------------------------------------------------------------------------- */

struct path_walk {
	const struct tree_walk *tree;
	const uint32_t *roots;
	struct critical_path *path;
	uint32_t thread;        /* where the walk is, ... */
	uint64_t at_ns;         /* ... and until when; everything later on the path has been found */
	uint64_t not_before_ns; /* the thread is known to have lived since then; 0: the time of its start is unknown */
	size_t jumps;           /* since time went on last */
	size_t opened;          /* waits so far that had not ended */
};

/* The span of the thread that covers that time, or else the last one that ended before it. */
static const struct history_span *critical_path_block(const struct path_walk *w)
{
	const struct history_range *r = &w->tree->h->threads[w->thread].blocks;
	const struct history_span *blocks = w->tree->h->blocks.items + r->first;
	size_t i = FIRST_NOT(at, r->count, blocks[at].begin_ns < w->at_ns);

	return i ? &blocks[i - 1] : NULL;
}

static uint64_t critical_path_born(const struct path_walk *w)
{
	const struct history *h = w->tree->h;
	uint64_t born_ns = h->threads[w->thread].born_ns;

	if (!born_ns)
		born_ns = w->not_before_ns;
	return born_ns < h->first_ns ? h->first_ns : born_ns;
}

/* Attribute the time back to from_ns to this thread. */
static void critical_path_go_back(struct path_walk *w, uint64_t from_ns)
{
	uint32_t process = w->tree->h->threads[w->thread].process;

	if (from_ns >= w->at_ns)
		return;
	w->path->by_process[process] += w->at_ns - from_ns;
	w->path->since_ns[process] = from_ns;
	w->at_ns = from_ns;
	w->jumps = 0;
}

static bool critical_path_is_of_tree(const struct path_walk *w, uint32_t thread)
{
	return thread < HISTORY_INTERRUPT && !w->tree->h->threads[thread].recorder &&
	       w->roots[thread] == w->roots[w->path->root] && thread != w->thread;
}

/* The child for which an unfinished wait most likely waits: the living child that ran longest. */
static uint32_t critical_path_running_child(const struct path_walk *w)
{
	const struct history *h = w->tree->h;
	uint32_t process = h->threads[w->thread].process, best = HISTORY_NONE;

	for (uint32_t i = 0; i < h->count; i++) {
		if (h->threads[i].process == i && critical_path_parent(h, i) == process && !h->threads[i].ended &&
		    !h->threads[i].recorder && (best == HISTORY_NONE || h->threads[i].ran_ns > h->threads[best].ran_ns))
			best = i;
	}
	return best;
}

enum { JUMPS = 16 };

/* The thread has run since it began: continue with the thread that started it.  Returns false at the beginning of the
 * path. */
static bool critical_path_leave(struct path_walk *w, uint64_t born_ns)
{
	const struct history *h = w->tree->h;
	const struct history_thread *t = &h->threads[w->thread];
	uint32_t other = t->process == w->path->root ? w->path->thread
			 : w->thread == t->process   ? t->parent
						     : t->process;

	critical_path_go_back(w, born_ns);
	if (w->thread == w->path->thread || !t->born_ns || other == HISTORY_NONE ||
	    w->roots[other] != w->roots[w->path->root])
		return false;
	w->thread = other;
	w->not_before_ns = 0;
	return w->at_ns > h->first_ns && ++w->jumps < JUMPS;
}

/* The thread that ended the block at its end, or the one that it is waiting for; HISTORY_NONE: no thread of the
 * tree. */
static uint32_t critical_path_other(struct path_walk *w, const struct history_span *b)
{
	uint32_t other = HISTORY_NONE;

	if (b->open && critical_path_awaits(w->tree->f, b) && w->opened++ < GENERATIONS)
		other = critical_path_running_child(w);
	else if (w->at_ns == b->end_ns)
		other = b->other;
	return w->jumps < JUMPS && critical_path_is_of_tree(w, other) ? other : HISTORY_NONE;
}

/* Go one step back on the path.  Returns false at its beginning. */
static bool critical_path_step(struct path_walk *w)
{
	const struct history_span *b = critical_path_block(w);
	uint64_t born_ns = critical_path_born(w);
	uint32_t other;

	if (!b || b->end_ns <= born_ns)
		return critical_path_leave(w, born_ns);
	if (b->end_ns < w->at_ns)
		critical_path_go_back(w, b->end_ns);
	other = critical_path_other(w, b);
	if (other == HISTORY_NONE) {
		critical_path_go_back(w, b->begin_ns > born_ns ? b->begin_ns : born_ns);
		return true;
	}
	w->thread = other;
	w->not_before_ns = b->begin_ns;
	w->jumps++;
	return true;
}

static uint64_t critical_path_end(const struct history *h, uint32_t thread)
{
	const struct history_thread *t = &h->threads[thread];
	uint64_t end_ns = 0;

	if (t->states.count)
		end_ns = h->states.items[t->states.first + t->states.count - 1].end_ns;
	if (t->blocks.count && h->blocks.items[t->blocks.first + t->blocks.count - 1].end_ns > end_ns)
		end_ns = h->blocks.items[t->blocks.first + t->blocks.count - 1].end_ns;
	return end_ns;
}

static void critical_path_walk(struct critical_path *p, const struct tree_walk *tree, const uint32_t *roots)
{
	enum { STEPS = 1 << 20 };
	struct path_walk w = { .tree = tree,
			       .roots = roots,
			       .path = p,
			       .thread = p->thread,
			       .at_ns = critical_path_end(tree->h, p->thread) };
	uint64_t end_ns = w.at_ns;

	p->by_process = xcalloc(tree->h->count + 1, sizeof(*p->by_process));
	p->since_ns = xcalloc(tree->h->count + 1, sizeof(*p->since_ns));
	for (size_t i = 0; i < STEPS && critical_path_step(&w); i++)
		;
	p->ns = end_ns - w.at_ns;
}

/* In a build, the main thread starts the processes and waits for their ends; in a service, other threads do.  Without
 * such a main thread, there is no path. */
static void critical_path_find_thread(struct critical_path *p, const struct history *h)
{
	uint32_t pid = p->root == HISTORY_NONE ? 0 : (uint32_t)h->threads[p->root].pid;
	uint32_t number = map_get(&h->by_tid, pid, pid);

	p->thread = number - 1;
	if (!number)
		p->root = HISTORY_NONE;
}

static void critical_path_count(struct critical_path *p, const struct history *h, uint32_t thread, bool is_of_tree)
{
	const struct history_thread *t = &h->threads[thread];
	bool passes = is_of_tree && t->process != p->root && history_passes(h, &h->threads[t->process]);

	p->passed += passes && t->process == thread;
	p->ran_ns += is_of_tree ? t->ran_ns : 0;
	p->passed_ns += passes ? t->ran_ns : 0;
}

void critical_path_find(struct critical_path *p, const struct history *h, struct cause_frames *f)
{
	struct tree_walk tree = { .h = h, .f = f };
	uint32_t *roots = xcalloc(h->count + 1, sizeof(*roots));
	uint64_t *ran;

	critical_path_sum_waits(&tree);
	ran = critical_path_sum_trees(&tree, roots);
	p->root = critical_path_descend_all(&tree, critical_path_best_root(&tree, ran));
	critical_path_find_thread(p, h);
	for (uint32_t i = 0; p->root != HISTORY_NONE && i < h->count; i++)
		critical_path_count(p, h, i, roots[i] == roots[p->root] && critical_path_counts(&h->threads[i]));
	if (p->root != HISTORY_NONE)
		critical_path_walk(p, &tree, roots);
	free(tree.awaited_ns);
	free(roots);
	free(ran);
}

void critical_path_free(struct critical_path *p)
{
	free(p->by_process);
	free(p->since_ns);
}
