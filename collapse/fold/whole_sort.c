#include "collapse/fold/whole_sort.h"

#include <stdbool.h>

#include "collapse/fold/whole_text.h"
#include "core/load_ahead.h"

/* As multikey quicksort does (Bentley and Sedgewick, "Fast algorithms for sorting and searching strings", 1997), each part
 * of the texts is compared once; but by words, which are kept beside the references as keys, and large ranges are divided
 * by eight bits of these at once. */

enum { INSERTED = 10, AHEAD = 12, RADIX_MIN = 512, RADIX_BITS = 8, PARTS_MAX = 1 << RADIX_BITS };

/* refs[0..count), whose texts are equal up to depth, with the keys of depth. */
struct range {
	struct whole_ref *refs;
	size_t count, depth;
};

/* How many bytes more than depth do all texts have in common? */
static size_t common_to_all(const struct range *r)
{
	size_t more = SIZE_MAX;

	for (size_t i = 1; i < r->count && more; i++) {
		if (i + AHEAD < r->count)
			load_ahead(r->refs[i + AHEAD].text + r->depth, 1);
		more = whole_common(r->refs[0].text + r->depth, r->refs[i].text + r->depth, more);
	}
	return more;
}

static void whole_sort_load_keys(const struct range *r)
{
	for (size_t i = 0; i < r->count; i++) {
		if (i + AHEAD < r->count)
			load_ahead(r->refs[i + AHEAD].text + r->depth, 1);
		r->refs[i].key = whole_word(r->refs[i].text + r->depth);
	}
}

/* The bits in which keys differ. */
static uint64_t whole_sort_difference(const struct range *r)
{
	uint64_t differ = 0;

	for (size_t i = 1; i < r->count; i++)
		differ |= r->refs[i].key ^ r->refs[0].key;
	return differ;
}

static void whole_sort_swap(struct whole_ref *a, struct whole_ref *b)
{
	struct whole_ref old = *a;

	*a = *b;
	*b = old;
}

static uint64_t middle(uint64_t a, uint64_t b, uint64_t c)
{
	if (a < b)
		return b < c ? b : a < c ? c : a;
	return a < c ? a : b < c ? c : b;
}

static uint64_t pivot_of(const struct range *r)
{
	const struct whole_ref *a = r->refs, *m = a + r->count / 2, *z = a + r->count - 1;
	size_t step = r->count / 8;

	if (r->count < 64)
		return middle(a->key, m->key, z->key);
	return middle(middle(a->key, a[step].key, a[2 * step].key),
		      middle(m[-(ptrdiff_t)step].key, m->key, m[step].key),
		      middle(z[-2 * (ptrdiff_t)step].key, z[-(ptrdiff_t)step].key, z->key));
}

/* Divide r at a pivot into three parts. */
static size_t whole_sort_divide(const struct range *r, struct range *parts)
{
	uint64_t pivot = pivot_of(r);
	size_t below = 0, at = 0, above = r->count; /* < pivot | == | not compared yet | > */

	while (at < above) {
		uint64_t key = r->refs[at].key;

		if (key < pivot)
			whole_sort_swap(&r->refs[below++], &r->refs[at++]);
		else if (key > pivot)
			whole_sort_swap(&r->refs[at], &r->refs[--above]);
		else
			at++;
	}
	parts[0] = (struct range){ r->refs, below, r->depth };
	parts[1] = (struct range){ r->refs + below, above - below, r->depth };
	parts[2] = (struct range){ r->refs + above, r->count - above, r->depth };
	return 3;
}

/* Divide r by the bits of its keys from shift on, which are the first that differ. */
static size_t divide_by_bits(const struct range *r, int shift, struct range *parts)
{
	size_t next[PARTS_MAX] = { 0 };
	struct whole_ref *at = r->refs;

	for (size_t i = 0; i < r->count; i++)
		next[r->refs[i].key >> shift & (PARTS_MAX - 1)]++;
	for (size_t d = 0; d < PARTS_MAX; d++) {
		parts[d] = (struct range){ at, next[d], r->depth };
		next[d] = 0;
		at += parts[d].count;
	}
	for (size_t d = 0; d < PARTS_MAX; d++) {
		while (next[d] < parts[d].count) {
			struct whole_ref *ref = &parts[d].refs[next[d]];
			size_t to = ref->key >> shift & (PARTS_MAX - 1);

			if (to == d)
				next[d]++;
			else
				whole_sort_swap(ref, &parts[to].refs[next[to]++]);
		}
	}
	return PARTS_MAX;
}

/* Divide r into parts[0..PARTS_MAX) that come after one another.  Returns how many. */
static size_t whole_sort_split(struct range *r, struct range *parts)
{
	uint64_t differ;
	int shift;

	while (!(differ = whole_sort_difference(r))) { /* not the end of a text, since texts differ */
		r->depth += WHOLE_WORD;
		r->depth += common_to_all(r);
		whole_sort_load_keys(r);
	}
	if (r->count < RADIX_MIN)
		return whole_sort_divide(r, parts);
	shift = 64 - __builtin_clzll(differ) - RADIX_BITS;
	return divide_by_bits(r, shift < 0 ? 0 : shift, parts);
}

static bool whole_sort_is_before(const struct whole_ref *a, const struct whole_ref *b, size_t depth)
{
	if (a->key != b->key)
		return a->key < b->key;
	return whole_compare(a->text + depth + WHOLE_WORD, b->text + depth + WHOLE_WORD) < 0;
}

static void whole_sort_insert(const struct range *r)
{
	for (size_t i = 1; i < r->count; i++) {
		struct whole_ref ref = r->refs[i];
		size_t to = i;

		for (; to && whole_sort_is_before(&ref, &r->refs[to - 1], r->depth); to--)
			r->refs[to] = r->refs[to - 1];
		r->refs[to] = ref;
	}
}

/* Calls itself only for parts that are not the largest one, so nesting is not deeper than the logarithm of count. */
static void whole_sort_lines(const struct range *range)
{
	struct range r = *range, parts[PARTS_MAX];

	while (r.count > INSERTED) {
		size_t count = whole_sort_split(&r, parts), largest = 0;

		for (size_t i = 1; i < count; i++)
			largest = parts[i].count > parts[largest].count ? i : largest;
		for (size_t i = 0; i < count; i++) {
			if (i != largest && parts[i].count)
				whole_sort_lines(&parts[i]);
		}
		r = parts[largest];
	}
	whole_sort_insert(&r);
}

void whole_sort(struct whole_ref *refs, size_t count)
{
	struct range all = { refs, count, 0 };

	whole_sort_load_keys(&all);
	whole_sort_lines(&all);
	for (size_t i = 0; i < count; i++)
		refs[i].key = 0;
}
