/* stacks: adds samples up by their stack, before any address has a name.
 *
 * Most stacks repeat.  A call chain's bytes in the file are hashed; only a chain that is new is
 * copied and parsed:
 *
 *     chain (bytes) --hash--> stack --> place numbers, root first --> names
 *
 * The stacks of wakers, hop by hop, are part of a stack: the chain graph. */
#ifndef COLLAPSE_FRAMES_STACKS_H
#define COLLAPSE_FRAMES_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/frames/columns.h"
#include "collapse/frames/stack_parts.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/sideband.h"
#include "core/arena.h"
#include "core/hash_table.h"
#include "core/intern.h"
#include "core/symbols/space/places.h"
#include "core/symbols/space/spaces.h"

struct stack {
	uint64_t hash;
	uint64_t value, samples; /* value: of the first column */
	uint32_t root;           /* number of its root frames' key */
	uint32_t context;        /* of the address space, see space_context() */
	uint32_t chain_count;
	uint32_t frame_count;
	const uint8_t *chain;       /* leaf first, with context marks; as recorded: in the file, or a copy */
	uint32_t *frames;           /* [frame_count + waker_frames]: its own, leaf first; then ... */
	uint32_t waker_frames : 29; /* ... the frames of wakers and the texts between them, in the order of a line */
	uint32_t truncated : 1; /* the rest is missing: it reached the kernel's depth limit, or the end of the copy */
	uint32_t walked : 1;    /* its user part was walked: core/unwind/unwinder.h */
	uint32_t by_calls : 1;  /* its user part is made of calls that the processor recorded */
	uint8_t end;            /* enum recording_end: how the user part ends */
	uint8_t untaken;        /* 0, or enum recording_untaken: it stands for many without a stack, ... */
	bool kernel;            /* whether the addresses before the first mark are the kernel's */
	bool span;              /* of a span of time in our own recording, walked by frame pointers only */
	bool circles;           /* a frame pointer led back to itself: not cut, but broken */
	const struct event_row *untaken_of; /* ... of this event */
	uint64_t class_address;             /* class of the allocated object; 0: not known */
	uint32_t class_frame;               /* the class, as a frame after the leaf */
	uint32_t wakers;                    /* number in stacks.wakers + 1; 0: none */
};

/* {0} with columns set is valid and empty. */
struct stacks {
	struct stack *items; /* [count], in order of arrival */
	size_t count, cap;
	const struct columns *columns; /* of the values; set it first */
	uint64_t *more;                /* values of the columns after the first, stack by stack */
	size_t more_cap;
	struct intern wakers; /* address spaces and names of all hops of a chain */
	struct hop *hops;     /* the hops of the current sample */
	size_t hop_cap;
	struct hash_table table;
	struct arena arena;
	struct places places;
	uint64_t truncated;        /* samples whose stack was cut */
	struct stack_parts *parts; /* frames are made beside the reader; NULL: at once */
};

/* Add a sample.  root is the number of its root frames' key; values has one for each column.
 * Returns the stack's number. */
uint32_t stacks_add(struct stacks *s, const struct recorded_sample *sample, uint32_t root, struct sideband *sideband,
		    const uint64_t *values);

/* From now on, another thread makes the frames of stacks, if there is a CPU for it, until stacks_end_parts(): nobody
 * else may add places, map anything, or look at frames.  Needs places.spaces. */
void stacks_begin_parts(struct stacks *s);
void stacks_end_parts(struct stacks *s);

/* A stack's values in the columns after the first; NULL: there are none. */
static inline uint64_t *stacks_more(const struct stacks *s, uint32_t stack)
{
	return !s->more ? NULL : s->more + (size_t)stack * (s->columns->count - 1);
}

void stacks_free(struct stacks *s);

#endif
