/* script_cache: numbers by their keys, in a cache of fixed size that forgets some when it is full.
 *
 *     set 0   key 12 -> 5   key 77 -> 0   free          free             one line of the CPU's cache
 *     set 1   ...
 *
 * A key is a hash and 32 more bits.  Whoever asks for a set early does not wait for it when it is looked at. */
#ifndef COLLAPSE_SCRIPT_SCRIPT_CACHE_H
#define COLLAPSE_SCRIPT_SCRIPT_CACHE_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/load_ahead.h"
#include "core/memory.h"

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
	struct script_cache_set *sets;
	void *room; /* the memory that they are in */
};

/* Ask for a set of 1 << bits, the same each time; where must be evenly distributed in its upper bits. */
static inline struct script_cache_set *script_cache_look(struct script_cache *c, unsigned bits, uint64_t where)
{
	struct script_cache_set *set;

	if (!c->sets) {
		c->room = xcalloc(((size_t)1 << bits) + 1, sizeof(*c->sets));
		c->sets = (struct script_cache_set *)(((uintptr_t)c->room + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
	}
	set = &c->sets[where >> (64 - bits)];
	load_ahead(set, sizeof(*set));
	return set;
}

/* The number of a key + 1; 0: it is not there. */
static inline uint32_t script_cache_find(const struct script_cache_set *set, uint64_t hash, uint32_t more)
{
	for (size_t i = 0; i < SCRIPT_CACHE_WAYS; i++) {
		const struct script_cached *way = &set->ways[i];

		if (way->hash == hash && way->more == more)
			return way->number;
	}
	return 0;
}

/* A full set forgets any of its keys: in text that repeats, the oldest would be the one that is wanted next. */
static inline void script_cache_add(struct script_cache_set *set, uint64_t hash, uint32_t more, uint32_t number)
{
	size_t i = 0;

	while (i < SCRIPT_CACHE_WAYS && set->ways[i].number)
		i++;
	set->ways[i < SCRIPT_CACHE_WAYS ? i : hash % SCRIPT_CACHE_WAYS] =
		(struct script_cached){ hash, more, number + 1 };
}

static inline void script_cache_free(struct script_cache *c)
{
	free(c->room);
	*c = (struct script_cache){ 0 };
}

#endif
