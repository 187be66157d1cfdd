#include "core/textsort.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"

enum { INSERTED = 10, RADIX_MIN = 512, RADIX_BITS = 8, PARTS_MAX = 1 << RADIX_BITS };

/* refs[0..count), whose items are equal up to the bytes of their keys; depth is after these bytes. */
struct sort_range {
	struct sort_ref *refs;
	size_t count, depth;
};

/* The bits in which keys differ. */
static uint64_t textsort_difference(const struct sort_range *r)
{
	uint64_t differ = 0;

	for (size_t i = 1; i < r->count; i++)
		differ |= r->refs[i].key ^ r->refs[0].key;
	return differ;
}

static void textsort_swap(struct sort_ref *a, struct sort_ref *b)
{
	struct sort_ref old = *a;

	*a = *b;
	*b = old;
}

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c)
{
	if (a < b)
		return b < c ? b : a < c ? c : a;
	return a < c ? a : b < c ? c : b;
}

static uint64_t textsort_pivot(const struct sort_range *r)
{
	const struct sort_ref *a = r->refs, *m = a + r->count / 2, *z = a + r->count - 1;
	size_t step = r->count / 8;

	if (r->count < 64)
		return middle(a->key, m->key, z->key);
	return middle(middle(a->key, a[step].key, a[2 * step].key),
		      middle(m[-(ptrdiff_t)step].key, m->key, m[step].key),
		      middle(z[-2 * (ptrdiff_t)step].key, z[-(ptrdiff_t)step].key, z->key));
}

/* Divide r at a pivot into three parts. */
static size_t divide_at_pivot(const struct sort_range *r, struct sort_range *parts)
{
	uint64_t pivot = textsort_pivot(r);
	size_t below = 0, at = 0, above = r->count; /* < pivot | == | not compared yet | > */

	while (at < above) {
		uint64_t key = r->refs[at].key;

		if (key < pivot)
			textsort_swap(&r->refs[below++], &r->refs[at++]);
		else if (key > pivot)
			textsort_swap(&r->refs[at], &r->refs[--above]);
		else
			at++;
	}
	parts[0] = (struct sort_range){ r->refs, below, r->depth };
	parts[1] = (struct sort_range){ r->refs + below, above - below, r->depth };
	parts[2] = (struct sort_range){ r->refs + above, r->count - above, r->depth };
	return 3;
}

/* Divide r by the bits of its keys from shift on, which are the first ones that differ. */
static size_t divide_by_bits(const struct sort_range *r, int shift, struct sort_range *parts)
{
	size_t next[PARTS_MAX] = { 0 };
	struct sort_ref *at = r->refs;

	for (size_t i = 0; i < r->count; i++)
		next[r->refs[i].key >> shift & (PARTS_MAX - 1)]++;
	for (size_t d = 0; d < PARTS_MAX; d++) {
		parts[d] = (struct sort_range){ at, next[d], r->depth };
		next[d] = 0;
		at += parts[d].count;
	}
	for (size_t d = 0; d < PARTS_MAX; d++) {
		while (next[d] < parts[d].count) {
			struct sort_ref *ref = &parts[d].refs[next[d]];
			size_t to = ref->key >> shift & (PARTS_MAX - 1);

			if (to == d)
				next[d]++;
			else
				textsort_swap(ref, &parts[to].refs[next[to]++]);
		}
	}
	return PARTS_MAX;
}

static void textsort_insert(const struct sort_range *r, const struct sort_order *order, const void *context)
{
	for (size_t i = 1; i < r->count; i++) {
		struct sort_ref ref = r->refs[i];
		size_t to = i;

		for (; to; to--) {
			const struct sort_ref *before = &r->refs[to - 1];

			if (ref.key != before->key ? ref.key > before->key
						   : order->compare(context, ref.item, before->item, r->depth) >= 0)
				break;
			r->refs[to] = *before;
		}
		r->refs[to] = ref;
	}
}

/* Divide r, whose keys differ by these bits, into parts[0..PARTS_MAX) that come after one another.  Returns how many. */
static size_t textsort_split(const struct sort_range *r, uint64_t differ, struct sort_range *parts)
{
	int shift = 64 - __builtin_clzll(differ) - RADIX_BITS;

	if (r->count < RADIX_MIN)
		return divide_at_pivot(r, parts);
	return divide_by_bits(r, shift < 0 ? 0 : shift, parts);
}

