/* Gathers the small children of the root below a frame of their own. */
#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "render/profile/tree.h"

uint32_t tree_count_below(const struct tree *t, uint64_t least)
{
	uint32_t count = 0;

	for (uint32_t i = 1; t->count && i < t->frames[0].end; i = t->frames[i].end)
		count += t->frames[i].total < least;
	return count;
}

/* A tree that is copied from another one, whose frame i becomes frame place[i]. */
struct tree_gatherer {
	const struct tree *from;
	struct tree to;
	uint32_t *place;
	uint64_t start; /* where the next child of the root begins */
};

/* Copy child i of the root, with all below it, to below frame parent, which is `down` levels deeper. */
static void gather_child(struct tree_gatherer *g, uint32_t i, uint32_t parent, uint32_t down)
{
	const struct frame *frames = g->from->frames;
	uint32_t shift = g->to.count - i; /* may wrap around */
	uint64_t begin = frames[i].start;

	for (uint32_t c = i; c < frames[i].end; c++) {
		struct frame *copy = &g->to.frames[g->to.count];

		*copy = frames[c];
		copy->parent = c == i ? parent : frames[c].parent + shift;
		copy->end += shift;
		copy->depth += down;
		copy->start = g->start + (frames[c].start - begin);
		if (g->to.levels <= copy->depth)
			g->to.levels = copy->depth + 1;
		if (g->to.arrival)
			g->to.arrival[g->to.count] = g->from->arrival[c];
		g->place[c] = g->to.count++;
	}
	g->start += frames[i].total;
}

static void gather_children(struct tree_gatherer *g, uint64_t least, bool small, uint32_t parent)
{
	const struct frame *frames = g->from->frames;

	for (uint32_t i = 1; i < frames[0].end; i = frames[i].end) {
		if ((frames[i].total < least) == small)
			gather_child(g, i, parent, small);
	}
}

SORT_BY(tree_gather_by_frame, struct tree_fold, frame);

void tree_gather(struct tree *t, uint64_t least, uint32_t name)
{
	uint32_t rest;
	struct tree_gatherer g = {
		.from = t,
		.to = { .frames = xcalloc((size_t)t->count + 1, sizeof(*t->frames)),
			.count = 1,
			.least = t->least,
			.folds = t->folds,
			.fold_count = t->fold_count,
			.folded = t->folded },
		.place = xcalloc(t->count, sizeof(*g.place)),
	};

	g.to.arrival = t->arrival ? xcalloc((size_t)t->count + 1, sizeof(*t->arrival)) : NULL;
	g.to.frames[0] = t->frames[0];
	g.to.frames[0].end++;
	gather_children(&g, least, false, 0);
	rest = g.to.count++;
	g.to.frames[rest] = (struct frame){ .name = name, .depth = 1, .start = g.start, .end = g.to.frames[0].end };
	gather_children(&g, least, true, rest);
	g.to.frames[rest].total = g.start - g.to.frames[rest].start;
	for (uint32_t f = 0; f < t->fold_count; f++)
		t->folds[f].frame = g.place[t->folds[f].frame];
	if (t->fold_count)
		qsort(t->folds, t->fold_count, sizeof(*t->folds), tree_gather_by_frame);
	t->folds = NULL; /* it has moved */
	tree_free(t);
	free(g.place);
	*t = g.to;
}
