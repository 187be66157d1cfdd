/* stack_parts: makes frames of call chains, beside the thread that reads the samples.
 *
 *     reader:  chain 1 | chain 2 | chain 3 ...          finds out which chains are new
 *     other:             frames 1 | frames 2 | ...      where is each address mapped?
 *
 * Chains are taken apart in the order in which they come, so that places have the same numbers as without the other thread.  It
 * reads the spaces, which must be ready (spaces_prepare()), and has the places for itself until the end. */
#ifndef COLLAPSE_FRAMES_STACK_PARTS_H
#define COLLAPSE_FRAMES_STACK_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/format/chain.h"
#include "core/symbols/space/places.h"
#include "core/symbols/space/spaces.h"

/* A frame: PLACE << 2 | FRAME_KERNEL | FRAME_WAKER.  Between frames there are texts: "--" before each
 * waker's frames, and its name after them. */
enum { FRAME_KERNEL = 1, FRAME_WAKER = 2, FRAME_PLACE_SHIFT = 2 };
#define FRAME_TEXT 0x80000000u /* FRAME_TEXT | number in sideband.comms.names */
#define FRAME_SEPARATOR UINT32_MAX

/* A chain without labels, and what becomes of it. */
struct chain_part {
	const uint8_t *chain; /* stays where it is */
	struct space *space;
	uint64_t time_ns;
	uint32_t chain_count, context;
	uint32_t stack; /* the caller's number of it ... */
	uint32_t max;   /* ... and depth limit */
	bool kernel;    /* the addresses before the first mark */
	/* set when it is done */
	bool circles; /* see chain_frames() */
	uint32_t frame_count;
	uint32_t *frames; /* leaf first */
};

struct stack_parts;

/* Called by the thread that reads. */
typedef void chain_part_done(void *owner, const struct chain_part *part);

/* Start the other thread; returns NULL if there is only one CPU, or no thread. */
struct stack_parts *stack_parts_start(struct places *places, chain_part_done *done, void *owner);

/* Room for one more part, which the caller fills before the next call.  During this call, other parts may get done. */
struct chain_part *stack_parts_add(struct stack_parts *p);

/* Wait until all parts are done, and free p.  All frames are in *frames then. */
void stack_parts_end(struct stack_parts *p, struct arena *frames);

/* Write the frames of the chain's next stack; returns their number.  A frame pointer that points to itself repeats an unmapped
 * address up to the kernel's limit: that is one frame, and *circles. */
uint32_t chain_frames(struct places *places, struct chain *chain, struct space *space, uint32_t context,
		      uint64_t time_ns, uint32_t *frames, bool *circles);

#endif
