#include "collapse/sched/switch_sums.h"

#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

static bool is_same(const struct switch_span *a, const struct switch_span *b)
{
	return a->tid == b->tid && a->by == b->by && a->cpu == b->cpu && a->state == b->state;
}

static uint32_t *find_slot(const struct switch_sums *s, const struct switch_span *span)
{
	uint64_t threads = (uint64_t)(uint32_t)span->tid << 32 | (uint32_t)span->by;
	size_t i = hash_mix(threads, (uint64_t)span->cpu << 8 | span->state) & (s->slot_count - 1);

	while (s->slots[i] && !is_same(&s->items[s->slots[i] - 1].span, span))
		i = (i + 1) & (s->slot_count - 1);
	return &s->slots[i];
}

static void grow(struct switch_sums *s)
{
	free(s->slots);
	s->slot_count = s->slot_count ? s->slot_count * 2 : 1024;
	s->slots = xcalloc(s->slot_count, sizeof(*s->slots));
	for (size_t i = 0; i < s->count; i++)
		*find_slot(s, &s->items[i].span) = (uint32_t)i + 1;
}

void switch_sums_add(struct switch_sums *s, const struct switch_span *span)
{
	struct switch_sum *sum;
	uint32_t *slot;

	if (s->count * 2 >= s->slot_count)
		grow(s);
	slot = find_slot(s, span);
	if (!*slot) {
		s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
		s->items[s->count++] = (struct switch_sum){ *span, span->begin_ns + span->ns, span->count };
		*slot = (uint32_t)s->count;
		return;
	}
	sum = &s->items[*slot - 1];
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

void switch_sums_free(struct switch_sums *s)
{
	free(s->items);
	free(s->slots);
	*s = (struct switch_sums){0};
}
