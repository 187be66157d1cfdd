/* What a tree is made from, and how much of it is kept. */
#include "render/tree.h"

#include <stdlib.h>

#include "core/memory.h"

/* ---- totals --------------------------------------------------------------- */

static void sum_up(struct tree_source *s)
{
	const struct profile *p = s->profile;

	for (size_t i = p->stack_count; i-- > 0;) {
		uint32_t stack = (uint32_t)i;

		s->total[i] += p->stacks[i].self;
		s->size[i] += profile_stack_end(p, stack) - p->stacks[i].first;
		if (i) {
			s->total[p->stacks[i].in] += s->total[i];
			s->size[p->stacks[i].in] += s->size[i];
		}
	}
}

/* Every stack but the first, by the node that it hangs below, then by number: a
 * radix sort from the lowest digit on. */
static uint32_t *sort_by_parent(const struct profile *p)
{
	enum { BITS = 11, DIGITS = 1 << BITS };
	size_t count = p->stack_count - 1;
	uint32_t *from = xmalloc(count * sizeof(*from)), *to = xmalloc(count * sizeof(*to)), *other;

	for (size_t i = 0; i < count; i++)
		from[i] = (uint32_t)i + 1;
	for (unsigned shift = 0; shift < 32 && p->count >> shift; shift += BITS) {
		size_t first[DIGITS + 1] = {0};

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
	sum_up(s);
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
	*s = (struct tree_source){0};
}

/* ---- what is kept --------------------------------------------------------- */

/* One stack's part of tree_kept(): its nodes have the same total from one node,
 * below which others hang, to the next such node. */
static void kept_of(const struct tree_source *s, uint32_t stack, uint64_t least, uint64_t *kept,
		    uint64_t *folds)
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
			folded |= s->total[child] && s->total[child] < least &&
				  p->stacks[child].first < profile_stack_end(p, child);
		}
		if (node + 1 < end && total < least) {
			*kept += node + 1 - first;
			*folds += folded || total;
			return;
		}
		*folds += folded;
	}
	*kept += end - first;
}

void tree_kept(const struct tree_source *s, uint64_t least, uint64_t *kept, uint64_t *folds)
{
	*kept = *folds = 0;
	for (uint32_t i = 0; i < s->profile->stack_count; i++) {
		if (s->total[i] >= least)
			kept_of(s, i, least, kept, folds);
	}
}

/* About what encode() makes of them; the names take at most half of it. */
static bool fits(const struct tree_source *s, uint64_t least, uint64_t detail_bytes)
{
	enum { FRAME_BYTES = 5, FOLD_BYTES = 9, VALUE_BYTES = 4 };
	const struct profile *p = s->profile;
	uint64_t kept, folds, names = p->names.text_len / 2 + 10 * p->names.count;
	uint64_t values = p->layer_count ? VALUE_BYTES * (p->value_count / p->stack_count + 1) : 0;

	tree_kept(s, least, &kept, &folds);
	if (names > detail_bytes / 2)
		names = detail_bytes / 2;
	return kept * (FRAME_BYTES + values / 2) + folds * (FOLD_BYTES + values) + names <=
	       detail_bytes;
}

uint64_t tree_least(const struct tree_source *s, uint64_t detail_bytes)
{
	uint64_t low = 0, high = 1, step; /* low is too little, high is enough */

	if (!detail_bytes)
		return 1;
	while (high < s->total[0] && !fits(s, high, detail_bytes)) {
		low = high;
		high = high <= s->total[0] / 2 ? high * 2 : s->total[0];
	}
	for (step = (high - low) / 16 + 1; high - low > step;) {
		uint64_t middle = low + (high - low) / 2;

		if (fits(s, middle, detail_bytes))
			high = middle;
		else
			low = middle;
	}
	return high;
}
