#include "collapse/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/symbols/chain.h"

/* kernel.perf_event_max_stack when the event does not say otherwise. */
enum { DEFAULT_MAX_STACK = 127 };

static struct stack *find(struct stacks *s, const struct stack *key, size_t *slot)
{
	size_t mask = s->slot_count - 1, bytes = key->chain_count * 8;

	for (*slot = key->hash & mask; s->slots[*slot]; *slot = (*slot + 1) & mask) {
		struct stack *stack = &s->items[s->slots[*slot] - 1];

		if (stack->hash == key->hash && stack->root == key->root &&
		    stack->context == key->context && stack->chain_count == key->chain_count &&
		    (!bytes || !memcmp(stack->chain, key->chain, bytes)))
			return stack;
	}
	return NULL;
}

static void grow(struct stacks *s)
{
	size_t count = s->slot_count ? s->slot_count * 2 : 4096;

	free(s->slots);
	s->slots = xcalloc(count, sizeof(*s->slots));
	s->slot_count = count;
	for (size_t n = 0; n < s->count; n++) {
		size_t i = s->items[n].hash & (count - 1);

		while (s->slots[i])
			i = (i + 1) & (count - 1);
		s->slots[i] = (uint32_t)n + 1;
	}
}

static void take_apart(struct stacks *s, struct stack *stack, struct space *space, bool kernel,
		       uint64_t time_ns)
{
	struct chain chain = chain_of(stack->chain, stack->chain_count, kernel);
	uint64_t address;

	stack->frames = arena_alloc(&s->arena, stack->chain_count * sizeof(*stack->frames));
	while (chain_next(&chain, &address)) {
		uint32_t place = places_add(&s->places, chain.kernel ? NULL : space,
					    chain.kernel ? 0 : stack->context, address, time_ns);

		stack->frames[stack->frame_count++] = place << 1 | chain.kernel;
	}
}

static uint32_t max_stack(const struct event *event)
{
	return event->attr.sample_max_stack ? event->attr.sample_max_stack : DEFAULT_MAX_STACK;
}

uint32_t stacks_add(struct stacks *s, const struct sample *sample, uint32_t root,
		    struct spaces *spaces, struct space *space, uint64_t value)
{
	struct stack key = { .root = root }, *stack;
	bool kernel = (int64_t)sample->ip < 0;
	size_t slot;

	key.context = space_context(spaces, space, sample->time_ns);
	key.chain_count = sample->chain_count ? (uint32_t)sample->chain_count : sample->ip != 0;
	key.chain = sample->chain_count ? sample->chain : sample->ip_bytes;
	key.hash = hash_mix(hash_bytes(key.chain, key.chain_count * 8),
			    (uint64_t)key.context << 32 | root);
	if (s->count * 2 >= s->slot_count)
		grow(s);
	stack = find(s, &key, &slot);
	if (!stack) {
		s->items = xgrow(s->items, &s->cap, s->count + 1, sizeof(*s->items));
		stack = &s->items[s->count];
		s->slots[slot] = (uint32_t)++s->count;
		*stack = key;
		take_apart(s, stack, space, kernel, sample->time_ns);
		stack->truncated = stack->frame_count >= max_stack(sample->event);
	}
	s->truncated += stack->truncated;
	stack->value += value;
	stack->samples++;
	return (uint32_t)(stack - s->items);
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	free(s->items);
	free(s->slots);
	arena_free(&s->arena);
	places_free(&s->places);
	*s = (struct stacks){0};
}
