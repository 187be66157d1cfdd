/* alloc_heap: class and size of an object that a JVM has just made, by the object.
 *
 * Of each allocation the probe hotspot:object__alloc tells the size, but not that of JDK 9 to 17
 * (JDK-8276209: what they give is what the register happened to have).  There the function around the probe is
 * looked at instead, and the object, which is read a moment later: as long as the collector has not run
 * since, it is still where it was. */
#ifndef COLLECT_ALLOC_ALLOC_HEAP_H
#define COLLECT_ALLOC_ALLOC_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

struct alloc_heap;

/* Returns NULL, and *why, when the tables have not what is needed. */
struct alloc_heap *alloc_heap_open(int pid, const char **why);

/* The object at address, which was made at time_ns (CLOCK_MONOTONIC).  Returns false when a collection has begun
 * since, or may have. */
bool alloc_heap_object(struct alloc_heap *h, uint64_t address, uint64_t time_ns, uint64_t *klass, uint64_t *bytes);

void alloc_heap_free(struct alloc_heap *h);

#endif
