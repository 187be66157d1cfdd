#include "collapse/frames/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/chain.h"
#include "core/format/events.h"
#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/hash.h"
#include "core/memory.h"

/* The default of kernel.perf_event_max_stack, for events that do not set a limit. */
enum { DEFAULT_MAX_STACK = 127 };

static bool stacks_is_same(const void *stacks, uint32_t number, const void *wanted)
{
	const struct stack *stack = &((const struct stacks *)stacks)->items[number], *key = wanted;
	size_t bytes = key->chain_count * 8;

	return stack->hash == key->hash && stack->root == key->root && stack->context == key->context &&
	       stack->wakers == key->wakers && stack->kernel == key->kernel && stack->by_calls == key->by_calls &&
	       stack->end == key->end && stack->untaken == key->untaken && stack->untaken_of == key->untaken_of &&
	       stack->class_address == key->class_address && stack->span == key->span &&
	       stack->chain_count == key->chain_count && (!bytes || !memcmp(stack->chain, key->chain, bytes));
}

/* The waker of a hop: the context of its addresses, and its name. */
struct hop {
	uint32_t context, comm;
};

static uint32_t waker_name(struct sideband *sideband, int pid, int tid, uint64_t time_ns)
{
	struct comms *comms = &sideband->comms;

	if (tid)
		return thread_name_at(&sideband->thread_names, comms, pid, tid, time_ns);
	return intern_add(&comms->names, FOLDED_WAKER_INTERRUPT, strlen(FOLDED_WAKER_INTERRUPT));
}

/* Intern all hops of a chain together; returns their number + 1. */
static uint32_t stacks_find_wakers(struct stacks *s, const struct recorded_sample *sample, struct sideband *sideband)
{
	size_t count = 0;

	for (uint64_t i = sample->own_count; i < sample->chain_count; i++) {
		uint64_t entry = load_u64(sample->chain + 8 * i);
		struct space *space;
		struct hop *hop;

		if (!chain_is_waker(entry))
			continue;
		space = spaces_find(&sideband->spaces, chain_waker_pid(entry), sample->time_ns);
		s->hops = xgrow(s->hops, &s->hop_cap, count + 1, sizeof(*s->hops));
		hop = &s->hops[count++];
		hop->context = space_context(&sideband->spaces, space, sample->time_ns);
		hop->comm = waker_name(sideband, chain_waker_pid(entry), chain_waker_tid(entry), sample->time_ns);
	}
	return intern_add(&s->wakers, (const char *)s->hops, count * sizeof(*s->hops)) + 1;
}

static void stacks_add_wakers(struct stacks *s, struct chain *chain, const struct hop *hop, struct sideband *sideband,
			      uint64_t time_ns, struct stack *stack)
{
	uint32_t *start = stack->frames + stack->frame_count, *at = start;
	uint64_t label;

	for (; chain_hop(chain, &label); hop++) {
		struct space *space = spaces_find(&sideband->spaces, chain_waker_pid(label), time_ns);
		bool circles; /* not reported for wakers */
		uint32_t n;

		*at++ = FRAME_SEPARATOR;
		n = chain_frames(&s->places, chain, space, hop->context, time_ns, at, &circles);
		for (uint32_t i = 0; i < n; i++)
			*at++ |= FRAME_WAKER;
		*at++ = FRAME_TEXT | hop->comm;
	}
	stack->waker_frames = (uint32_t)(at - start);
}

static void stacks_take_apart(struct stacks *s, struct stack *stack, const struct recorded_sample *sample,
			      struct sideband *sideband, struct space *space)
{
	struct chain chain = chain_of(stack->chain, stack->chain_count, stack->kernel);
	size_t hops = stack->wakers ? intern_len(&s->wakers, stack->wakers - 1) / sizeof(*s->hops) : 0;

	chain.labelled = sample->has_wakers;
	/* The label of a hop becomes two frames. */
	stack->frames = arena_alloc(&s->arena, (stack->chain_count + hops) * sizeof(*stack->frames));
	stack->frame_count = chain_frames(&s->places, &chain, space, stack->context, sample->time_ns, stack->frames,
					  &stack->circles);
	if (stack->class_address)
		stack->class_frame =
			places_add(&s->places, space, stack->context, stack->class_address, sample->time_ns)
			<< FRAME_PLACE_SHIFT;
	if (hops) /* stacks_find_wakers() has just filled s->hops */
		stacks_add_wakers(s, &chain, s->hops, sideband, sample->time_ns, stack);
}

static void keep_chain(struct stacks *s, struct stack *stack)
{
	uint8_t *copy;

	if (!stack->chain_count) /* a sample without a stack: nothing to point at */
		return;
	copy = arena_alloc(&s->arena, 8 * (size_t)stack->chain_count);
	memcpy(copy, stack->chain, 8 * (size_t)stack->chain_count);
	stack->chain = copy;
}

static uint32_t max_stack(const struct recorded_event *event)
{
	return event->attr.sample_max_stack ? event->attr.sample_max_stack : DEFAULT_MAX_STACK;
}

