#include "collapse/frames/stack_parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"

enum { BLOCKS = 8, BLOCK_PARTS = 512 };

/* Blocks form a ring: filled by the reader, worked on, and handed back when their place is needed. */
struct block {
	struct chain_part parts[BLOCK_PARTS];
	size_t count;
};

struct stack_parts {
	struct places *places;
	chain_part_done *done;
	void *owner;
	struct arena frames;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	size_t filled, worked; /* blocks so far; guarded by lock */
	bool ended;            /* likewise */
	size_t handed_back;    /* blocks */
	struct block blocks[BLOCKS];
};

/* ---- one chain --------------------------------------------------------------------- */

/* Is it a user frame at an address where nothing is mapped? */
static bool stack_parts_is_nowhere(const struct places *places, uint32_t frame)
{
	return !(frame & FRAME_KERNEL) && places->items[frame >> FRAME_PLACE_SHIFT].module == PLACE_NO_MODULE;
}

/* Addresses of recursive functions, which repeat, too, are mapped. */
uint32_t chain_frames(struct places *places, struct chain *chain, struct space *space, uint32_t context,
		      uint64_t time_ns, uint32_t *frames, bool *circles)
{
	uint64_t address, before = 0;
	uint32_t n = 0;

	while (chain_next(chain, &address)) {
		uint32_t place =
			places_add(places, chain->kernel ? NULL : space, chain->kernel ? 0 : context, address, time_ns);
		uint32_t frame = place << FRAME_PLACE_SHIFT | (chain->kernel ? FRAME_KERNEL : 0);

		if (n && address == before && frame == frames[n - 1] && stack_parts_is_nowhere(places, frame))
			*circles = true;
		else
			frames[n++] = frame;
		before = address;
	}
	return n;
}

static void stack_parts_take_apart(struct stack_parts *p, struct chain_part *part)
{
	struct chain chain = chain_of(part->chain, part->chain_count, part->kernel);

	part->frames = arena_alloc(&p->frames, part->chain_count * sizeof(*part->frames));
	part->frame_count = chain_frames(p->places, &chain, part->space, part->context, part->time_ns, part->frames,
					 &part->circles);
}

/* ---- the other thread ---------------------------------------------------------------- */

/* The next block that is filled; NULL: there will be no more. */
static struct block *wait_for_filled(struct stack_parts *p, size_t at)
{
	bool there;

	pthread_mutex_lock(&p->lock);
	while (p->filled == at && !p->ended)
		pthread_cond_wait(&p->changed, &p->lock);
	there = p->filled > at;
	pthread_mutex_unlock(&p->lock);
	return there ? &p->blocks[at % BLOCKS] : NULL;
}

static void stack_parts_note(struct stack_parts *p, size_t *counter)
{
	pthread_mutex_lock(&p->lock);
	++*counter;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static void *stack_parts_work(void *argument)
{
	struct stack_parts *p = argument;
	struct block *block;

	for (size_t at = 0; (block = wait_for_filled(p, at)); at++) {
		for (size_t i = 0; i < block->count; i++)
			stack_parts_take_apart(p, &block->parts[i]);
		stack_parts_note(p, &p->worked);
	}
	return NULL;
}

/* ---- the reader ------------------------------------------------------------------------ */

struct stack_parts *stack_parts_start(struct places *places, chain_part_done *done, void *owner)
{
	struct stack_parts *p;

	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return NULL;
	p = xcalloc(1, sizeof(*p));
	p->places = places;
	p->done = done;
	p->owner = owner;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	if (!pthread_create(&p->thread, NULL, stack_parts_work, p))
		return p;
	free(p);
	return NULL;
}

/* Wait for the oldest block, and hand its parts back. */
static void hand_back(struct stack_parts *p)
{
	struct block *block = &p->blocks[p->handed_back % BLOCKS];

	pthread_mutex_lock(&p->lock);
	while (p->worked == p->handed_back)
		pthread_cond_wait(&p->changed, &p->lock);
	pthread_mutex_unlock(&p->lock);
	for (size_t i = 0; i < block->count; i++)
		p->done(p->owner, &block->parts[i]);
	block->count = 0;
	p->handed_back++;
}

/* filled is changed only by this thread, so that reading it needs no lock. */
struct chain_part *stack_parts_add(struct stack_parts *p)
{
	struct block *block = &p->blocks[p->filled % BLOCKS];
	struct chain_part *part;

	if (block->count == BLOCK_PARTS) {
		stack_parts_note(p, &p->filled);
		if (p->filled - p->handed_back == BLOCKS)
			hand_back(p);
		block = &p->blocks[p->filled % BLOCKS];
	}
	part = &block->parts[block->count++];
	*part = (struct chain_part){ 0 };
	return part;
}

void stack_parts_end(struct stack_parts *p, struct arena *frames)
{
	stack_parts_note(p, &p->filled);
	while (p->handed_back < p->filled)
		hand_back(p);
	pthread_mutex_lock(&p->lock);
	p->ended = true;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
	pthread_join(p->thread, NULL);
	arena_take(frames, &p->frames);
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->changed);
	free(p);
}
