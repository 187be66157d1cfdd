/* The parts of a bar, from the left to the right. */
#include "render/bars/chart.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "render/bars/bars_text.h"
#include "render/profile/number.h"

/* A segment, and what its place depends on. */
struct placed {
	const struct bars_segment *segment;
	uint64_t amount;    /* of the measure */
	uint64_t by_amount; /* of all of this by in the group */
	uint32_t group;     /* the first kind of its group */
};

/* The first of the kinds that are of kind's group, of which before may be one. */
static uint32_t group_of(const struct bars *b, uint32_t kind, const struct placed *before)
{
	if (before && !strcmp(b->kinds[before->group].group, b->kinds[kind].group))
		return before->group;
	while (kind && !strcmp(b->kinds[kind - 1].group, b->kinds[kind].group))
		kind--;
	return kind;
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int by_usurper(const void *a, const void *b)
{
	const struct placed *one = a, *other = b;
	int order = compare(one->group, other->group);

	return order ? order : compare(one->segment->by, other->segment->by);
}

static int by_place(const void *a, const void *b, void *ctx)
{
	const struct placed *one = a, *other = b;
	int order = compare(one->group, other->group);

	if (!order)
		order = compare(other->by_amount, one->by_amount);
	if (!order)
		order = bars_compare_names(ctx, one->segment->by, other->segment->by);
	return order ? order : compare(one->segment->kind, other->segment->kind);
}

/* Those of the segments that have something of the measure, in order. */
static struct placed *place(const struct bars_plan *plan, const struct bars_segment *segments,
			    size_t count, size_t *placed_count)
{
	const struct bars *b = plan->chart->bars;
	struct placed *placed = xcalloc(count, sizeof(*placed));
	size_t n = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t amount = bars_measure(&segments[i].amount, plan->chart->style->by_count);

		if (!amount)
			continue;
		placed[n] = (struct placed){ &segments[i], amount, 0,
					     group_of(b, segments[i].kind, n ? &placed[n - 1] : NULL) };
		n++;
	}
	if (n)
		qsort(placed, n, sizeof(*placed), by_usurper);
	for (size_t i = 0, end; i < n; i = end) {
		uint64_t sum = 0;

		for (end = i; end < n && !by_usurper(&placed[i], &placed[end]); end++)
			sum += placed[end].amount;
		for (size_t k = i; k < end; k++)
			placed[k].by_amount = sum;
	}
	if (n)
		qsort_r(placed, n, sizeof(*placed), by_place, (void *)b);
	*placed_count = n;
	return placed;
}

struct bars_piece *bars_pieces(const struct bars_plan *plan, const struct bars_segment *segments,
			       size_t count, int32_t room, size_t *piece_count)
{
	size_t placed_count, n = 0;
	struct placed *placed = place(plan, segments, count, &placed_count);
	struct bars_piece *pieces = xcalloc(placed_count + 1, sizeof(*pieces)), *p = NULL;
	uint64_t before = 0, sum = 0, scale, largest = 0;

	for (size_t i = 0; i < placed_count; i++)
		sum += placed[i].amount;
	scale = sum > plan->scale ? sum : plan->scale;
	for (size_t i = 0; i < placed_count; i++) {
		int32_t end;

		/* a narrow one joins narrow ones of its group */
		if (!p || p->w >= plan->piece_min || placed[i].group != placed[i - 1].group) {
			p = &pieces[n++];
			p->x = (int32_t)scale_u64(before, (uint64_t)room, scale);
			largest = 0;
		}
		before += placed[i].amount;
		end = (int32_t)scale_u64(before, (uint64_t)room, scale);
		p->w = end - p->x;
		p->amount += placed[i].amount;
		p->count++;
		if (placed[i].amount > largest) {
			largest = placed[i].amount;
			p->segment = placed[i].segment;
		}
	}
	free(placed);
	*piece_count = n;
	return pieces;
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
