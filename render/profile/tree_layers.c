/* The values of a tree's frames by layer. */
#include "render/profile/tree.h"

#include <stdlib.h>

#include "core/memory.h"
#include "core/sorted.h"

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
