/* stacks: adds samples up by their stack, before any address has a name.
 *
 * Most stacks repeat.  The bytes of a call chain are hashed as they lie in the
 * file; only a chain that was not seen before is copied and taken apart:
 *
 *     chain (bytes) --hash--> stack --> place numbers, root first --> names
 */
#ifndef COLLAPSE_STACKS_H
#define COLLAPSE_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/sample.h"
#include "core/arena.h"
#include "core/symbols/places.h"
#include "core/symbols/spaces.h"

struct stack {
	uint64_t hash;
	uint64_t value, samples;
	uint32_t root;          /* number of its root frames' key */
	uint32_t context;       /* of the address space, see space_context() */
	uint32_t chain_count;
	uint32_t frame_count;
	const uint8_t *chain;   /* as recorded, in the file: leaf first, with context marks */
	uint32_t *frames;       /* place << 1 | kernel; leaf first */
	bool truncated;         /* as deep as the kernel's limit: the rest is missing */
};

/* {0} is valid and empty. */
struct stacks {
	struct stack *items; /* [count], in order of arrival */
	size_t count, cap;
	uint32_t *slots;
	size_t slot_count;
	struct arena arena;
	struct places places;
	uint64_t truncated; /* samples whose stack was cut */
};

/* Add a sample.  root tells its root frames; space is that of its process.
 * Returns the stack's number. */
uint32_t stacks_add(struct stacks *s, const struct sample *sample, uint32_t root,
		    struct spaces *spaces, struct space *space, uint64_t value);

void stacks_free(struct stacks *s);

#endif
