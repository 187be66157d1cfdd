#include "collapse/cause/follow.h"

#include <stdlib.h>

#include "core/format/recording.h"
#include "core/memory.h"
#include "core/sorted.h"

bool cause_is_device(struct cause_frames *f, const struct history_span *block)
{
	enum wait_kind kind = frames_wait_named(f, block->stack);

	return block->state == RECORDING_BLOCKED_IO || kind == WAIT_IO || kind == WAIT_FAULT;
}

/* It waited for nobody in particular: what did its own stack want? */
static enum cause_kind own_kind(struct cause_frames *f, const struct history_span *block)
{
	if (cause_is_device(f, block))
		return CAUSE_IO;
	switch (frames_wait_named(f, block->stack)) {
	case WAIT_SLEEP: return CAUSE_SLEPT;
	case WAIT_PROCESS: return CAUSE_PROCESS;
	case WAIT_WORK: return CAUSE_WORK;
	default: return CAUSE_OUTSIDE;
	}
}

static bool is_on_path(const struct cause *c, uint32_t thread)
{
	for (uint32_t i = 0; i < c->path_count; i++) {
		if (c->path[i] == thread)
			return true;
	}
	return false;
}

static struct cause end_at(struct cause c, enum cause_kind kind, uint32_t guilty, uint32_t stack)
{
	c.kind = kind;
	c.guilty = guilty;
	c.stack = stack;
	return c;
}

/* Does the block end where one looks no further: woken by no thread, or waiting for what no thread here gives? */
static bool is_last(struct cause_frames *f, const struct history_span *block)
{
	enum wait_kind kind = frames_wait_named(f, block->stack);

	return block->other >= HISTORY_INTERRUPT || kind == WAIT_SLEEP || kind == WAIT_WORK ||
	       cause_is_device(f, block);
}

struct cause cause_follow(const struct history *h, struct cause_frames *f, const struct history_span *block)
{
	struct cause c = { .by = HISTORY_NONE, .from_ns = block->begin_ns, .to_ns = block->end_ns };

	while (!is_last(f, block)) {
		uint32_t waker = block->other;
		uint64_t all = c.to_ns - c.from_ns;
		const struct history_span *next = history_block(h, waker, c.from_ns, c.to_ns);
		uint64_t blocked = next ? history_overlap(next, c.from_ns, c.to_ns) : 0;

		c.ran_ns = history_ran(h, waker, c.from_ns, c.to_ns);
		c.ready_ns = history_waited(h, waker, c.from_ns, c.to_ns, &c.by);
		if (c.ran_ns >= c.ready_ns && (c.ran_ns >= blocked || c.ran_ns * 2 >= all))
			return end_at(c, CAUSE_RAN, waker, HISTORY_NONE);
		if (c.ready_ns >= blocked || c.ran_ns + c.ready_ns > blocked)
			return end_at(c, CAUSE_NO_CPU, waker, HISTORY_NONE);
		if (c.path_count == CAUSE_PATH_MAX || is_on_path(&c, waker) || waker == block->thread)
			return end_at(c, CAUSE_UNKNOWN, waker, next->stack);
		c.path[c.path_count++] = waker;
		if (next->begin_ns > c.from_ns)
			c.from_ns = next->begin_ns;
		if (next->end_ns < c.to_ns)
			c.to_ns = next->end_ns;
		block = next;
	}
	if (c.path_count)
		c.path_count--; /* it is the guilty one itself */
	return end_at(c, own_kind(f, block), block->thread, block->stack);
}

struct frames_function cause_function(const struct history *h, struct cause_frames *f, uint32_t thread, uint32_t stack,
				      uint64_t from_ns, uint64_t to_ns)
{
	const struct history_range *r = &h->threads[thread].samples;
	const struct history_span *samples = h->samples.items + r->first;
	size_t first = FIRST_NOT(i, r->count, samples[i].begin_ns < from_ns), count = 0;
	struct frames_function function;
	uint32_t *stacks;

	if (stack != HISTORY_NONE)
		return frames_function(f, stack);
	while (first + count < r->count && samples[first + count].begin_ns < to_ns)
		count++;
	stacks = xcalloc(count + 1, sizeof(*stacks));
	for (size_t i = 0; i < count; i++)
		stacks[i] = samples[first + i].stack;
	function = frames_common(f, stacks, count);
	free(stacks);
	return function;
}
