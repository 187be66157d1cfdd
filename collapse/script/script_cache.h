/* script_cache: a cache of numbers by key; a key is a hash and 32 more bits.  The cache grows up to a size, and then
 * forgets some keys.
 *
 *     set 0   key 12 -> 5   key 77 -> 0   free          free             one line of the CPU's cache
 *     set 1   ...
 *
 * A caller that prefetches a key's set does not wait for memory when it looks the key up. */
#ifndef COLLAPSE_SCRIPT_SCRIPT_CACHE_H
#define COLLAPSE_SCRIPT_SCRIPT_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include "core/load_ahead.h"

enum { SCRIPT_CACHE_WAYS = 4 };

struct script_cached {
	uint64_t hash;
	uint32_t more, number; /* number + 1; 0: free */
};

struct script_cache_set {
	struct script_cached ways[SCRIPT_CACHE_WAYS];
};

_Static_assert(sizeof(struct script_cache_set) == CACHE_LINE, "one line is asked for, and waited for");

/* {0} is valid and empty. */
struct script_cache {
	struct script_cache_set *sets; /* [1 << bits]: sets, by the first bits of the hash */
	void *room;                    /* the memory that they are in */
	unsigned bits;
	size_t count;
};

static inline struct script_cache_set *script_cache_set_of(const struct script_cache *c, uint64_t hash)
{
	return &c->sets[hash >> (64 - c->bits)];
}

/* Ask for the set of a hash. */
static inline void script_cache_look(const struct script_cache *c, uint64_t hash)
{
	if (c->sets)
		load_ahead(script_cache_set_of(c, hash), CACHE_LINE);
}

/* The number of a key + 1; 0: the cache does not have the key. */
static inline uint32_t script_cache_find(const struct script_cache *c, uint64_t hash, uint32_t more)
{
	const struct script_cached *ways = c->sets ? script_cache_set_of(c, hash)->ways : NULL;

	for (size_t i = 0; ways && i < SCRIPT_CACHE_WAYS; i++) {
		if (ways[i].hash == hash && ways[i].more == more)
			return ways[i].number;
	}
	return 0;
}

/* Add the number of a key that the cache does not have; it grows to at most 1 << bits_max sets.  A full set forgets one
 * of its keys, chosen arbitrarily: in text that repeats, the oldest key would be the one that is needed next. */
void script_cache_add(struct script_cache *c, unsigned bits_max, uint64_t hash, uint32_t more, uint32_t number);

void script_cache_free(struct script_cache *c);

#endif
