/* waker_stacks: the walked user stacks of wakers.  The copy of a waker's stack goes to the walker by itself, before the
 * block that the waker ended.  Until both are walked, the chain of the block has a placeholder for the waker's user
 * part. */
#ifndef COLLECT_SPANS_WAKER_STACKS_H
#define COLLECT_SPANS_WAKER_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/recording/chain_builder.h"
#include "core/intern.h"

struct waker_stacks {            /* {0} is empty */
	struct intern chains[2]; /* distinct user parts, as bytes, of even and of odd generations; only two generations
				  * are kept, as there are ever more parts when processes come and go */
	uint32_t generation;     /* the present one */
	struct waker_walked {
		uint64_t serial;
		uint32_t chain, generation; /* in chains */
	} * newest;                         /* those that came back last, by serial */
	uint64_t serial;                    /* serial number of the last placeholder, counted from 1 */
};

/* A new placeholder, an entry of a chain that is never recorded. */
uint64_t waker_stacks_place(struct waker_stacks *w);

/* The serial number of a placeholder; 0: the entry is no placeholder. */
uint64_t waker_stacks_serial(uint64_t entry);

/* Keep the walked chain for a serial number, without the label at its end. */
void waker_stacks_keep(struct waker_stacks *w, uint64_t serial, const uint64_t *chain, size_t count);

bool waker_stacks_await(const uint64_t *chain, size_t count);

/* Append the chain with placeholders replaced.  For a stack that was lost, nothing is appended, and *lost is
 * incremented. */
void waker_stacks_fill(const struct waker_stacks *w, const uint64_t *chain, size_t count, struct chain_builder *to,
		       uint64_t *lost);

void waker_stacks_free(struct waker_stacks *w);

#endif
