/* The critical path: from the end of a process backwards.  Before the process continued, it slept until a child ended;
 * before that, the child ran, or slept until one of its own children ended; and so on, back to the begin of the child.
 *
 *     make   ##....................####            '#': time for which others waited
 *     gcc      #..........#
 *     cc1       ##########
 *     as                       (not awaited: not on the path) */
#include <stdlib.h>

#include "core/memory.h"
#include "render/processes/processes.h"

struct finder {
	struct processes *p;
	uint32_t *children; /* awaited spans, grouped by process; those that ended last come first */
	size_t *first;      /* [count + 1] */
};

static bool is_awaited(const struct processes *p, const struct process_life *q)
{
	for (size_t i = 0; i < q->count; i++) {
		if (p->kinds[p->spans[q->first + i].kind].awaited)
			return true;
	}
	return false;
}

static int by_end(const void *a, const void *b, void *list)
{
	const struct process_life *x = (const struct process_life *)list + *(const uint32_t *)a;
	const struct process_life *y = (const struct process_life *)list + *(const uint32_t *)b;

	if (x->end_ns != y->end_ns)
		return x->end_ns > y->end_ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void find_children(struct finder *f)
{
	struct processes *p = f->p;
	size_t used = 0;

	f->children = xcalloc(p->count + 1, sizeof(*f->children));
	f->first = xcalloc(p->count + 1, sizeof(*f->first));
	for (size_t i = 0; i < p->count; i++) {
		f->first[i] = used;
		for (uint32_t c = p->list[i].child; c != PROCESS_NONE; c = p->list[c].next) {
			if (is_awaited(p, &p->list[c]))
				f->children[used++] = c;
		}
		if (used > f->first[i])
			qsort_r(f->children + f->first[i], used - f->first[i], sizeof(*f->children), by_end, p->list);
	}
	f->first[p->count] = used;
}

static void processes_path_add(struct processes *p, uint32_t process, uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns >= to_ns)
		return;
	p->path = xgrow(p->path, &p->path_cap, p->path_count + 1, sizeof(*p->path));
	p->path[p->path_count++] = (struct process_stretch){ process, from_ns, to_ns };
}

/* Not deeper than the tree. */
static void processes_path_follow(struct finder *f, uint32_t process, uint64_t at_ns)
{
	const struct process_life *q = &f->p->list[process];

	for (size_t i = f->first[process]; i < f->first[process + 1]; i++) {
		const struct process_life *child = &f->p->list[f->children[i]];

		if (child->end_ns > at_ns || child->begin_ns < q->begin_ns)
			continue;
		processes_path_add(f->p, process, child->end_ns, at_ns);
		processes_path_follow(f, f->children[i], child->end_ns);
		at_ns = child->begin_ns;
	}
	processes_path_add(f->p, process, q->begin_ns, at_ns);
}

/* Among processes that began and ended in the recording, the one that started the most others; of several, the
 * longest. */
static uint32_t find_root(const struct processes *p)
{
	uint32_t best = PROCESS_NONE;

	for (uint32_t i = 0; i < p->count; i++) {
		const struct process_life *q = &p->list[i], *b = best == PROCESS_NONE ? NULL : &p->list[best];
		bool is_whole = !p->kinds[p->spans[q->first].kind].before &&
				!p->kinds[p->spans[q->first + q->count - 1].kind].runs;

		if (is_whole && q->descendants &&
		    (!b || q->descendants > b->descendants ||
		     (q->descendants == b->descendants && q->end_ns - q->begin_ns > b->end_ns - b->begin_ns)))
			best = i;
	}
	return best;
}

void processes_find_path(struct processes *p)
{
	uint32_t root = find_root(p);
	struct finder f = { .p = p };

	if (root == PROCESS_NONE)
		return;
	find_children(&f);
	processes_path_follow(&f, root, p->list[root].end_ns);
	free(f.children);
	free(f.first);
}