/* The kernel's depth limit applies to frames that the kernel walked: if we walked the user part, only
 * to the kernel's part. */
static bool stacks_is_cut(const struct stack *stack, uint32_t max)
{
	uint32_t depth = 0;

	if (stack->end == RECORDING_END_TRUNCATED || stack->end == RECORDING_END_TOO_DEEP)
		return true;
	while (depth < stack->frame_count &&
	       ((!stack->walked && !stack->by_calls) || stack->frames[depth] & FRAME_KERNEL))
		depth++;
	return depth >= max;
}

/* ---- beside the reader ------------------------------------------------------------- */

static void stacks_add_part(struct stacks *s, uint32_t number, const struct recorded_sample *sample,
			    struct space *space)
{
	const struct stack *stack = &s->items[number];
	struct chain_part *part = stack_parts_add(s->parts);

	part->chain = stack->chain;
	part->chain_count = stack->chain_count;
	part->space = space;
	part->context = stack->context;
	part->time_ns = sample->time_ns;
	part->kernel = stack->kernel;
	part->stack = number;
	part->max = max_stack(sample->event);
}

static void stacks_take_part(void *stacks, const struct chain_part *part)
{
	struct stacks *s = stacks;
	struct stack *stack = &s->items[part->stack];

	stack->frames = part->frames;
	stack->frame_count = part->frame_count;
	stack->circles = part->circles;
	stack->truncated = stacks_is_cut(stack, part->max);
	s->truncated += stack->truncated ? stack->samples : 0; /* those so far */
}

void stacks_begin_parts(struct stacks *s)
{
	spaces_prepare(s->places.spaces);
	s->parts = stack_parts_start(&s->places, stacks_take_part, s);
}

void stacks_end_parts(struct stacks *s)
{
	if (s->parts)
		stack_parts_end(s->parts, &s->arena);
	s->parts = NULL;
}

/* ---- adding ------------------------------------------------------------------------ */

/* Add a sample's values to those of a stack; is_new: the stack has none yet. */
static void stacks_add_values(struct stacks *s, struct stack *stack, const uint64_t *values, bool is_new)
{
	const struct columns *c = s->columns;
	size_t width = c->count - 1;
	uint64_t *more;

	stack->value = column_merge(c->list[0], stack->value, values[0]);
	stack->samples++;
	if (!width)
		return;
	if (is_new) {
		s->more = xgrow(s->more, &s->more_cap, s->count * width, sizeof(*s->more));
		memset(s->more + (s->count - 1) * width, 0, width * sizeof(*s->more));
	}
	more = stacks_more(s, (uint32_t)(stack - s->items));
	for (size_t i = 0; i < width; i++)
		more[i] = column_merge(c->list[i + 1], more[i], values[i + 1]);
}

uint32_t stacks_add(struct stacks *s, const struct recorded_sample *sample, uint32_t root, struct sideband *sideband,
		    const uint64_t *values)
{
	struct space *space = spaces_find(&sideband->spaces, sample->pid, sample->time_ns);
	struct stack key = { .root = root,
			     .kernel = sample->kernel,
			     .walked = sample->walked,
			     .by_calls = sample->by_calls,
			     .end = (uint8_t)sample->end,
			     .untaken = sample->untaken,
			     .untaken_of = sample->untaken ? event_row_of(sample->event->name) : NULL,
			     .span = sample->event->spans && !sample->event->derived,
			     .class_address = sample->class_address },
		     *stack;
	size_t before = s->count;
	uint32_t number;

	key.context = space_context(&sideband->spaces, space, sample->time_ns);
	if (sample->has_wakers)
		key.wakers = stacks_find_wakers(s, sample, sideband);
	key.chain_count = sample->chain_count ? (uint32_t)sample->chain_count : sample->ip != 0;
	key.chain = sample->chain_count ? sample->chain : sample->ip_bytes;
	key.hash = hash_mix(hash_bytes(key.chain, key.chain_count * 8),
			    ((uint64_t)key.context << 32 | root) ^ key.class_address << 8 ^ key.untaken);
	number = hash_table_add(&s->table, key.hash, stacks_is_same, s, &key, (uint32_t)before);
	if (number == before)
		s->items = xgrow(s->items, &s->cap, ++s->count, sizeof(*s->items));
	stack = &s->items[number];
	if (number == before) {
		*stack = key;
		if (sample->chain_is_temporary)
			keep_chain(s, stack);
		if (s->parts && !key.wakers && !key.class_address) {
			stacks_add_part(s, number, sample, space);
		} else {
			stacks_take_apart(s, stack, sample, sideband, space);
			stack->truncated = stacks_is_cut(stack, max_stack(sample->event));
		}
	}
	s->truncated += stack->truncated;
	stacks_add_values(s, stack, values, s->count > before);
	return number;
}

void stacks_free(struct stacks *s)
{
	if (!s)
		return;
	free(s->items);
	hash_table_free(&s->table);
	free(s->more);
	free(s->hops);
	intern_free(&s->wakers);
	arena_free(&s->arena);
	places_free(&s->places);
	*s = (struct stacks){ 0 };
}
