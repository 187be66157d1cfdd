/* The input of a tree, and how many of its frames are kept. */
#include "render/profile/tree.h"

#include <stdlib.h>

#include "core/memory.h"

/* ---- totals --------------------------------------------------------------- */

static void tree_source_sum_up(struct tree_source *s)
{
	const struct profile *p = s->profile;

	for (size_t i = p->stack_count; i-- > 0;) {
		uint32_t stack = (uint32_t)i;

		s->total[i] += p->stacks[i].self;
		if (!profile_is_gap(p, stack))
			s->size[i] += profile_stack_end(p, stack) - p->stacks[i].first;
		if (i) {
			s->total[p->stacks[i].in] += s->total[i];
			s->size[p->stacks[i].in] += s->size[i];
		}
	}
}

/* All stacks but the first, sorted by the node that they hang below, then by number: a radix sort from the
 * lowest digit on. */
static uint32_t *sort_by_parent(const struct profile *p)
{
	enum { BITS = 11, DIGITS = 1 << BITS };
	size_t count = p->stack_count - 1;
	uint32_t *from = xmalloc(count * sizeof(*from)), *to = xmalloc(count * sizeof(*to)), *other;

	for (size_t i = 0; i < count; i++)
		from[i] = (uint32_t)i + 1;
	for (unsigned shift = 0; shift < 32 && p->count >> shift; shift += BITS) {
		size_t first[DIGITS + 1] = { 0 };

		for (size_t i = 0; i < count; i++)
			first[(p->stacks[from[i]].parent >> shift & (DIGITS - 1)) + 1]++;
		for (size_t d = 0; d < DIGITS; d++)
			first[d + 1] += first[d];
		for (size_t i = 0; i < count; i++)
			to[first[p->stacks[from[i]].parent >> shift & (DIGITS - 1)]++] = from[i];
		other = from;
		from = to;
		to = other;
	}
	free(to);
	return from;
}

void tree_source_make(struct tree_source *s, const struct profile *p)
{
	*s = (struct tree_source){ .profile = p };
	s->total = xcalloc(p->stack_count, sizeof(*s->total));
	s->size = xcalloc(p->stack_count, sizeof(*s->size));
	s->begin = xcalloc(p->stack_count, sizeof(*s->begin));
	tree_source_sum_up(s);
	s->hung = sort_by_parent(p);
	for (size_t i = p->stack_count - 1; i-- > 0;)
		s->begin[p->stacks[s->hung[i]].in] = (uint32_t)i;
}

void tree_source_free(struct tree_source *s)
{
	free(s->total);
	free(s->size);
	free(s->hung);
	free(s->begin);
	*s = (struct tree_source){ 0 };
}

/* ---- what is kept --------------------------------------------------------- */

/* The part of tree_kept() for one stack, whose nodes have the same total between two nodes below which other stacks
 * hang. */
static void tree_source_kept_of(const struct tree_source *s, uint32_t stack, const struct tree_limit *limit,
				uint64_t *kept, uint64_t *folds)
{
	const struct profile *p = s->profile;
	uint32_t first = p->stacks[stack].first, end = profile_stack_end(p, stack);
	uint64_t total = s->total[stack];

	for (uint32_t i = s->begin[stack]; i + 1 < p->stack_count;) {
		uint32_t child = s->hung[i], node = p->stacks[child].parent;
		bool folded = false;

		if (p->stacks[child].in != stack)
			break;
		for (; i + 1 < p->stack_count && p->stacks[s->hung[i]].parent == node; i++) {
			child = s->hung[i];
			total -= s->total[child];
			folded |= s->total[child] && !tree_keeps(limit, s->total[child], child) &&
				  profile_has_nodes(p, child) && !profile_is_gap(p, child);
		}
		if (node + 1 < end && !tree_keeps(limit, total, stack)) {
			*kept += node + 1 - first;
			*folds += folded || total;
			return;
		}
		*folds += folded;
	}
	*kept += end - first;
}

void tree_kept(const struct tree_source *s, const struct tree_limit *limit, uint64_t *kept, uint64_t *folds)
{
	*kept = *folds = 0;
	if (limit->high <= 1) { /* only frames of 0 are left out, which are not worth counting */
		*kept = s->profile->count;
		return;
	}
	for (uint32_t i = 0; i < s->profile->stack_count; i++) {
		if (tree_keeps(limit, s->total[i], i))
			tree_source_kept_of(s, i, limit, kept, folds);
	}
}

/* ---- how much to keep ----------------------------------------------------- */

/* Is the output of encode() within detail_bytes?  This is an estimate, in which names count for at most half. */
static bool tree_source_fits(const struct tree_source *s, const struct tree_limit *limit, uint64_t detail_bytes)
{
	enum { FRAME_BYTES = 5, FOLD_BYTES = 9, VALUE_BYTES = 4 };
	const struct profile *p = s->profile;
	uint64_t kept, folds, names = p->names.text_len / 2 + 10 * p->names.count;
	uint64_t values = p->layer_count ? VALUE_BYTES * (p->value_count / p->stack_count + 1) : 0;

	tree_kept(s, limit, &kept, &folds);
	if (names > detail_bytes / 2)
		names = detail_bytes / 2;
	return kept * (FRAME_BYTES + values / 2) + folds * (FOLD_BYTES + values) + names <= detail_bytes;
}

/* 2^exponent, but at most the root's total, since the root is always kept. */
static uint64_t power(const struct tree_source *s, unsigned exponent)
{
	return exponent < 64 && 1ull << exponent < s->total[0] ? 1ull << exponent : s->total[0];
}

/* Find a high, rounded total with which the frames fit, and a low one with which they do not. */
static struct tree_limit find_totals(const struct tree_source *s, uint64_t detail_bytes)
{
	struct tree_limit limit = { 1, 1, 0 };
	unsigned low = 0, high = 64; /* exponents */
	uint64_t step;

	if (tree_source_fits(s, &limit, detail_bytes))
		return limit;
	while (high - low > 1) {
		struct tree_limit middle = { 1, power(s, (low + high) / 2), 0 };

		if (middle.high == s->total[0] || tree_source_fits(s, &middle, detail_bytes))
			high = (low + high) / 2;
		else
			low = (low + high) / 2;
	}
	limit.low = power(s, low);
	limit.high = power(s, high);
	for (step = (limit.high - limit.low) / 16 + 1; limit.high - limit.low > step;) {
		struct tree_limit middle = { 1, limit.low + (limit.high - limit.low) / 2, 0 };

		if (tree_source_fits(s, &middle, detail_bytes))
			limit.high = middle.high;
		else
			limit.low = middle.high;
	}
	return limit;
}

struct tree_limit tree_limit_for(const struct tree_source *s, uint64_t detail_bytes)
{
	struct tree_limit limit = { 1, 1, 0 };
	uint32_t step;

	if (!detail_bytes)
		return limit;
	limit = find_totals(s, detail_bytes);
	if (limit.high <= 1 || !tree_source_fits(s, &limit, detail_bytes / 4 * 3))
		return limit;
	for (step = 1u << 31; step > s->profile->stack_count / 64; step /= 2) {
		struct tree_limit more = limit;

		more.stacks += step;
		if (more.stacks < s->profile->stack_count && tree_source_fits(s, &more, detail_bytes))
			limit = more;
	}
	return limit;
}
