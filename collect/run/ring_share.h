/* ring_share: limits the rings of a recording to a small part of the free memory: half of it for rings of perf events,
 * half for those of BPF programs. */
#ifndef COLLECT_RUN_RING_SHARE_H
#define COLLECT_RUN_RING_SHARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RING_SHARE_PERCENT = 5, RING_SHARE_LEAST = 128 << 10 };

struct ring_share { /* {0}: no limit */
	uint64_t free_bytes;
	uint64_t sampling, program; /* bytes of each ring, powers of two of at least RING_SHARE_LEAST; 0: no limit */
};

/* Set the limits, given the free memory and the number of rings of each kind. */
struct ring_share ring_share_of(uint64_t free_bytes, size_t sampling, size_t programs);

/* Is the maximum so much less than what is wanted that losses are likely? */
bool ring_share_is_small(uint64_t wanted, uint64_t most);

/* The size of a ring: as wanted, or the maximum.  The first time that this is small, the user is told. */
uint64_t ring_share_sampling(const struct ring_share *s, uint64_t wanted);
uint32_t ring_share_program(const struct ring_share *s, uint32_t wanted);

#endif
