/* forwarding: finds where ZGC has moved an object whose references still hold the old address
 * (hotspot/share/gc/z/zForwarding.hpp, zForwardingEntry.hpp, zGranuleMap.hpp).
 *
 *     granule of the address -> ZForwarding: | start, alignment | entries ... |
 *     entry: 63 ... 46 number in the page | 45 ... 1 offset that it has now | 0 there is one
 *
 * For JDK 15 and later.  Generational ZGC has one map per generation; the maps are found by symbols, as vmStructs do
 * not export them. */
#ifndef COLLECT_JVM_FORWARDING_H
#define COLLECT_JVM_FORWARDING_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

enum { GENERATIONS = 2 };

/* {0} is empty. */
struct forwarding {
	const struct remote *remote;
	/* Addresses for the young (or only) generation, and for the old one; 0: none. */
	uint64_t maps[GENERATIONS];       /* maps of pointers to ZForwarding*[] */
	uint64_t good_masks[GENERATIONS]; /* colours of references that need no lookup */
	uint64_t offset_mask;
	unsigned granule_shift;
	uint64_t start_at, alignment_at, length_at, entries_at; /* offsets in a ZForwarding */
};

/* heap: Universe::_collectedHeap.  kind: 'Z' or 'X', the first letter of the names of its types. */
void forwarding_init(struct forwarding *f, const struct jvm *jvm, char kind, bool is_generational, uint64_t heap);

/* The present address of an object that was at address when reference was written; *is_sure becomes false if this
 * address is only likely. */
uint64_t forwarding_find(const struct forwarding *f, uint64_t reference, uint64_t address, bool *is_sure);

#endif
