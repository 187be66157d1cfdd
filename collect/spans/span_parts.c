#include "collect/spans/span_parts.h"

#include <string.h>

#include "bpf/span_control.h"

struct span_parts span_parts_of_thread(const uint64_t *ns)
{
	struct span_parts p = { .rest = RECORDING_REASON_CPU };

	memcpy(p.ns, ns, PART_THROTTLED * sizeof(*ns));
	p.ns[RECORDING_REASON_THROTTLED] = ns[PART_THROTTLED];
	return p;
}

static uint64_t span_parts_encode_label(uint64_t reason, uint64_t ns)
{
	uint64_t limit = (UINT64_C(1) << RECORDING_REASON_SHIFT) - 1;

	return RECORDING_LABEL(RECORDING_LABEL_REASON, reason << RECORDING_REASON_SHIFT | (ns < limit ? ns : limit));
}

void span_parts_label(const struct span_parts *p, struct chain_builder *c)
{
	for (size_t i = 0; i < RECORDING_REASON_COUNT; i++) {
		if (p->ns[i])
			chain_builder_add_one(c, span_parts_encode_label(i, p->ns[i]));
	}
}

static void span_parts_add_part(struct span *part, struct chain_builder *c, uint64_t reason,
				void (*add)(void *context, const struct span *part), void *context)
{
	size_t before = c->count;

	chain_builder_add_one(c, span_parts_encode_label(reason, 0));
	part->chain = c->list;
	part->chain_count = c->count;
	add(context, part);
	c->count = before;
}

void span_parts_divide(const struct span_parts *p, const struct span *whole, struct chain_builder *c,
		       void (*add)(void *context, const struct span *part), void *context)
{
	struct span part = *whole;
	uint64_t rest = whole->ns;

	part.count = part.longest_ns = 0;
	for (size_t i = 0; i < RECORDING_REASON_COUNT; i++) {
		part.ns = p->ns[i] < rest ? p->ns[i] : rest;
		if (!part.ns || i == (size_t)p->rest)
			continue;
		span_parts_add_part(&part, c, i, add, context);
		rest -= part.ns;
	}
	part.ns = rest;
	part.count = whole->count;
	part.longest_ns = whole->longest_ns;
	span_parts_add_part(&part, c, p->rest, add, context);
}
