/* overlaps: which of many mappings of the same addresses counts at a time.
 *
 * A segment tree: the addresses at which mappings begin or end divide memory into stretches, which are the leaves.  A mapping
 * is noted in the few nodes that together are its stretches.  For an address, the nodes above its leaf have all its
 * mappings, each node in order of time. */
#ifndef CORE_SYMBOLS_SPACE_OVERLAPS_H
#define CORE_SYMBOLS_SPACE_OVERLAPS_H

#include <stddef.h>
#include <stdint.h>

#include "core/symbols/space/mapping.h"

struct overlaps;

/* For the mappings items[count], none of them empty. */
struct overlaps *overlaps_new(const struct mapping *items, size_t count);

/* Of the mappings of address, the newest that existed at time_ns, else the oldest; of several of that time, the last one.  items
 * are those of overlaps_new().  NULL: there is none. */
const struct mapping *overlaps_best(const struct overlaps *o, const struct mapping *items, uint64_t address,
				    uint64_t time_ns);

void overlaps_free(struct overlaps *o);

#endif
