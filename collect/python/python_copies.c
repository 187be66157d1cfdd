#include "collect/python/python_copies.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

enum { HEAD = offsetof(struct python_copy, frames), KEPT_BYTES = 64 << 20 };

#define APART_NS 500000u             /* at most, between a sample and its copy */
#define KEPT_NS UINT64_C(5000000000) /* samples are walked later than they are read from their rings */

void python_copies_add(struct python_copies *c, const void *data, size_t size)
{
	struct python_copy head = { 0 };

	if (size < HEAD)
		return;
	memcpy(&head, data, HEAD);
	if (head.count > PYTHON_ENTRIES_MAX || size < HEAD + head.count * sizeof(*head.frames))
		return;
	if (c->bytes.len > KEPT_BYTES)
		python_copies_free(c);
	c->list = xgrow(c->list, &c->cap, c->count + 1, sizeof(*c->list));
	c->list[c->count++] = (struct python_arrived){ head.time_ns, c->bytes.len, (int)head.tid };
	str_add(&c->bytes, data, HEAD + head.count * sizeof(*head.frames));
	c->is_sorted = false;
	if (head.time_ns > c->newest_ns)
		c->newest_ns = head.time_ns;
}

static int python_copies_order(const void *a, const void *b)
{
	const struct python_arrived *x = a, *y = b;

	return ORDER(x->tid, y->tid) ?: ORDER(x->time_ns, y->time_ns);
}

static uint64_t python_copies_apart(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

const struct python_copy *python_copies_find(struct python_copies *c, int tid, uint64_t time_ns)
{
	struct python_arrived key = { .time_ns = time_ns, .tid = tid };
	const struct python_arrived *best = NULL;
	size_t low = 0, high = c->count;

	if (!c->is_sorted && c->count)
		qsort(c->list, c->count, sizeof(*c->list), python_copies_order);
	c->is_sorted = true;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (python_copies_order(&c->list[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (size_t i = low ? low - 1 : 0; i <= low && i < c->count; i++) {
		const struct python_arrived *a = &c->list[i];

		if (a->tid == tid && python_copies_apart(a->time_ns, time_ns) < APART_NS &&
		    (!best || python_copies_apart(a->time_ns, time_ns) < python_copies_apart(best->time_ns, time_ns)))
			best = a;
	}
	return best ? (const void *)(c->bytes.buf + best->at) : NULL;
}

void python_copies_age(struct python_copies *c)
{
	struct python_copies kept = { 0 };
	bool is_much = false;

	for (size_t i = 0; i < c->count && !is_much; i++)
		is_much = c->list[i].time_ns + 2 * KEPT_NS < c->newest_ns;
	if (!is_much) /* that is worth copying the rest */
		return;
	for (size_t i = 0; i < c->count; i++) {
		const struct python_copy *copy = (const void *)(c->bytes.buf + c->list[i].at);

		if (copy->time_ns + KEPT_NS >= c->newest_ns)
			python_copies_add(&kept, copy, HEAD + copy->count * sizeof(*copy->frames));
	}
	python_copies_free(c);
	*c = kept;
}

void python_copies_free(struct python_copies *c)
{
	str_free(&c->bytes);
	free(c->list);
	*c = (struct python_copies){ 0 };
}
