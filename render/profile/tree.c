#include "render/profile/tree.h"

#include <stdlib.h>

#include "core/sorted.h"

uint64_t tree_self(const struct tree *t, uint32_t i)
{
	uint64_t self = t->frames[i].total;

	for (uint32_t c = i + 1; c < t->frames[i].end; c = t->frames[c].end)
		self -= t->frames[c].total;
	return self;
}

uint64_t tree_gap(const struct tree *t, uint32_t i)
{
	const struct frame *frames = t->frames;
	uint32_t before = i - 1, parent = frames[i].parent;

	if (!t->charted)
		return 0;
	if (before == parent)
		return frames[i].start - frames[parent].start;
	while (frames[before].parent != parent)
		before = frames[before].parent;
	return frames[i].start - frames[before].start - frames[before].total;
}

uint32_t tree_levels(const struct tree *t, uint32_t i)
{
	uint32_t deepest = t->frames[i].depth;

	if (!i)
		return t->levels;
	for (uint32_t c = i; c < t->frames[i].end; c++) {
		if (t->frames[c].depth > deepest)
			deepest = t->frames[c].depth;
	}
	return deepest - t->frames[i].depth + 1;
}

/* The first fold at or after frame i. */
static uint32_t first_fold(const struct tree *t, uint32_t i)
{
	return FIRST_NOT(n, t->fold_count, t->folds[n].frame < i);
}

uint32_t tree_folded(const struct tree *t, uint32_t i)
{
	return t->frames[i].name == PROFILE_FOLDED_NAME ? t->folds[first_fold(t, i)].count : 0;
}

uint32_t tree_folds_below(const struct tree *t, uint32_t root)
{
	return first_fold(t, t->frames[root].end) - first_fold(t, root);
}

uint64_t tree_folded_below(const struct tree *t, uint32_t root)
{
	uint64_t folded = 0;
	uint32_t first = first_fold(t, root), count = tree_folds_below(t, root);

	for (uint32_t f = first; f < first + count; f++)
		folded += t->folds[f].count;
	return folded;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	free(t->frames);
	free(t->folds);
	free(t->arrival);
	free(t->frame_of);
	free(t->values);
	free(t->values_at);
	*t = (struct tree){ 0 };
}
