#include "collapse/sched/switch_sums.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

static bool switch_sums_is_same(const void *sums, uint32_t number, const void *key)
{
	const struct switch_span *a = &((const struct switch_sums *)sums)->items[number].span, *b = key;

	return a->tid == b->tid && a->by == b->by && a->cpu == b->cpu && a->state == b->state;
}

static uint64_t span_hash(const struct switch_span *span)
{
	uint64_t threads = (uint64_t)(uint32_t)span->tid << 32 | (uint32_t)span->by;

	return hash_mix(threads, (uint64_t)span->cpu << 8 | span->state);
}

static bool sum_is_known(const struct switch_sums *s, const struct switch_span *span)
{
	return hash_table_find(&s->table, span_hash(span), switch_sums_is_same, s, span) != HASH_TABLE_NONE;
}

static void sum_add(struct switch_sums *s, const struct switch_span *span)
{
	uint32_t number = hash_table_add(&s->table, span_hash(span), switch_sums_is_same, s, span, (uint32_t)s->count);
	struct switch_sum *sum;

	if (number == s->count) {
		s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
		s->items[s->count++] = (struct switch_sum){ *span, span->begin_ns + span->ns, span->count };
		return;
	}
	sum = &s->items[number];
	sum->span.ns += span->ns;
	sum->count += span->count;
	sum->span.open |= span->open;
	if (span->longest_ns > sum->span.longest_ns)
		sum->span.longest_ns = span->longest_ns;
	if (span->begin_ns < sum->span.begin_ns)
		sum->span.begin_ns = span->begin_ns;
	if (span->begin_ns + span->ns > sum->end_ns)
		sum->end_ns = span->begin_ns + span->ns;
}

void switch_sums_add(struct switch_sums *s, const struct switch_span *span)
{
	struct switch_span by_others = *span;

	if (!s->most || s->count < s->most || sum_is_known(s, span)) {
		sum_add(s, span);
		return;
	}
	by_others.by = RECORDING_BY_OTHERS;
	s->unnamed++;
	sum_add(s, &by_others);
}

void switch_sums_free(struct switch_sums *s)
{
	free(s->items);
	hash_table_free(&s->table);
	*s = (struct switch_sums){ 0 };
}
