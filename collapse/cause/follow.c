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
	if (block->state == RECORDING_BLOCKED && wait_is_for_lock(block_wait_kind(h, f, block)))
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

/* Is it certain who caused the block: who let a lock go, read from a pipe or a socket, or let the thread go on? */
static bool is_of_waker(const struct history *h, struct cause_frames *f, const struct history_span *block)
{
	enum block_wish wish = block_wish_of(h, f, block);

	return wish == BLOCK_WISH_ROOM || wish == BLOCK_WISH_GO_ON ||
	       wait_is_for_lock(frames_wait_named(f, block->stack));
}

/* Little is known of the thread that ended the block. */
static struct cause end_unknown(const struct history *h, struct cause c, struct cause_frames *f,
				const struct history_span *block)
{
	if (c.path_count || !is_of_waker(h, f, block))
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

/* What a thread did in some time. */
struct doing {
	uint64_t ran_ns, ready_ns, throttled_ns;
	uint32_t by;                      /* as in struct cause */
	uint64_t blocked_ns[CAUSE_KINDS]; /* by own_kind() */
	const struct history_span *longest[CAUSE_KINDS];
};

static struct doing doing_in(const struct history *h, struct cause_frames *f, uint32_t thread, uint64_t from_ns,
			     uint64_t to_ns)
{
	const struct history_range *r = &h->threads[thread].blocks;
	const struct history_span *blocks = h->blocks.items + r->first;
	struct doing d = { .ran_ns = history_ran(h, thread, from_ns, to_ns),
			   .throttled_ns = history_throttled(h, thread, from_ns, to_ns) };

	d.ready_ns = history_waited(h, thread, from_ns, to_ns, &d.by);
	for (size_t i = FIRST_NOT(at, r->count, blocks[at].end_ns <= from_ns); i < r->count; i++) {
		enum cause_kind kind = own_kind(f, &blocks[i]);

		if (blocks[i].begin_ns >= to_ns)
			break;
		d.blocked_ns[kind] += history_overlap(&blocks[i], from_ns, to_ns);
		if (!d.longest[kind] || history_length(&blocks[i]) > history_length(d.longest[kind]))
			d.longest[kind] = &blocks[i];
	}
	return d;
}

/* For what kind of thing was it blocked most? */
static enum cause_kind doing_most(const struct doing *d)
{
	enum cause_kind most = CAUSE_UNKNOWN;

	for (int i = CAUSE_UNKNOWN; i < CAUSE_KINDS; i++) {
		if (d->blocked_ns[i] > d->blocked_ns[most])
			most = (enum cause_kind)i;
	}
	return most;
}

/* Did the waker mostly wait for a device, an answer or a time, in several pieces?  Then *next is the longest of them. */
static bool waited_in_pieces(const struct history *h, struct cause_frames *f, const struct cause *c, uint32_t waker,
			     uint64_t blocked, const struct history_span **next)
{
	uint64_t all = c->to_ns - c->from_ns, busy = c->ran_ns + c->ready_ns + c->throttled_ns;
	enum cause_kind most;
	struct doing d;

	if (blocked * 2 >= all || busy * 2 >= all)
		return false;
	d = doing_in(h, f, waker, c->from_ns, c->to_ns);
	most = doing_most(&d);
	if (d.blocked_ns[most] <= blocked || d.blocked_ns[most] <= busy || d.blocked_ns[most] * LEAST_KNOWN < all)
		return false;
	*next = d.longest[most];
	return most == CAUSE_IO || most == CAUSE_SLEPT || most == CAUSE_PROCESS ||
	       frames_wait_named(f, (*next)->stack) == WAIT_NETWORK;
}

/* Those that passed the same thing on: one of them had it longest. */
struct follow_hold {
	uint32_t thread; /* HISTORY_NONE: nobody is known to have passed it on */
	uint64_t from_ns, to_ns;
	uint32_t let_go; /* as in struct cause */
	size_t count;
};

enum { FOLLOW_HANDS = 128 };

/* Did the waker, when it began to have the thing, wait in the same place itself?  Then go on with that wait. */
static bool follow_passes_on(struct cause_frames *f, struct follow_hold *hold, const struct history_span *block,
			     const struct history_span *next, struct cause *c)
{
	if (next->end_ns >= c->to_ns || hold->count == FOLLOW_HANDS || !is_same_place(f, block->stack, next->stack))
		return false;
	hold->count++;
	if (c->to_ns - next->end_ns > hold->to_ns - hold->from_ns) {
		hold->thread = next->thread;
		hold->from_ns = next->end_ns;
		hold->to_ns = c->to_ns;
		hold->let_go = block->guessed ? HISTORY_NONE : block->stack;
	}
	c->to_ns = next->end_ns;
	return true;
}

/* What the thread did that had it. */
static struct cause follow_hold_cause(const struct history *h, struct cause_frames *f, const struct follow_hold *hold)
{
	struct doing d = doing_in(h, f, hold->thread, hold->from_ns, hold->to_ns);
	enum cause_kind most = doing_most(&d);
	uint64_t blocked = d.blocked_ns[most];
	struct cause c = { .by = d.by,
			   .ran_ns = d.ran_ns,
			   .ready_ns = d.ready_ns,
			   .throttled_ns = d.throttled_ns,
			   .let_go = hold->let_go,
			   .from_ns = hold->from_ns,
			   .to_ns = hold->to_ns };

	if (blocked > d.ran_ns && blocked > d.ready_ns && blocked > d.throttled_ns)
		return end_at(c, most, hold->thread, d.longest[most]->stack);
	return end_at(c,
		      d.throttled_ns > d.ran_ns + d.ready_ns ? CAUSE_THROTTLED
		      : d.ready_ns > d.ran_ns                ? CAUSE_NO_CPU
							     : CAUSE_RAN,
		      hold->thread, HISTORY_NONE);
}

/* Follow the chain from the victim to its end, or to a block about which little is known.  only: the process that the
 * chain must not leave, or HISTORY_NONE. */
static struct cause follow_to_end(const struct history *h, struct cause_frames *f, const struct history_span *block,
				  uint32_t only, struct follow_hold *hold)
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
		if ((only == HISTORY_NONE || h->threads[waker].process == only) &&
		    waited_in_pieces(h, f, &c, waker, blocked, &next)) {
			c.let_go = block->guessed ? HISTORY_NONE : block->stack;
			return end_at(c, own_kind(f, next), waker, next->stack);
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
		if (follow_passes_on(f, hold, block, next, &c)) {
			block = next;
			continue;
		}
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

enum { MUCH_LONGER = 2 };

/* Where many wait for the same thing in turns, the end of the chain is to blame only if it had it much longer than any
 * other.  If they all had it only briefly, they wait for work that comes one by one.  A lock is not work: who had it longest
 * is to blame. */
static struct cause follow_wakers(const struct history *h, struct cause_frames *f, const struct history_span *block,
				  uint32_t only)
{
	struct follow_hold hold = { .thread = HISTORY_NONE };
	struct cause c = follow_to_end(h, f, block, only, &hold);
	bool known = c.kind != CAUSE_UNKNOWN && c.kind != CAUSE_THREAD;
	uint64_t longer = wait_is_for_lock(block_wait_kind(h, f, block)) ? 1 : MUCH_LONGER;

	if (hold.thread == HISTORY_NONE || (block->end_ns - c.to_ns) * LEAST_KNOWN < history_length(block) ||
	    (known && c.to_ns - c.from_ns > (hold.to_ns - hold.from_ns) * longer))
		return c;
	return follow_hold_cause(h, f, &hold);
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
