#include "collect/recording/sums.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

enum { FIRST_SLOTS = 256 };

static bool sums_is_same(const struct sums *s, const struct sum *sum, const struct span *span)
{
	return sum->tid == span->tid && sum->pid == span->pid && (!s->by_cpu || sum->cpu == span->cpu) &&
	       sum->chain_count == span->chain_count &&
	       !memcmp(s->entries + sum->chain, span->chain, span->chain_count * sizeof(*span->chain));
}

/* The slot that has the span's sum, or in which it belongs. */
static uint32_t *sums_find(const struct sums *s, const struct span *span, uint64_t hash)
{
	size_t i = hash & (s->slot_count - 1);

	for (; s->slots[i]; i = (i + 1) & (s->slot_count - 1)) {
		const struct sum *sum = &s->list[s->slots[i] - 1];

		if (sum->hash == hash && sums_is_same(s, sum, span))
			break;
	}
	return &s->slots[i];
}

/* At most half of the slots are in use. */
static void sums_grow(struct sums *s)
{
	if (2 * (s->count + 1) <= s->slot_count)
		return;
	s->slot_count = s->slot_count ? 2 * s->slot_count : FIRST_SLOTS;
	free(s->slots);
	s->slots = xcalloc(s->slot_count, sizeof(*s->slots));
	for (size_t k = 0; k < s->count; k++) {
		size_t i = s->list[k].hash & (s->slot_count - 1);

		while (s->slots[i])
			i = (i + 1) & (s->slot_count - 1);
		s->slots[i] = (uint32_t)k + 1;
	}
}

static struct sum *sums_add_one(struct sums *s, const struct span *span, uint64_t hash)
{
	struct sum *sum;

	s->list = xgrow(s->list, &s->cap, s->count + 1, sizeof(*s->list));
	s->entries = xgrow(s->entries, &s->entry_cap, s->entry_count + span->chain_count, sizeof(*s->entries));
	memcpy(s->entries + s->entry_count, span->chain, span->chain_count * sizeof(*span->chain));
	sum = &s->list[s->count++];
	*sum = (struct sum){ .pid = span->pid,
			     .tid = span->tid,
			     .cpu = span->cpu,
			     .hash = hash,
			     .begin_ns = s->begin_ns,
			     .chain = s->entry_count,
			     .chain_count = (uint32_t)span->chain_count };
	s->entry_count += span->chain_count;
	return sum;
}

void sums_add(struct sums *s, const struct span *span)
{
	uint64_t hash = hash_mix(hash_bytes(span->chain, span->chain_count * sizeof(*span->chain)),
				 (uint64_t)span->tid << 32 | (s->by_cpu ? span->cpu : 0));
	struct sum *sum;
	uint32_t *slot;

	sums_grow(s);
	slot = sums_find(s, span, hash);
	if (*slot) {
		sum = &s->list[*slot - 1];
	} else {
		*slot = (uint32_t)s->count + 1;
		sum = sums_add_one(s, span, hash);
	}
	sum->count += span->count;
	sum->ns += span->ns;
	sum->migrations += span->migrations;
	if (span->longest_ns > sum->longest_ns)
		sum->longest_ns = span->longest_ns;
	if (span->begin_ns && span->begin_ns < sum->begin_ns)
		sum->begin_ns = span->begin_ns;
	if (span->cpu != sum->cpu)
		sum->cpu = UINT32_MAX;
}

void sums_flush(struct sums *s, const struct event *e, uint64_t end_ns, struct str *out)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct sum *sum = &s->list[i];

		span_add(out, e,
			 &(struct span){
				 .pid = sum->pid,
				 .tid = sum->tid,
				 .cpu = sum->cpu,
				 .time_ns = end_ns,
				 .ns = sum->ns,
				 .count = sum->count,
				 .longest_ns = sum->longest_ns,
				 .begin_ns = sum->begin_ns,
				 .migrations = sum->migrations,
				 .flags = s->flags,
				 .chain = s->entries + sum->chain,
				 .chain_count = sum->chain_count,
			 });
	}
	s->count = s->entry_count = 0;
	s->begin_ns = end_ns;
	if (s->slot_count)
		memset(s->slots, 0, s->slot_count * sizeof(*s->slots));
}

void sums_free(struct sums *s)
{
	free(s->list);
	free(s->entries);
	free(s->slots);
	*s = (struct sums){ 0 };
}
