/* forwarding: where ZGC has moved an object to, whose references still say where it was
 * (hotspot/share/gc/z/zForwarding.hpp, zForwardingEntry.hpp, zGranuleMap.hpp).
 *
 *     granule of the address -> ZForwarding: | start, alignment | entries ... |
 *     entry: 63 ... 46 number in the page | 45 ... 1 offset that it has now | 0 there is one
 *
 * Known of JDK 15 and later.  The generational one has two, of its generations, which nobody exports: symbols do. */
#ifndef COLLECT_JVM_FORWARDING_H
#define COLLECT_JVM_FORWARDING_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

enum { GENERATIONS = 2 };

/* {0} knows nothing. */
struct forwarding {
	const struct remote *remote;
	/* Of the young generation, or the only one; of the old one.  Addresses, 0: none. */
	uint64_t maps[GENERATIONS];       /* of pointers to ZForwarding*[] */
	uint64_t good_masks[GENERATIONS]; /* of the colours of references that need not be looked for there */
	uint64_t offset_mask;
	unsigned granule_shift;
	uint64_t start_at, alignment_at, length_at, entries_at; /* in a ZForwarding */
};

/* heap: Universe::_collectedHeap.  kind: 'Z', 'X' as its types are called. */
void forwarding_init(struct forwarding *f, const struct jvm *jvm, char kind, bool is_generational, uint64_t heap);

/* Where the object at address, by an old reference, is now; *is_sure becomes false when that is no more than likely. */
uint64_t forwarding_find(const struct forwarding *f, uint64_t reference, uint64_t address, bool *is_sure);

#endif
