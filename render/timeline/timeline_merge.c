/* Merging spans, so that there are fewer of them, with the same sums. */
#include "render/timeline/timeline.h"

#include <stdlib.h>

#include "core/memory.h"

/* The spans in the current piece of time. */
struct piece {
	const struct timeline *t;
	uint64_t ns;     /* its length */
	uint64_t *seen;  /* [stack] number + 1 of the last piece with a span of it */
	size_t *at;      /* [stack] the span in that piece into which others are merged */
	uint64_t number; /* of pieces so far, in all rows */
	uint64_t slot;   /* the current piece's place in its row */
};

static void piece_next(struct piece *p, const struct timeline_span *s, bool new_row)
{
	uint64_t slot = (s->start_ns - p->t->in.start_ns) / p->ns;

	if (new_row || slot != p->slot)
		p->number++;
	p->slot = slot;
}

/* The stack under which a short span is merged. */
static uint32_t merged_as(const struct timeline *t, const struct timeline_span *s)
{
	const struct timeline_stack *stack = &t->stacks[s->stack];

	return stack->trace != UINT32_MAX && stack->plain ? stack->plain : s->stack;
}

static bool goes_into_another(const struct piece *p, const struct timeline_span *s)
{
	return s->time_ns < p->ns && p->seen[merged_as(p->t, s)] == p->number + 1;
}

static bool is_new_row(const struct timeline *t, size_t i)
{
	return !i || t->stacks[t->spans[i].stack].row != t->stacks[t->spans[i - 1].stack].row;
}

/* How many spans remain if those within pieces of p->ns are merged; stops counting above limit. */
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
			p->seen[merged_as(t, s)] = p->number + 1;
	}
	return left;
}

static void timeline_merge_join(struct timeline *t, struct timeline_span *into, const struct timeline_span *s)
{
	struct timeline_values a = timeline_values_of(t, into), b = timeline_values_of(t, s);

	if (into->more == TIMELINE_PLAIN) {
		t->extras = xgrow(t->extras, &t->extras_cap, t->extra_count + 1, sizeof(*t->extras));
		into->more = (uint32_t)t->extra_count++;
	}
	if (into->stack != s->stack)
		into->stack = merged_as(t, into);
	into->time_ns += s->time_ns;
	t->extras[into->more] =
		(struct timeline_values){ into->time_ns, a.count + b.count,
					  a.longest > b.longest ? a.longest : b.longest, a.migrations + b.migrations };
}

/* Move each of spans first..end behind the end of the previous one, which merging may have made longer.  After this,
 * spans that did not overlap before still do not, and all stay within the time that they took together. */
static void timeline_merge_push(struct timeline *t, size_t first, size_t end)
{
	uint64_t free_ns = 0;

	for (size_t i = first; i < end; i++) {
		struct timeline_span *s = &t->spans[i];

		s->start_ns = s->start_ns < free_ns ? free_ns : s->start_ns;
		if (__builtin_add_overflow(s->start_ns, s->time_ns, &free_ns))
			return; /* they overlapped before */
	}
}

static void timeline_merge_spans(struct timeline *t, struct piece *p)
{
	size_t left = 0, first = 0;
	uint32_t row = UINT32_MAX;

	for (size_t i = 0; i < t->span_count; i++) {
		struct timeline_span s = t->spans[i];
		bool new_row = t->stacks[s.stack].row != row;
		uint64_t before = p->number;

		piece_next(p, &s, new_row);
		if (p->number != before) {
			timeline_merge_push(t, first, left);
			first = left;
		}
		if (new_row) {
			row = t->stacks[s.stack].row;
			t->rows[row].first = left;
			t->rows[row].count = 0;
		}
		if (goes_into_another(p, &s)) {
			timeline_merge_join(t, &t->spans[p->at[merged_as(t, &s)]], &s);
			continue;
		}
		if (s.time_ns < p->ns) {
			p->seen[merged_as(t, &s)] = p->number + 1;
			p->at[merged_as(t, &s)] = left;
		}
		t->rows[row].count++;
		t->spans[left++] = s;
	}
	timeline_merge_push(t, first, left);
	t->merged = t->span_count - left;
	t->merged_ns = p->ns;
	t->span_count = left;
}

