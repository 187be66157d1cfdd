#include "collapse/cause/follow.h"

#include <stdlib.h>

#include "collapse/cause/block_wait.h"
#include "core/format/recording.h"
#include "core/memory.h"
#include "core/sorted.h"

bool cause_is_device(struct cause_frames *f, const struct history_span *block)
{
	/* fs/sync.c, fs/read_write.c: a file system may wait in functions of its own */
	static const char *const writes[] = { "do_fsync", "vfs_fsync_range", "vfs_write", "vfs_writev", NULL };
	enum wait_kind kind = frames_wait_named(f, block->stack);

	return block->state == RECORDING_BLOCKED_IO || kind == WAIT_IO || kind == WAIT_FAULT ||
	       (block->state == RECORDING_BLOCKED && frames_has(f, block->stack, writes));
}

/* The thread waited for no particular thread: what does its own stack say that it waits for? */
static enum cause_kind own_kind(struct cause_frames *f, const struct history_span *block)
{
	if (cause_is_device(f, block))
		return CAUSE_IO;
	switch (frames_wait_named(f, block->stack)) {
	case WAIT_SLEEP: return CAUSE_SLEPT;
	case WAIT_PROCESS: return CAUSE_PROCESS;
	case WAIT_ANOTHER_THREAD: return CAUSE_THREAD;
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

/* Does the search end at this block, because no thread ended it, or because no thread of the recording can provide what
 * it waits for? */
static bool is_last(const struct history *h, struct cause_frames *f, const struct history_span *block)
{
	enum wait_kind kind = frames_wait_named(f, block->stack);

	if (block->other >= HISTORY_INTERRUPT || kind == WAIT_SLEEP || kind == WAIT_WORK)
		return true;
	if (block->state == RECORDING_BLOCKED && block_wait_kind(h, f, block) == WAIT_LOCK)
		return false; /* functions of the kernel, during a page fault or fsync() */
	return cause_is_device(f, block);
}

enum { LEAST_KNOWN = 4 };

/* Ends at the block itself. */
static struct cause end_here(struct cause c, struct cause_frames *f, const struct history_span *block)
{
	if (c.path_count)
		c.path_count--; /* it is the guilty one itself */
	return end_at(c, own_kind(f, block), block->thread, block->stack);
}

/* Little is known of the thread that ended the block.  But if the block was a wait for a lock, or for room in a pipe or a
 * socket, the thread that released the lock, or read, caused it. */
static struct cause end_unknown(const struct history *h, struct cause c, struct cause_frames *f,
				const struct history_span *block)
{
	if (c.path_count || (frames_wait_named(f, block->stack) != WAIT_LOCK &&
			     block_wish_of(h, f, block) != BLOCK_WISH_ROOM))
		return end_here(c, f, block);
	c.let_go = block->guessed ? HISTORY_NONE : block->stack;
	return end_at(c, CAUSE_RAN, block->other, HISTORY_NONE);
}

/* Such waits may be for work, which the sender may bring as late as it likes. */
static bool may_bring_work(struct cause_frames *f, const struct history_span *block)
{
	switch (frames_wait_named(f, block->stack)) {
	case WAIT_UNKNOWN:
	case WAIT_ANOTHER_THREAD:
	case WAIT_PROCESS:
	case WAIT_NETWORK: return true;
	default: return false;
	}
}

static bool is_same_place(struct cause_frames *f, uint32_t stack, uint32_t other)
{
	struct frames_function a, b;

	if (frames_wait_named(f, stack) != frames_wait_named(f, other))
		return false;
	a = frames_function(f, stack);
	b = frames_function(f, other);
	return a.text == b.text && a.caller == b.caller;
}

/* If the chain passes through a block (of another thread than the victim) that may be a wait for work, and no thread is
 * active at the end of the chain, then only the chain up to that block is certain. */
static bool ends_before(const struct cause *c, const struct history_span *through)
{
	return through && (c->kind == CAUSE_SLEPT || c->kind == CAUSE_WORK || c->kind == CAUSE_OUTSIDE);
}

/* For how long did devices block the thread in that time?  *longest is the longest such block. */
static uint64_t device_ns(const struct history *h, struct cause_frames *f, uint32_t thread, uint64_t from_ns,
			  uint64_t to_ns, const struct history_span **longest)
{
	const struct history_range *r = &h->threads[thread].blocks;
	const struct history_span *blocks = h->blocks.items + r->first;
	uint64_t ns = 0, most = 0;

	for (size_t i = FIRST_NOT(at, r->count, blocks[at].end_ns <= from_ns); i < r->count; i++) {
		uint64_t part = history_overlap(&blocks[i], from_ns, to_ns);

		if (blocks[i].begin_ns >= to_ns)
			break;
		if (!cause_is_device(f, &blocks[i]))
			continue;
		ns += part;
		if (part > most)
			*longest = &blocks[i];
		most = part > most ? part : most;
	}
	return ns;
}

/* Did the waker write, and again, so that each of its blocks is only a part of that?  Then *next is the longest of them. */
static bool wrote_mostly(const struct history *h, struct cause_frames *f, const struct cause *c, uint32_t waker,
			 uint64_t blocked, const struct history_span **next)
{
	uint64_t all = c->to_ns - c->from_ns, busy = c->ran_ns + c->ready_ns + c->throttled_ns, device;
	const struct history_span *longest = NULL;

	if (blocked * 2 >= all || busy * 2 >= all)
		return false;
	device = device_ns(h, f, waker, c->from_ns, c->to_ns, &longest);
	if (device <= blocked || device <= busy || device * LEAST_KNOWN < all)
		return false;
	*next = longest;
	return true;
}

/* Follow the chain from the victim to its end, or to a block about which little is known.  only: the process that the
 * chain must not leave, or HISTORY_NONE. */
static struct cause follow_wakers(const struct history *h, struct cause_frames *f, const struct history_span *block,
				  uint32_t only)
{
	const struct history_span *victim = block, *through = NULL;
	struct cause c = {
		.by = HISTORY_NONE, .let_go = HISTORY_NONE, .from_ns = block->begin_ns, .to_ns = block->end_ns
	};
	struct cause before = c;

	while (!is_last(h, f, block)) {
		uint32_t waker = block->other;
		uint64_t all = c.to_ns - c.from_ns;
		const struct history_span *next = history_block(h, waker, c.from_ns, c.to_ns);
		uint64_t blocked = next ? history_overlap(next, c.from_ns, c.to_ns) : 0;

		if (block != victim && !through && may_bring_work(f, block) &&
		    !is_same_place(f, victim->stack, block->stack)) {
			through = block;
			before = end_here(c, f, block);
		}
		c.ran_ns = history_ran(h, waker, c.from_ns, c.to_ns);
		c.ready_ns = history_waited(h, waker, c.from_ns, c.to_ns, &c.by);
		c.throttled_ns = history_throttled(h, waker, c.from_ns, c.to_ns);
		if (wrote_mostly(h, f, &c, waker, blocked, &next)) {
			c.let_go = block->guessed ? HISTORY_NONE : block->stack;
			return end_at(c, CAUSE_IO, waker, next->stack);
		}
		/* Little is known of what the waker did: it is not in the recording, or had just begun. */
		if ((only != HISTORY_NONE && h->threads[waker].process != only) ||
		    (c.ran_ns + c.ready_ns + c.throttled_ns + blocked) * LEAST_KNOWN < all)
			return through ? before : end_unknown(h, c, f, block);
		c.let_go = block->guessed ? HISTORY_NONE : block->stack;
		if (c.throttled_ns >= c.ran_ns + c.ready_ns && c.throttled_ns >= blocked)
			return end_at(c, CAUSE_THROTTLED, waker, HISTORY_NONE);
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
	c = end_here(c, f, block);
	return ends_before(&c, through) ? before : c;
}

struct cause cause_follow(const struct history *h, struct cause_frames *f, const struct history_span *block)
{
	return follow_wakers(h, f, block, HISTORY_NONE);
}

struct cause cause_inside(const struct history *h, struct cause_frames *f, const struct history_span *block)
{
	return follow_wakers(h, f, block, h->threads[block->thread].process);
}

struct cause cause_alone(enum cause_kind kind, uint32_t guilty, uint32_t stack, const struct history_span *s)
{
	return (struct cause){ .kind = kind,
			       .guilty = guilty,
			       .by = HISTORY_NONE,
			       .stack = stack,
			       .let_go = HISTORY_NONE,
			       .from_ns = s->begin_ns,
			       .to_ns = s->end_ns };
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
