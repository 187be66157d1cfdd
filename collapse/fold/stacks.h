/* stacks: adds samples up by their stack, before any address has a name.
 *
 * Most stacks repeat.  The bytes of a call chain are hashed as they lie in the
 * file; only a chain that was not seen before is copied and taken apart:
 *
 *     chain (bytes) --hash--> stack --> place numbers, root first --> names
 *
 * The stacks of wakers, hop by hop, are part of a stack: the chain graph. */
#ifndef COLLAPSE_FOLD_STACKS_H
#define COLLAPSE_FOLD_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/columns.h"
#include "collapse/perfdata/sample.h"
#include "collapse/perfdata/sideband.h"
#include "core/arena.h"
#include "core/hash_table.h"
#include "core/intern.h"
#include "core/symbols/space/places.h"
#include "core/symbols/space/spaces.h"

/* A frame: PLACE << 2 | FRAME_KERNEL | FRAME_WAKER.  Between them stand texts: "--"
 * before each waker's frames, its name behind them. */
enum { FRAME_KERNEL = 1, FRAME_WAKER = 2, FRAME_PLACE_SHIFT = 2 };
#define FRAME_TEXT 0x80000000u /* FRAME_TEXT | number in sideband.comms.names */
#define FRAME_SEPARATOR UINT32_MAX

struct stack {
	uint64_t hash;
	uint64_t value, samples; /* value: of the first column */
	uint32_t root;           /* number of its root frames' key */
	uint32_t context;        /* of the address space, see space_context() */
	uint32_t chain_count;
	uint32_t frame_count;
	const uint8_t *chain;       /* leaf first, with context marks; as recorded, in the file, or ours */
	uint32_t *frames;           /* [frame_count] of its own, leaf first; then ... */
	uint32_t waker_frames : 29; /* ... so many of wakers and between them, as written */
	uint32_t truncated : 1;     /* as deep as the kernel's limit, or than what was copied: the rest
				 * is missing */
	uint32_t walked : 1;        /* its user part: core/unwind/unwinder.h */
	uint32_t by_calls : 1;      /* its user part: calls that the processor noted */
	uint8_t end;                /* enum recording_end: of that */
	bool kernel;                /* what the addresses are before the first mark */
	bool span;                  /* of spans of time that were collected by us: frame pointers only */
	bool circles;               /* a frame pointer led to itself: not cut, but broken */
	uint64_t class_address;     /* of what was allocated; 0: not known */
	uint32_t class_frame;       /* a frame, behind the leaf: that class */
	uint32_t wakers;            /* which, number + 1; 0: it has none */
};

/* {0} and columns is valid and empty. */
struct stacks {
	struct stack *items; /* [count], in order of arrival */
	size_t count, cap;
	const struct columns *columns; /* of the values; to be set first */
	uint64_t *more;                /* values of the columns behind the first, stack by stack */
	size_t more_cap;
	struct intern wakers; /* address spaces and names of all hops of a chain */
	struct hop *hops;     /* those of the sample that is being added */
	size_t hop_cap;
	struct hash_table table;
	struct arena arena;
	struct places places;
	uint64_t truncated; /* samples whose stack was cut */
};

/* Add a sample.  root tells its root frames; values has one for each column.
 * Returns the stack's number. */
uint32_t stacks_add(struct stacks *s, const struct recorded_sample *sample, uint32_t root, struct sideband *sideband,
		    const uint64_t *values);

/* A stack's values in the columns behind the first; NULL: there are none. */
static inline uint64_t *stacks_more(const struct stacks *s, uint32_t stack)
{
	return !s->more ? NULL : s->more + (size_t)stack * (s->columns->count - 1);
}

void stacks_free(struct stacks *s);

#endif
