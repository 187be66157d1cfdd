#include "render/tree_order.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

/* Where frame i belongs among its siblings: lowest key first. */
struct place {
	uint64_t key;
	uint32_t parent, frame;
};

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* ---- arrival ---------------------------------------------------------------- */

/* Frames by (parent, name): open addressing, 0 is free. */
struct frame_table {
	uint32_t *slots;
	size_t mask;
};

static uint32_t *find_slot(const struct frame_table *table, const struct tree *t, uint32_t parent,
			   uint32_t name)
{
	size_t i = hash_mix((uint64_t)parent << 32 | name, 0) & table->mask;

	while (table->slots[i] && (t->frames[table->slots[i]].parent != parent ||
				   t->frames[table->slots[i]].name != name))
		i = (i + 1) & table->mask;
	return &table->slots[i];
}

static struct frame_table table_of(const struct tree *t)
{
	struct frame_table table = { .mask = 1 };

	while (table.mask < (size_t)t->count * 2)
		table.mask = table.mask << 1 | 1;
	table.slots = xcalloc(table.mask + 1, sizeof(*table.slots));
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t *slot = find_slot(&table, t, t->frames[i].parent, t->frames[i].name);

		if (!*slot)
			*slot = i;
	}
	return table;
}

/* Nodes have numbers in the order of the input. */
static void key_by_arrival(struct place *places, const struct tree *t, const struct profile *p)
{
	struct frame_table table = table_of(t);
	uint32_t *frame_of = xcalloc(p->count, sizeof(*frame_of));

	for (size_t n = p->count; n-- > 1;)
		frame_of[n] = UINT32_MAX; /* no frame: it has no width */
	for (size_t n = 1; n < p->count; n++) {
		uint32_t parent = frame_of[p->nodes[n].parent], frame;

		if (parent == UINT32_MAX)
			continue;
		frame = *find_slot(&table, t, parent, p->nodes[n].name);
		if (!frame)
			continue;
		frame_of[n] = frame;
		if (places[frame].key > n)
			places[frame].key = n;
	}
	free(frame_of);
	free(table.slots);
}

/* ---- order ------------------------------------------------------------------ */

static struct place *sorted_places(const struct tree *t, const struct profile *p,
				   enum tree_order order)
{
	struct place *places = xcalloc(t->count, sizeof(*places));

	for (uint32_t i = 0; i < t->count; i++) {
		const struct frame *f = &t->frames[i];

		places[i] = (struct place){ UINT64_MAX, f->parent, i };
		if (order == ORDER_WIDTH)
			places[i].key = UINT64_MAX - f->total;
	}
	if (order == ORDER_ARRIVAL)
		key_by_arrival(places, t, p);
	places[0].key = 0; /* the root, which is its own parent, stays the first of all */
	qsort(places + 1, t->count - 1, sizeof(*places), compare_places);
	return places;
}

/* Put frame old of t behind the last one of new; returns its number there. */
static uint32_t place_frame(struct tree *new, const struct tree *t, uint32_t old, uint32_t parent,
			    uint64_t start)
{
	struct frame frame = t->frames[old];

	frame.parent = parent;
	frame.start = start;
	new->frames[new->count] = frame;
	return new->count++;
}

/* old[i]: the frame of t that is to be new's frame i; next[i]: where in places the
 * next child of t's frame i is. */
static void rebuild(struct tree *new, const struct tree *t, const struct place *places,
		    uint32_t *next, uint32_t *old)
{
	uint32_t at = place_frame(new, t, 0, 0, t->frames[0].start);
	uint64_t start = t->frames[0].start;

	for (;;) {
		uint32_t i = next[old[at]];

		if (i && i < t->count && places[i].parent == old[at]) {
			next[old[at]]++;
			old[new->count] = places[i].frame;
			at = place_frame(new, t, places[i].frame, at, start);
			continue;
		}
		new->frames[at].end = new->count;
		start = new->frames[at].start + new->frames[at].total;
		if (!at)
			break;
		at = new->frames[at].parent;
	}
}

void tree_order(struct tree *t, const struct profile *p, enum tree_order order)
{
	struct tree new = {0};
	struct place *places;
	uint32_t *next, *old;

	if (order == ORDER_NAME || t->count < 3)
		return;
	places = sorted_places(t, p, order);
	next = xcalloc(t->count, sizeof(*next));
	old = xcalloc(t->count, sizeof(*old));
	for (uint32_t i = t->count - 1; i > 0; i--)
		next[places[i].parent] = i;
	new.frames = xcalloc(t->count, sizeof(*new.frames));
	rebuild(&new, t, places, next, old);
	free(t->frames);
	t->frames = new.frames;
	free(places);
	free(next);
	free(old);
}
