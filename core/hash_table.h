/* hash_table: finds things by hash: open addressing, at most half full, for callers that keep the things in an array.
 *
 *     items:  [foo] [bar] ...              the caller's
 *     slots:  hash of bar | 2, -, hash of foo | 1, ...    number in items + 1; 0: free
 *
 * The slot keeps 32 bits of the hash, so that items are looked at only when they are most likely
 * the wanted one, and never when the table grows.  {0} is valid and empty.  For pairs of numbers:
 * core/map.h. */
#ifndef CORE_HASH_TABLE_H
#define CORE_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/memory.h"

struct hash_table_slot {
	uint32_t hash, number;
};

struct hash_table {
	struct hash_table_slot *slots;
	size_t slot_count; /* a power of two */
	size_t count;
};

#define HASH_TABLE_NONE UINT32_MAX

/* Is the caller's item with this number the one that key stands for? */
typedef bool hash_table_equal(const void *owner, uint32_t number, const void *key);

/* The slot of the wanted item, or the free slot where it belongs; the table must have slots. */
static inline __attribute__((always_inline)) struct hash_table_slot *hash_table_probe(
	const struct hash_table *t, uint32_t hash, hash_table_equal *equal, const void *owner, const void *key)
{
	size_t mask = t->slot_count - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		struct hash_table_slot *slot = &t->slots[i];

		if (!slot->number || (slot->hash == hash && equal(owner, slot->number - 1, key)))
			return slot;
	}
}

static inline void hash_table_grow(struct hash_table *t)
{
	struct hash_table old = *t;

	t->slot_count = old.slot_count ? old.slot_count * 2 : 256;
	t->slots = xcalloc(t->slot_count, sizeof(*t->slots));
	for (size_t from = 0; from < old.slot_count; from++) {
		size_t i = old.slots[from].hash & (t->slot_count - 1);

		if (!old.slots[from].number)
			continue;
		while (t->slots[i].number)
			i = (i + 1) & (t->slot_count - 1);
		t->slots[i] = old.slots[from];
	}
	free(old.slots);
}

/* The number of the wanted item, or HASH_TABLE_NONE. */
static inline __attribute__((always_inline)) uint32_t hash_table_find(const struct hash_table *t, uint64_t hash,
								      hash_table_equal *equal, const void *owner,
								      const void *key)
{
	return t->slot_count ? hash_table_probe(t, (uint32_t)hash, equal, owner, key)->number - 1 : HASH_TABLE_NONE;
}

/* Like hash_table_find(), but if the item is not there, it gets the number next, which is returned: the caller must
 * then create the item. */
static inline __attribute__((always_inline)) uint32_t hash_table_add(struct hash_table *t, uint64_t hash,
								     hash_table_equal *equal, const void *owner,
								     const void *key, uint32_t next)
{
	struct hash_table_slot *slot;

	if (t->count * 2 >= t->slot_count)
		hash_table_grow(t);
	slot = hash_table_probe(t, (uint32_t)hash, equal, owner, key);
	if (!slot->number) {
		*slot = (struct hash_table_slot){ (uint32_t)hash, next + 1 };
		t->count++;
	}
	return slot->number - 1;
}

static inline void hash_table_free(struct hash_table *t)
{
	free(t->slots);
	*t = (struct hash_table){ 0 };
}

#endif
