#include "collapse/script/script_cache.h"

#include <stdlib.h>

#include "core/memory.h"

enum { FIRST_BITS = 6 };

static void script_cache_put(struct script_cache *c, const struct script_cached *entry)
{
	struct script_cached *ways = script_cache_set_of(c, entry->hash)->ways;
	size_t i = 0;

	while (i < SCRIPT_CACHE_WAYS && ways[i].number)
		i++;
	c->count += i < SCRIPT_CACHE_WAYS;
	ways[i < SCRIPT_CACHE_WAYS ? i : entry->hash % SCRIPT_CACHE_WAYS] = *entry;
}

static void make_sets(struct script_cache *c, unsigned bits)
{
	/* one set more than needed, so that the sets can begin at a whole cache line */
	c->room = xcalloc(((size_t)1 << bits) + 1, sizeof(*c->sets));
	c->sets = (struct script_cache_set *)(((uintptr_t)c->room + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE);
	c->bits = bits;
	c->count = 0;
}

static void script_cache_grow(struct script_cache *c)
{
	struct script_cache old = *c;

	make_sets(c, old.bits ? old.bits + 1 : FIRST_BITS);
	for (size_t s = 0; old.sets && s < (size_t)1 << old.bits; s++) {
		for (size_t i = 0; i < SCRIPT_CACHE_WAYS; i++) {
			if (old.sets[s].ways[i].number)
				script_cache_put(c, &old.sets[s].ways[i]);
		}
	}
	free(old.room);
}

void script_cache_add(struct script_cache *c, unsigned bits_max, uint64_t hash, uint32_t more, uint32_t number)
{
	const struct script_cached entry = { hash, more, number + 1 };

	if (!c->sets || (c->bits < bits_max && c->count >= (size_t)SCRIPT_CACHE_WAYS << c->bits >> 1))
		script_cache_grow(c);
	script_cache_put(c, &entry);
}

void script_cache_free(struct script_cache *c)
{
	free(c->room);
	*c = (struct script_cache){ 0 };
}
