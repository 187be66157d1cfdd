#include "collapse/output/by_thread.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

static size_t item_count(const struct product *p)
{
	return p->times ? p->times->count : p->fold->count;
}

static uint32_t by_thread_line_of(const struct product *p, size_t i)
{
	return p->times ? p->times->items[i].stack : (uint32_t)i;
}

void by_thread_make(struct by_thread *b, struct line_view *v, const struct product *p)
{
	uint32_t *threads = xmalloc((p->fold->count + 1) * sizeof(*threads));
	size_t count = item_count(p), *next;

	for (size_t i = 0; i < p->fold->count; i++) {
		if (!p->fold->lines[i].kept)
			continue;
		line_view_of(v, &p->fold->lines[i]);
		threads[i] = v->thread;
	}
	*b = (struct by_thread){ .product = p, .thread_count = v->thread_keys.count };
	b->items = xmalloc((count + 1) * sizeof(*b->items));
	b->starts = xcalloc(b->thread_count + 2, sizeof(*b->starts));
	for (size_t i = 0; i < count; i++)
		b->starts[p->fold->lines[by_thread_line_of(p, i)].kept ? threads[by_thread_line_of(p, i)] + 1
								       : b->thread_count + 1]++;
	for (size_t i = 0; i < b->thread_count; i++)
		b->starts[i + 1] += b->starts[i];
	next = xmalloc((b->thread_count + 1) * sizeof(*next));
	memcpy(next, b->starts, (b->thread_count + 1) * sizeof(*next));
	for (size_t i = 0; i < count; i++) {
		if (p->fold->lines[by_thread_line_of(p, i)].kept)
			b->items[next[threads[by_thread_line_of(p, i)]]++] = (uint32_t)i;
	}
	free(next);
	free(threads);
}

struct item by_thread_item(const struct by_thread *b, size_t i)
{
	const struct product *p = b->product;
	const struct fold_line *line;
	const struct timed_sample *s;

	if (p->times) {
		s = &p->times->items[b->items[i]];
		return (struct item){ &p->fold->lines[s->stack], s->value, times_more(p->times, s), s->wall_ns };
	}
	line = &p->fold->lines[b->items[i]];
	return (struct item){ line, line->value, fold_more(p->fold, line), TIMES_NONE };
}

void by_thread_free(struct by_thread *b)
{
	free(b->items);
	free(b->starts);
	*b = (struct by_thread){ 0 };
}

/* ---- lanes ------------------------------------------------------------------------- */

/* A heap of lanes, with the lane that is free first at the top. */
struct used_lane {
	uint64_t end_ns;
	uint32_t number;
};

static bool by_thread_is_before(const struct used_lane *a, const struct used_lane *b)
{
	return a->end_ns != b->end_ns ? a->end_ns < b->end_ns : a->number < b->number;
}

static void sift_down(struct used_lane *heap, size_t count, size_t i)
{
	for (size_t child; (child = 2 * i + 1) < count; i = child) {
		struct used_lane lane = heap[i];

		child += child + 1 < count && by_thread_is_before(&heap[child + 1], &heap[child]);
		if (!by_thread_is_before(&heap[child], &heap[i]))
			return;
		heap[i] = heap[child];
		heap[child] = lane;
	}
}

static void sift_up(struct used_lane *heap, size_t i)
{
	for (; i && by_thread_is_before(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2) {
		struct used_lane lane = heap[i];

		heap[i] = heap[(i - 1) / 2];
		heap[(i - 1) / 2] = lane;
	}
}

/* Take the first lane off a heap. */
static struct used_lane by_thread_take(struct used_lane *heap, size_t *count)
{
	struct used_lane first = heap[0];

	heap[0] = heap[--*count];
	sift_down(heap, *count, 0);
	return first;
}

static void by_thread_put(struct used_lane *heap, size_t *count, struct used_lane lane)
{
	heap[*count] = lane;
	sift_up(heap, (*count)++);
}

size_t lanes_make(const struct by_thread *b, size_t from, size_t to, uint32_t **lanes)
{
	struct used_lane *busy = NULL, *idle = NULL; /* idle: those of the lowest numbers first */
	size_t busy_count = 0, idle_count = 0, busy_cap = 0, idle_cap = 0, count = 0;

	*lanes = xmalloc((to - from + 1) * sizeof(**lanes));
	for (size_t i = from; i < to; i++) {
		struct item item = by_thread_item(b, i);
		uint32_t lane;

		(*lanes)[i - from] = LANE_NONE;
		if (item.time_ns == TIMES_NONE)
			continue;
		while (busy_count && busy[0].end_ns <= item.time_ns)
			by_thread_put(idle, &idle_count,
				      (struct used_lane){ 0, by_thread_take(busy, &busy_count).number });
		lane = idle_count ? by_thread_take(idle, &idle_count).number : (uint32_t)count++;
		busy = xgrow(busy, &busy_cap, count, sizeof(*busy));
		idle = xgrow(idle, &idle_cap, count, sizeof(*idle));
		by_thread_put(busy, &busy_count, (struct used_lane){ item_end(&item), lane });
		(*lanes)[i - from] = lane;
	}
	free(busy);
	free(idle);
	return count;
}
