/* map: from a pair of numbers to a third: open addressing, at most half full.  {0} is valid and
 * empty. */
#ifndef CORE_MAP_H
#define CORE_MAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/hash.h"
#include "core/memory.h"

struct map_entry {
	uint64_t a;
	uint32_t b, value; /* 0: free */
};

struct map {
	struct map_entry *entries;
	size_t entry_count; /* a power of two */
	size_t count;
};

static inline struct map_entry *map_probe(const struct map *m, uint64_t a, uint32_t b)
{
	size_t i = hash_mix(a, b) & (m->entry_count - 1);

	while (m->entries[i].value && (m->entries[i].a != a || m->entries[i].b != b))
		i = (i + 1) & (m->entry_count - 1);
	return &m->entries[i];
}

static inline void map_grow(struct map *m)
{
	struct map old = *m;

	m->entry_count = old.entry_count ? old.entry_count * 2 : 256;
	m->entries = xcalloc(m->entry_count, sizeof(*m->entries));
	for (size_t i = 0; i < old.entry_count; i++) {
		if (old.entries[i].value)
			*map_probe(m, old.entries[i].a, old.entries[i].b) = old.entries[i];
	}
	free(old.entries);
}

/* The value of the pair; 0: it has none. */
static inline uint32_t map_get(const struct map *m, uint64_t a, uint32_t b)
{
	return m->entry_count ? map_probe(m, a, b)->value : 0;
}

/* Where the value of the pair is, until the next call; when it is 0, the caller must set it now. */
static inline uint32_t *map_at(struct map *m, uint64_t a, uint32_t b)
{
	struct map_entry *entry;

	if (m->count * 2 >= m->entry_count)
		map_grow(m);
	entry = map_probe(m, a, b);
	if (!entry->value) {
		entry->a = a;
		entry->b = b;
		m->count++;
	}
	return &entry->value;
}

static inline void map_free(struct map *m)
{
	free(m->entries);
	*m = (struct map){ 0 };
}

#endif
