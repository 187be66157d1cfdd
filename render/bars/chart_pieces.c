/* The parts of a bar, from the left to the right. */
#include "render/bars/chart.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/sorted.h"
#include "render/bars/bars_text.h"
#include "render/profile/number.h"

/* A segment, and what determines its place. */
struct placed {
	const struct bars_segment *segment;
	uint64_t amount;    /* in the measure drawn */
	uint64_t by_amount; /* total of its by in the group */
	uint32_t group;     /* the first kind of its group */
	bool minor;         /* its thread gets no part of its own */
};

/* The first kind of the group of `kind`; before: the previous segment, which may be of the same group, or NULL. */
static uint32_t chart_pieces_group_of(const struct bars *b, uint32_t kind, const struct placed *before)
{
	if (before && !strcmp(b->kinds[before->group].group, b->kinds[kind].group))
		return before->group;
	while (kind && !strcmp(b->kinds[kind - 1].group, b->kinds[kind].group))
		kind--;
	return kind;
}

static int chart_pieces_by_usurper(const void *a, const void *b)
{
	const struct placed *one = a, *other = b;

	return ORDER(one->group, other->group) ?: ORDER(one->segment->by, other->segment->by);
}

static int chart_pieces_by_place(const void *a, const void *b, void *ctx)
{
	const struct placed *one = a, *other = b;
	const struct bars_segment *x = one->segment, *y = other->segment;

	return ORDER(one->group, other->group) ?: ORDER(one->minor, other->minor) ?:
	       (one->minor ? ORDER(x->kind, y->kind) ?: ORDER(other->amount, one->amount)
			   : ORDER(other->by_amount, one->by_amount)) ?:
	       bars_compare_names(ctx, x->by, y->by) ?: ORDER(x->kind, y->kind);
}

/* The end of the group that begins at placed[0]; *threads: how many threads it has. */
static size_t group_end(const struct bars *b, const struct placed *placed, size_t count, size_t *threads)
{
	size_t end = 0;

	*threads = 0;
	for (; end < count && placed[end].group == placed[0].group; end++) {
		if (end && !chart_pieces_by_usurper(&placed[end - 1], &placed[end]))
			continue;
		*threads += bars_is_thread(b, placed[end].segment->by);
	}
	return end;
}

/* Mark all threads of a group except the first few as minor; chart_pieces_by_place() has sorted them. */
static void mark_minor(const struct bars *b, struct placed *placed, size_t count)
{
	size_t rank = 0;

	for (size_t i = 0; i < count; i++) {
		if (!bars_is_thread(b, placed[i].segment->by))
			continue;
		rank += !i || chart_pieces_by_usurper(&placed[i - 1], &placed[i]) != 0;
		placed[i].minor = rank > BARS_TOLD;
	}
}

/* Move segments of minor threads to the end of their group. */
static void put_minor_last(const struct bars *b, struct placed *placed, size_t count)
{
	size_t threads;

	for (size_t i = 0, end; i < count; i = end) {
		end = i + group_end(b, placed + i, count - i, &threads);
		if (threads <= BARS_TOLD + 1)
			continue;
		mark_minor(b, placed + i, end - i);
		qsort_r(placed + i, end - i, sizeof(*placed), chart_pieces_by_place, (void *)b);
	}
}

/* The segments whose measure is not 0, in order. */
static struct placed *chart_pieces_place(const struct bars_plan *plan, const struct bars_segment *segments,
					 size_t count, size_t *placed_count)
{
	const struct bars *b = plan->chart->bars;
	struct placed *placed = xcalloc(count, sizeof(*placed));
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t amount = bars_measure(&segments[i].amount, plan->chart->style->by_count);

		if (!amount)
			continue;
		placed[n] = (struct placed){
			.segment = &segments[i],
			.amount = amount,
			.group = chart_pieces_group_of(b, segments[i].kind, n ? &placed[n - 1] : NULL),
		};
		n++;
	}
	if (n)
		qsort(placed, n, sizeof(*placed), chart_pieces_by_usurper);
	for (size_t i = 0, end; i < n; i = end) {
		uint64_t sum = 0;

		for (end = i; end < n && !chart_pieces_by_usurper(&placed[i], &placed[end]); end++)
			sum += placed[end].amount;
		for (size_t k = i; k < end; k++)
			placed[k].by_amount = sum;
	}
	if (n)
		qsort_r(placed, n, sizeof(*placed), chart_pieces_by_place, (void *)b);
	put_minor_last(b, placed, n);
	*placed_count = n;
	return placed;
}

/* Does the segment `it`, whose own width is w, become part of p, the previous piece?  Adjacent narrow segments of a
 * group do, and so do minor threads of one kind. */
static bool joins(const struct bars_plan *plan, const struct bars_piece *p, const struct placed *before,
		  const struct placed *it, int32_t w)
{
	if (it->group != before->group)
		return false;
	return (p->w < plan->piece_min && w < plan->piece_min) ||
	       (p->more && it->minor && it->segment->kind == p->segment->kind);
}

static void chart_pieces_add_part(struct bars_piece *p, const struct placed *it, bool by_count)
{
	p->more = it->minor && (!p->count || (p->more && it->segment->kind == p->segment->kind));
	p->count++;
	bars_amount_add(&p->amount, &it->segment->amount);
	if (!p->segment || it->amount > bars_measure(&p->segment->amount, by_count))
		p->segment = it->segment;
}

struct bars_pieces bars_pieces(const struct bars_plan *plan, const struct bars_segment *segments, size_t count,
			       int32_t room)
{
	bool by_count = plan->chart->style->by_count;
	size_t placed_count;
	struct placed *placed = chart_pieces_place(plan, segments, count, &placed_count);
	struct bars_pieces res = {
		.items = xcalloc(placed_count + 1, sizeof(*res.items)),
		.parts = xcalloc(placed_count + 1, sizeof(*res.parts)),
	};
	struct bars_piece *p = NULL;
	uint64_t before = 0, sum = 0, scale;

	for (size_t i = 0; i < placed_count; i++)
		sum += placed[i].amount;
	scale = sum > plan->scale ? sum : plan->scale;
	for (size_t i = 0; i < placed_count; i++) {
		int32_t x = (int32_t)scale_u64(before, (uint64_t)room, scale), end;

		before += placed[i].amount;
		end = (int32_t)scale_u64(before, (uint64_t)room, scale);
		if (!p || !joins(plan, p, &placed[i - 1], &placed[i], end - x)) {
			p = &res.items[res.count++];
			p->x = x;
			p->first = i;
		}
		p->w = end - p->x;
		res.parts[i] = placed[i].segment;
		chart_pieces_add_part(p, &placed[i], by_count);
	}
	free(placed);
	return res;
}

void bars_pieces_free(struct bars_pieces *pieces)
{
	free(pieces->items);
	free((void *)pieces->parts);
	*pieces = (struct bars_pieces){ 0 };
}

struct bars_segment *bars_sum_rows(const struct bars *b, size_t first, size_t end, size_t *count)
{
	struct bars_segment *sums = xcalloc(b->kind_count, sizeof(*sums));

	for (uint32_t k = 0; k < b->kind_count; k++)
		sums[k] = (struct bars_segment){ .kind = k, .by = BARS_NOBODY };
	for (size_t i = 0; i < b->segment_count; i++) {
		const struct bars_segment *s = &b->segments[i];

		if (s->row >= first && s->row < end)
			bars_amount_add(&sums[s->kind].amount, &s->amount);
	}
	*count = b->kind_count;
	return sums;
}
