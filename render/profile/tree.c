#include "render/profile/tree.h"

#include <stdlib.h>

#include "core/memory.h"
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

/* ---- layers ---- */

/* The values of a tree's frames by layer. */

static uint32_t tree_layers_first_value(const struct profile *p, size_t stack)
{
	return stack < p->first_count ? p->first_value[stack] : 0;
}

/* values_at[i]: where frame i's values begin before any are merged. */
static void count_values(struct tree *t, const struct profile *p, const uint32_t *frame_of)
{
	size_t sum = 0;

	t->values_at = xcalloc((size_t)t->count + 1, sizeof(*t->values_at));
	for (size_t n = 0; n < p->stack_count; n++) {
		for (uint32_t r = tree_layers_first_value(p, n); r; r = p->values[r].next)
			t->values_at[frame_of[n]]++;
	}
	for (uint32_t i = 0; i <= t->count; i++) {
		size_t count = t->values_at[i];

		t->values_at[i] = sum;
		sum += count;
	}
}

static void place_values(struct tree *t, const struct profile *p, const uint32_t *frame_of)
{
	size_t *at = xcalloc((size_t)t->count + 1, sizeof(*at));

	t->values = xcalloc(t->values_at[t->count], sizeof(*t->values));
	for (uint32_t i = 0; i < t->count; i++)
		at[i] = t->values_at[i];
	for (size_t n = 0; n < p->stack_count; n++) {
		for (uint32_t r = tree_layers_first_value(p, n); r; r = p->values[r].next)
			t->values[at[frame_of[n]]++] = (struct layer_value){ p->values[r].layer, p->values[r].value };
	}
	free(at);
}

SORT_BY(tree_layers_by_layer, struct layer_value, layer);

/* Several stacks can end in one frame: sort its values, and add up those of one layer. */
static void merge_values(struct tree *t)
{
	size_t out = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		size_t from = t->values_at[i], to = t->values_at[i + 1], first = out;

		if (to - from > 1)
			qsort(t->values + from, to - from, sizeof(*t->values), tree_layers_by_layer);
		t->values_at[i] = first;
		for (size_t v = from; v < to; v++) {
			if (out > first && t->values[out - 1].layer == t->values[v].layer)
				t->values[out - 1].value += t->values[v].value;
			else
				t->values[out++] = t->values[v];
		}
	}
	t->values_at[t->count] = out;
}

void tree_add_layers(struct tree *t, const struct profile *p, const uint32_t *frame_of)
{
	count_values(t, p, frame_of);
	place_values(t, p, frame_of);
	merge_values(t);
}

uint64_t *tree_layer_totals(const struct tree *t, uint32_t layer)
{
	uint64_t *totals = xcalloc(t->count, sizeof(*totals));

	for (uint32_t i = t->count; i-- > 0;) {
		for (size_t v = t->values_at[i]; v < t->values_at[i + 1]; v++) {
			if (t->values[v].layer == layer)
				totals[i] += t->values[v].value;
		}
		if (i)
			totals[t->frames[i].parent] += totals[i];
	}
	return totals;
}
