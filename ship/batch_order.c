#include "ship/batch_order.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "core/wallclock.h"

enum { HOUR_S = 3600 };

static int by_hash(const void *a, const void *b)
{
	const struct definition *const *x = a, *const *y = b;

	return memcmp((*x)->hash, (*y)->hash, SIP_BYTES);
}

const struct definition **batch_used(const struct batch_rows *b, const struct batch_texts *t, size_t *count)
{
	const struct definition **used = xmalloc((t->count + 1) * sizeof(*used));
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++) {
		if (t->items[i].in_batch == b->number)
			used[n++] = &t->items[i];
	}
	qsort(used, n, sizeof(*used), by_hash);
	*count = n;
	return used;
}

/* The place of each definition in the order of their hashes; *count: how many the batch uses. */
static uint32_t *ranks_of(const struct batch_rows *b, const struct batch_texts *t, uint32_t *count)
{
	uint32_t *ranks = xmalloc((t->count + 1) * sizeof(*ranks)), rank = 0;
	size_t n;
	const struct definition **used = batch_used(b, t, &n);

	for (size_t i = 0; i < n; i++) { /* equal ones, such as labels that differ in the CPU only, have one place */
		rank += i && by_hash(&used[i - 1], &used[i]);
		ranks[used[i] - t->items] = rank;
	}
	*count = rank + 1;
	free(used);
	return ranks;
}

/* Sort rows by key[row] < count; equal ones stay as they are. */
static void sort_by(uint32_t *rows, uint32_t *other, size_t row_count, const uint32_t *key, uint32_t count)
{
	uint32_t *starts = xcalloc((size_t)count + 1, sizeof(*starts));

	for (size_t i = 0; i < row_count; i++)
		starts[key[rows[i]] + 1]++;
	for (uint32_t i = 0; i < count; i++)
		starts[i + 1] += starts[i];
	for (size_t i = 0; i < row_count; i++)
		other[starts[key[rows[i]]]++] = rows[i];
	memcpy(rows, other, row_count * sizeof(*rows));
	free(starts);
}

static int batch_order_by_time(const void *a, const void *b, void *batch)
{
	const struct batch_rows *all = batch;
	const uint32_t *second = (const uint32_t *)(const void *)all->second.buf,
		       *ns = (const uint32_t *)(const void *)all->ns.buf;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return ORDER(second[x], second[y]) ?: ORDER(ns[x], ns[y]) ?: ORDER(x, y);
}

/* Sort by definitions: key[] is made of their numbers. */
static void sort_by_texts(const struct batch_rows *b, const struct batch_texts *t, const struct str *numbers,
			  uint32_t *rows, uint32_t *other, uint32_t *key)
{
	const uint32_t *number = (const uint32_t *)(const void *)numbers->buf;
	uint32_t count, *ranks = ranks_of(b, t, &count);

	for (size_t i = 0; i < b->rows; i++)
		key[i] = ranks[number[i]];
	sort_by(rows, other, b->rows, key, count);
	free(ranks);
}

/* From the last part of the sort key to the first. */
uint32_t *batch_order(const struct batch_rows *b)
{
	uint32_t *rows = xmalloc(b->rows * sizeof(*rows)), *other = xmalloc(b->rows * sizeof(*other)),
		 *key = xmalloc(b->rows * sizeof(*key)), first = (uint32_t)(b->first_ns / NS_PER_SEC) / HOUR_S;
	const uint32_t *second = (const uint32_t *)(const void *)b->second.buf;

	for (size_t i = 0; i < b->rows; i++)
		rows[i] = (uint32_t)i;
	if (!b->in_time)
		qsort_r(rows, b->rows, sizeof(*rows), batch_order_by_time, (void *)(uintptr_t)b);
	sort_by_texts(b, &b->labels, &b->labels_of, rows, other, key);
	sort_by_texts(b, &b->stacks, &b->stack_of, rows, other, key);
	for (size_t i = 0; i < b->rows; i++)
		key[i] = second[i] / HOUR_S - first;
	sort_by(rows, other, b->rows, key, (uint32_t)(b->last_ns / NS_PER_SEC) / HOUR_S - first + 1);
	free(other);
	free(key);
	return rows;
}
