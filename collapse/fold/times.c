#include "collapse/fold/times.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

void times_add(struct timed_samples *t, uint64_t wall_ns, const uint64_t *values, uint32_t stack)
{
	t->items = xgrow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count] = (struct timed_sample){ wall_ns, values[0], stack, (uint32_t)t->count };
	if (t->width) {
		t->more = xgrow(t->more, &t->more_cap, (t->count + 1) * t->width, sizeof(*t->more));
		memcpy(t->more + t->count * t->width, values + 1, t->width * sizeof(*values));
	}
	t->count++;
}

static int times_by_time(const void *a, const void *b, void *samples)
{
	const struct timed_sample *x = a, *y = b;
	const struct timed_samples *t = samples;
	int order = ORDER(x->wall_ns, y->wall_ns) ?: ORDER(x->stack, y->stack);

	if (!order && t->by_value)
		order = ORDER(x->value, y->value);
	for (size_t i = 0; !order && t->by_value && i < t->width; i++)
		order = ORDER(t->more[x->row * t->width + i], t->more[y->row * t->width + i]);
	return order ?: ORDER(x->row, y->row);
}

/* Add the values of b to those of a. */
static void times_merge(struct timed_samples *t, struct timed_sample *a, const struct timed_sample *b,
			const struct columns *columns)
{
	uint64_t *more = t->width ? &t->more[a->row * t->width] : NULL;

	a->value = column_merge(columns->list[0], a->value, b->value);
	for (size_t i = 0; i < t->width; i++) {
		size_t whole = i + 1 - columns->fractions; /* the column whose fraction this is */

		more[i] = column_merge(columns->list[i + 1], more[i], t->more[b->row * t->width + i]);
		if (columns->list[i + 1] != COLUMN_FRACTION || more[i] < COLUMN_ONE)
			continue;
		if (whole)
			more[whole - 1] = column_carry(more[whole - 1], &more[i]);
		else
			a->value = column_carry(a->value, &more[i]);
	}
}

static void merge_sums(struct timed_samples *t, const struct columns *columns)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i++) {
		struct timed_sample *last = kept ? &t->items[kept - 1] : NULL;

		if (last && last->wall_ns == TIMES_NONE && last->stack == t->items[i].stack)
			times_merge(t, last, &t->items[i], columns);
		else
			t->items[kept++] = t->items[i];
	}
	t->count = kept;
}

void times_sort(struct timed_samples *t, const uint32_t *line_of_stack, const struct columns *columns)
{
	bool sorted = true;

	for (size_t i = 0; i < t->count; i++) {
		t->items[i].stack = line_of_stack[t->items[i].stack];
		sorted = sorted && (!i || times_by_time(&t->items[i - 1], &t->items[i], t) <= 0);
	}
	if (!sorted)
		qsort_r(t->items, t->count, sizeof(*t->items), times_by_time, t);
	merge_sums(t, columns);
}

void times_free(struct timed_samples *t)
{
	free(t->items);
	free(t->more);
	*t = (struct timed_samples){ 0 };
}