void timeline_prepare_merge(struct timeline *t, size_t limit)
{
	size_t count = t->texts.count;

	for (uint32_t i = 0; limit && t->span_count > limit && i < count; i++) {
		struct timeline_stack plain = t->stacks[i];
		char *root;
		uint32_t number;

		if (plain.trace == UINT32_MAX)
			continue;
		root = xstrndup(intern_text(&t->texts, i), plain.root_len);
		number = intern_add(&t->texts, root, plain.root_len);
		free(root);
		if (number >= t->stacks_cap || number == t->texts.count - 1) {
			t->stacks = xgrow(t->stacks, &t->stacks_cap, t->texts.count, sizeof(*t->stacks));
			plain.trace = UINT32_MAX;
			plain.sum = (struct timeline_values){ 0 };
			t->stacks[number] = plain;
		}
		t->stacks[i].plain = number;
	}
}

/* Keep every n-th sample of each row. */
static void thin_samples(struct timeline *t, size_t limit)
{
	size_t every = t->sample_count / limit + 1, kept = 0;
	struct timeline_sample *thinned = xcalloc(t->sample_count + 1, sizeof(*thinned));

	for (size_t r = 0; r < t->row_count; r++) {
		struct timeline_row *row = &t->rows[r];
		size_t first = row->first_sample, count = row->sample_count;

		row->first_sample = kept;
		for (size_t i = 0; i < count; i += every)
			thinned[kept++] = t->samples[first + i];
		row->sample_count = kept - row->first_sample;
	}
	free(t->samples);
	t->samples = thinned;
	t->samples_cap = t->sample_count + 1;
	t->dropped_samples = t->sample_count - kept;
	t->sample_count = kept;
}

/* Renumber the items in use; all others get UINT32_MAX. */
static void rerank(uint32_t *rank, const bool *used, size_t count)
{
	uint32_t *order = xcalloc(count + 1, sizeof(*order)), next = 0;

	for (size_t i = 0; i < count; i++)
		order[rank[i]] = (uint32_t)i;
	for (size_t k = 0; k < count; k++)
		rank[order[k]] = used[order[k]] ? next++ : UINT32_MAX;
	free(order);
}

static void drop_unused(struct timeline *t)
{
	bool *stacks = xcalloc(t->texts.count + 1, sizeof(*stacks));
	bool *traces = xcalloc(t->traces.count + 1, sizeof(*traces));

	for (size_t i = 0; i < t->span_count; i++)
		stacks[t->spans[i].stack] = true;
	for (size_t i = 0; i < t->sample_count; i++)
		stacks[t->samples[i].stack] = true;
	for (size_t i = 0; i < t->sum_count; i++)
		stacks[t->sums[i].stack] = true;
	for (size_t i = 0; i < t->texts.count; i++) {
		if (stacks[i] && t->stacks[i].trace != UINT32_MAX)
			traces[t->stacks[i].trace] = true;
	}
	rerank(t->rank, stacks, t->texts.count);
	rerank(t->trace_rank, traces, t->traces.count);
	free(stacks);
	free(traces);
}

void timeline_merge(struct timeline *t, size_t limit)
{
	struct piece p = { .t = t, .ns = 1 };

	if (limit && t->sample_count > limit)
		thin_samples(t, limit);
	if (!limit || t->span_count <= limit)
		return;
	p.seen = xcalloc(t->texts.count, sizeof(*p.seen));
	p.at = xcalloc(t->texts.count, sizeof(*p.at));
	while (p.ns < (t->in.end_ns - t->in.start_ns) >> 24)
		p.ns *= 2;
	/* Numbers of pieces only grow, so `seen` need not be cleared. */
	while (left_with(&p, limit) > limit && p.ns <= t->in.end_ns - t->in.start_ns) {
		p.ns *= 2;
		p.number++;
	}
	p.number++;
	p.slot = 0;
	timeline_merge_spans(t, &p);
	free(p.seen);
	free(p.at);
	drop_unused(t);
}
