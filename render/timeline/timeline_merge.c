/* Merging spans, so that there are fewer of them, with the same sums. */
#include "render/timeline/timeline.h"

#include <stdlib.h>

#include "core/memory.h"

/* The spans in the current piece of time. */
struct piece {
	const struct timeline *t;
	uint64_t ns;     /* its length */
	uint64_t *seen;  /* [stack] number + 1 of the last piece with a span of it */
	size_t *at;      /* [stack] the span in that piece that others are merged into */
	uint64_t number; /* of pieces so far, in all rows */
	uint64_t slot;   /* the current piece's place in its row */
};

static void piece_next(struct piece *p, const struct timeline_span *s, bool new_row)
{
	uint64_t slot = (s->start_ns - p->t->start_ns) / p->ns;

	if (new_row || slot != p->slot)
		p->number++;
	p->slot = slot;
}

static bool goes_into_another(const struct piece *p, const struct timeline_span *s)
{
	return s->time_ns < p->ns && p->seen[s->stack] == p->number + 1;
}

static bool is_new_row(const struct timeline *t, size_t i)
{
	return !i || t->stacks[t->spans[i].stack].row != t->stacks[t->spans[i - 1].stack].row;
}

/* How many spans are left if those within pieces of p->ns are merged; stops counting above limit. */
static size_t left_with(struct piece *p, size_t limit)
{
	const struct timeline *t = p->t;
	size_t left = 0;

	for (size_t i = 0; i < t->span_count && left <= limit; i++) {
		const struct timeline_span *s = &t->spans[i];

		piece_next(p, s, is_new_row(t, i));
		if (goes_into_another(p, s))
			continue;
		left++;
		if (s->time_ns < p->ns)
			p->seen[s->stack] = p->number + 1;
	}
	return left;
}

static void join(struct timeline *t, struct timeline_span *into, const struct timeline_span *s)
{
	struct timeline_values a = timeline_values_of(t, into), b = timeline_values_of(t, s);

	if (into->more == TIMELINE_PLAIN) {
		t->extras = xgrow(t->extras, &t->extras_cap, t->extra_count + 1, sizeof(*t->extras));
		into->more = (uint32_t)t->extra_count++;
	}
	into->time_ns += s->time_ns;
	t->extras[into->more] =
		(struct timeline_values){ into->time_ns, a.count + b.count,
					  a.longest > b.longest ? a.longest : b.longest, a.migrations + b.migrations };
}

/* Move each of spans first..end behind the end of the one before, which merging may have made longer: spans
 * that did not overlap before do not overlap now, and all stay within the time that they took together. */
static void push(struct timeline *t, size_t first, size_t end)
{
	uint64_t free_ns = 0;

	for (size_t i = first; i < end; i++) {
		struct timeline_span *s = &t->spans[i];

		s->start_ns = s->start_ns < free_ns ? free_ns : s->start_ns;
		if (__builtin_add_overflow(s->start_ns, s->time_ns, &free_ns))
			return; /* they overlapped before */
	}
}

static void merge(struct timeline *t, struct piece *p)
{
	size_t left = 0, first = 0;
	uint32_t row = UINT32_MAX;

	for (size_t i = 0; i < t->span_count; i++) {
		struct timeline_span s = t->spans[i];
		bool new_row = t->stacks[s.stack].row != row;
		uint64_t before = p->number;

		piece_next(p, &s, new_row);
		if (p->number != before) {
			push(t, first, left);
			first = left;
		}
		if (new_row) {
			row = t->stacks[s.stack].row;
			t->rows[row].first = left;
			t->rows[row].count = 0;
		}
		if (goes_into_another(p, &s)) {
			join(t, &t->spans[p->at[s.stack]], &s);
			continue;
		}
		if (s.time_ns < p->ns) {
			p->seen[s.stack] = p->number + 1;
			p->at[s.stack] = left;
		}
		t->rows[row].count++;
		t->spans[left++] = s;
	}
	push(t, first, left);
	t->merged = t->span_count - left;
	t->merged_ns = p->ns;
	t->span_count = left;
}

void timeline_merge(struct timeline *t, size_t limit)
{
	struct piece p = { .t = t, .ns = 1 };

	if (!limit || t->span_count <= limit)
		return;
	p.seen = xcalloc(t->texts.count, sizeof(*p.seen));
	p.at = xcalloc(t->texts.count, sizeof(*p.at));
	while (p.ns < (t->end_ns - t->start_ns) >> 24)
		p.ns *= 2;
	/* Numbers of pieces only grow, so `seen` need not be cleared. */
	while (left_with(&p, limit) > limit && p.ns <= t->end_ns - t->start_ns) {
		p.ns *= 2;
		p.number++;
	}
	p.number++;
	p.slot = 0;
	merge(t, &p);
	free(p.seen);
	free(p.at);
}
