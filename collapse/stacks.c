#include "collapse/stacks.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

/* kernel.perf_event_max_stack when the event does not say otherwise. */
enum { DEFAULT_MAX_STACK = 127 };

/* Entries from here on say what the following addresses are (PERF_CONTEXT_*). */
#define FIRST_CONTEXT_MARK ((uint64_t)-4095)

static struct stack *find(struct stacks *s, const struct stack *key, size_t *slot)
{
	size_t mask = s->slot_count - 1, bytes = key->chain_count * sizeof(*key->chain);

	for (*slot = key->hash & mask; s->slots[*slot]; *slot = (*slot + 1) & mask) {
		struct stack *stack = &s->items[s->slots[*slot] - 1];

		if (stack->hash == key->hash && stack->root == key->root &&
		    stack->context == key->context && stack->chain_count == key->chain_count &&
		    !memcmp(stack->chain, key->chain, bytes))
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

static bool is_kernel_mark(uint64_t mark)
{
	return mark == (uint64_t)PERF_CONTEXT_KERNEL || mark == (uint64_t)PERF_CONTEXT_HV ||
	       mark == (uint64_t)PERF_CONTEXT_GUEST_KERNEL;
}

/* Addresses in a chain are those where the function goes on after its call: one
 * byte back is inside the call, also when that was the function's last
 * instruction.  Not so for the first address of each part, which was interrupted. */
static void take_apart(struct stacks *s, struct stack *stack, struct space *space, bool kernel,
		       uint64_t time_ns)
{
	uint32_t n = 0, depth = 0;
	bool interrupted = true;

	stack->frames = arena_alloc(&s->arena, stack->chain_count * sizeof(*stack->frames));
	for (uint32_t i = 0; i < stack->chain_count; i++) {
		uint64_t address = stack->chain[i];

		if (address >= FIRST_CONTEXT_MARK) {
			kernel = is_kernel_mark(address);
			interrupted = true;
			continue;
		}
		address -= !interrupted && address > 0;
		interrupted = false;
		depth++;
		stack->frames[n++] = places_add(&s->places, kernel ? NULL : space,
						kernel ? 0 : stack->context, address, time_ns) << 1 |
				     kernel;
	}
	stack->frame_count = n;
}

static uint32_t max_stack(const struct event *event)
{
	return event->attr.sample_max_stack ? event->attr.sample_max_stack : DEFAULT_MAX_STACK;
}

static uint32_t user_depth(const struct stack *stack)
{
	uint32_t n = 0;

	while (n < stack->frame_count && !(stack->frames[stack->frame_count - 1 - n] & 1))
		n++;
	return n;
}

static void count_quality(struct stacks *s, const struct stack *stack)
{
	uint32_t depth = user_depth(stack);

	s->truncated += stack->truncated;
	s->user += depth > 0;
	s->short_user += depth == 1 || depth == 2;
}

static uint64_t *copy_chain(struct stacks *s, const struct stack *key)
{
	uint64_t *copy = arena_alloc(&s->arena, key->chain_count * sizeof(*copy));

	memcpy(copy, key->chain, key->chain_count * sizeof(*copy));
	return copy;
}

uint32_t stacks_add(struct stacks *s, const struct sample *sample, uint32_t root,
		    struct spaces *spaces, struct space *space, uint64_t value)
{
	struct stack key = { .root = root }, *stack;
	bool kernel = (int64_t)sample->ip < 0;
	uint64_t alone = sample->ip;
	size_t slot;

	key.context = space_context(spaces, space, sample->time_ns);
	key.chain_count = sample->chain_count ? (uint32_t)sample->chain_count : 1;
	key.chain = sample->chain_count ? (const void *)sample->chain : &alone;
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
		stack->chain = copy_chain(s, &key);
		take_apart(s, stack, space, kernel, sample->time_ns);
		stack->truncated = stack->frame_count >= max_stack(sample->event);
	}
	count_quality(s, stack);
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