/* Calls itself only for parts that are not the largest one, so nesting is not deeper than the logarithm of count. */
static void textsort_range(const struct sort_range *range, const struct sort_order *order, const void *context)
{
	struct sort_range r = *range, parts[PARTS_MAX];

	while (r.count > INSERTED) {
		uint64_t differ = textsort_difference(&r);
		size_t count, largest = 0;

		if (!differ) {
			if (!order->load(context, r.refs, r.count, &r.depth))
				return;
			continue;
		}
		count = textsort_split(&r, differ, parts);
		for (size_t i = 1; i < count; i++)
			largest = parts[i].count > parts[largest].count ? i : largest;
		for (size_t i = 0; i < count; i++) {
			if (i != largest && parts[i].count > 1)
				textsort_range(&parts[i], order, context);
		}
		r = parts[largest];
	}
	textsort_insert(&r, order, context);
}

void textsort_refs(struct sort_ref *refs, size_t count, const struct sort_order *order, const void *context)
{
	struct sort_range all = { refs, count, 0 };

	if (count > 1 && order->load(context, refs, count, &all.depth))
		textsort_range(&all, order, context);
}

/* ---- texts ------------------------------------------------------------------------- */

/* The eight bytes from at on, as a number with the same order; bytes after the end count as zero. */
static uint64_t textsort_key_at(const struct sort_text *t, size_t at)
{
	uint64_t key = 0;

	if (at < t->len)
		memcpy(&key, t->text + at, t->len - at < 8 ? t->len - at : 8);
	return be64toh(key);
}

/* When all texts have ended, they differ only in the number of zero bytes at their end: then their lengths are the keys. */
static bool load_text(const void *context, struct sort_ref *refs, size_t count, size_t *depth)
{
	size_t at = *depth;
	bool more = false, are_lengths = at >= 8;

	(void)context;
	for (size_t i = 0; i < count; i++) {
		const struct sort_text *t = refs[i].item;

		refs[i].key = textsort_key_at(t, at);
		more |= t->len > at;
		are_lengths &= t->len + 8 <= at; /* ... already */
	}
	for (size_t i = 0; i < count && !more; i++)
		refs[i].key = ((const struct sort_text *)refs[i].item)->len;
	*depth += 8;
	return !are_lengths;
}

static int compare_texts(const void *context, const void *a, const void *b, size_t depth)
{
	const struct sort_text *x = a, *y = b;
	size_t least = x->len < y->len ? x->len : y->len;
	int order = least > depth ? memcmp(x->text + depth, y->text + depth, least - depth) : 0;

	(void)context;
	return order ?: ORDER(x->len, y->len);
}

/* Put texts in the order of refs, in place: each cycle of the permutation is gone round once. */
static void textsort_permute(struct sort_text *texts, struct sort_ref *refs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct sort_text first = texts[i];

		for (size_t to = i, from;; to = from) {
			from = (size_t)((const struct sort_text *)refs[to].item - texts);
			refs[to].item = &texts[to];
			if (from == i) {
				texts[to] = first;
				break;
			}
			texts[to] = texts[from];
		}
	}
}

void textsort(struct sort_text *texts, size_t count)
{
	static const struct sort_order order = { load_text, compare_texts };
	struct sort_ref *refs = xmalloc(count * sizeof(*refs) + 1);

	for (size_t i = 0; i < count; i++)
		refs[i].item = &texts[i];
	textsort_refs(refs, count, &order, NULL);
	textsort_permute(texts, refs, count);
	free(refs);
}

uint32_t *textsort_ranks(const struct intern *texts)
{
	struct sort_text *sorted = xcalloc(texts->count + 1, sizeof(*sorted));
	uint32_t *ranks = xcalloc(texts->count + 1, sizeof(*ranks));

	for (uint32_t i = 0; i < texts->count; i++)
		sorted[i] = (struct sort_text){ .text = intern_text(texts, i), .len = intern_len(texts, i), .id = i };
	textsort(sorted, texts->count);
	for (uint32_t i = 0; i < texts->count; i++)
		ranks[sorted[i].id] = i;
	free(sorted);
	return ranks;
}
