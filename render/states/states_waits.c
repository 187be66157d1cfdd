#include "render/states/states_waits.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "render/bars/bars_text.h"
#include "render/states/states_kinds.h"

static int by_pair(const void *a, const void *b)
{
	const struct wait *one = a, *other = b;

	return ORDER(one->by, other->by) ?: ORDER(one->row, other->row);
}

int waits_by_weight(const void *a, const void *b, void *ctx)
{
	const struct wait *one = a, *other = b;

	return ORDER(other->amount.value, one->amount.value) ?: ORDER(other->amount.count, one->amount.count) ?:
	       bars_compare_names(ctx, one->by, other->by) ?: ORDER(one->row, other->row);
}

struct waits waits_find(const struct bars *b)
{
	struct waits w = { .bars = b, .items = xcalloc(b->segment_count, sizeof(*w.items)) };
	size_t count = 0;

	for (size_t i = 0; i < b->segment_count; i++) {
		const struct bars_segment *s = &b->segments[i];

		if (!strcmp(b->kinds[s->kind].group, STATES_RUNNABLE))
			w.items[w.count++] = (struct wait){ s->row, s->by, s->amount };
	}
	if (w.count)
		qsort(w.items, w.count, sizeof(*w.items), by_pair);
	for (size_t i = 0; i < w.count; i++) {
		if (count && !by_pair(&w.items[count - 1], &w.items[i]))
			bars_amount_add(&w.items[count - 1].amount, &w.items[i].amount);
		else
			w.items[count++] = w.items[i];
	}
	w.count = count;
	if (w.count)
		qsort_r(w.items, w.count, sizeof(*w.items), waits_by_weight, (void *)b);
	return w;
}

struct row_wait *waits_sum_rows(const struct waits *w)
{
	struct row_wait *rows = xcalloc(w->bars->row_count, sizeof(*rows));

	for (size_t i = 0; i < w->count; i++) {
		const struct wait *wait = &w->items[i];
		struct row_wait *row = &rows[wait->row];

		row->value += wait->amount.value;
		if (wait->by == BARS_NOBODY || !wait->amount.value)
			continue;
		if (row->top_count < WAITS_TOP)
			row->top[row->top_count++] = wait;
		if (!bars_is_thread(w->bars, wait->by))
			continue;
		row->threads++;
		row->thread = row->thread ? row->thread : wait;
	}
	return rows;
}
