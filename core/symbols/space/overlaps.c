#include "core/symbols/space/overlaps.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

/* Nodes are numbered as in a heap: 1 is the root, 2 * n and 2 * n + 1 are below n, the leaves are leaves to 2 * leaves - 1. */
struct overlaps {
	uint64_t *bounds; /* [bound_count], ascending: leaf i is [bounds[i], bounds[i + 1]) */
	size_t bound_count;
	size_t leaves;    /* a power of two */
	uint32_t *starts; /* [2 * leaves + 1]: where the mappings of a node begin in noted */
	uint32_t *noted;  /* indexes of mappings, of each node in order of time */
};

static void find_bounds(struct overlaps *o, const struct mapping *items, size_t count)
{
	size_t kept = 0;

	o->bounds = xmalloc(2 * count * sizeof(*o->bounds));
	for (size_t i = 0; i < count; i++) {
		o->bounds[2 * i] = items[i].start;
		o->bounds[2 * i + 1] = items[i].end;
	}
	qsort(o->bounds, 2 * count, sizeof(*o->bounds), by_u64);
	for (size_t i = 0; i < 2 * count; i++) {
		if (!kept || o->bounds[kept - 1] != o->bounds[i])
			o->bounds[kept++] = o->bounds[i];
	}
	o->bound_count = kept;
	for (o->leaves = 1; o->leaves < kept;)
		o->leaves *= 2;
}

static size_t overlaps_leaf_of(const struct overlaps *o, uint64_t bound)
{
	return o->leaves + FIRST_NOT(i, o->bound_count, o->bounds[i] < bound);
}

/* Call note for the nodes that together are the stretches of m. */
static void each_node(struct overlaps *o, const struct mapping *m, uint32_t number,
		      void (*note)(struct overlaps *o, size_t node, uint32_t number))
{
	size_t from = overlaps_leaf_of(o, m->start), to = overlaps_leaf_of(o, m->end);

	for (; from < to; from /= 2, to /= 2) {
		if (from % 2)
			note(o, from++, number);
		if (to % 2)
			note(o, --to, number);
	}
}

static void count_node(struct overlaps *o, size_t node, uint32_t number)
{
	(void)number;
	o->starts[node + 1]++;
}

/* Until all are noted, the start of a node is where its next mapping goes: in the end, where that of the next node is. */
static void note_node(struct overlaps *o, size_t node, uint32_t number)
{
	o->noted[o->starts[node]++] = number;
}

struct moment {
	uint64_t from_ns;
	uint32_t number;
};

static int by_moment(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return ORDER(x->from_ns, y->from_ns) ?: ORDER(x->number, y->number);
}

struct overlaps *overlaps_new(const struct mapping *items, size_t count)
{
	struct overlaps *o = xcalloc(1, sizeof(*o));
	struct moment *order = xmalloc(count * sizeof(*order));
	size_t nodes;

	find_bounds(o, items, count);
	nodes = 2 * o->leaves;
	o->starts = xcalloc(nodes + 1, sizeof(*o->starts));
	for (size_t i = 0; i < count; i++) {
		order[i] = (struct moment){ items[i].from_ns, (uint32_t)i };
		each_node(o, &items[i], (uint32_t)i, count_node);
	}
	for (size_t n = 0; n < nodes; n++)
		o->starts[n + 1] += o->starts[n];
	o->noted = xmalloc((o->starts[nodes] + 1) * sizeof(*o->noted));
	qsort(order, count, sizeof(*order), by_moment);
	for (size_t i = 0; i < count; i++)
		each_node(o, &items[order[i].number], order[i].number, note_node);
	for (size_t n = nodes; n > 0; n--)
		o->starts[n] = o->starts[n - 1];
	o->starts[0] = 0;
	free(order);
	return o;
}

/* Is a mapping of time a, and this number, a better choice than one of time b? */
static bool is_preferred(const struct mapping *items, uint32_t a, uint32_t b, uint64_t time_ns)
{
	uint64_t a_ns = items[a].from_ns, b_ns = items[b].from_ns;

	if ((a_ns <= time_ns) != (b_ns <= time_ns))
		return a_ns <= time_ns;
	if (a_ns != b_ns)
		return (a_ns <= time_ns) == (a_ns > b_ns);
	return a > b;
}

/* The best one of a node, which has some. */
static uint32_t best_of_node(const struct overlaps *o, size_t node, const struct mapping *items, uint64_t time_ns)
{
	const uint32_t *noted = o->noted + o->starts[node];
	size_t count = o->starts[node + 1] - o->starts[node];
	size_t after = FIRST_NOT(i, count, items[noted[i]].from_ns <= time_ns);
	uint64_t first_ns = items[noted[0]].from_ns;

	if (after)
		return noted[after - 1];
	return noted[FIRST_NOT(i, count, items[noted[i]].from_ns <= first_ns) - 1];
}

const struct mapping *overlaps_best(const struct overlaps *o, const struct mapping *items, uint64_t address,
				    uint64_t time_ns)
{
	size_t after = FIRST_NOT(i, o->bound_count, o->bounds[i] <= address);
	const struct mapping *best = NULL;

	if (!after || after == o->bound_count)
		return NULL;
	for (size_t node = o->leaves + after - 1; node; node /= 2) {
		uint32_t number;

		if (o->starts[node] == o->starts[node + 1])
			continue;
		number = best_of_node(o, node, items, time_ns);
		if (!best || is_preferred(items, number, (uint32_t)(best - items), time_ns))
			best = &items[number];
	}
	return best;
}

void overlaps_free(struct overlaps *o)
{
	if (!o)
		return;
	free(o->bounds);
	free(o->starts);
	free(o->noted);
	free(o);
}
