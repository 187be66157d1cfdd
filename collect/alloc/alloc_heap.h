/* alloc_heap: reads the class and size of an object that a JVM has just made from the object itself.
 *
 * The probe hotspot:object__alloc reports each allocation's size, except in JDK 9 to 17 (JDK-8276209: the value is
 * whatever the register held).  There we use the function around the probe, and read the object a moment later: as
 * long as the collector has not run since, it is still in place. */
#ifndef COLLECT_ALLOC_ALLOC_HEAP_H
#define COLLECT_ALLOC_ALLOC_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "collect/jvm/jvm.h"

struct alloc_heap;

/* Returns NULL, and *why, if the JVM's tables lack what is needed. */
struct alloc_heap *alloc_heap_open(int pid, const char **why);

/* The object at address, which was made at time_ns (CLOCK_MONOTONIC).  Returns false if a collection has, or may
 * have, begun since. */
bool alloc_heap_object(struct alloc_heap *h, uint64_t address, uint64_t time_ns, uint64_t *klass, uint64_t *bytes);

void alloc_heap_free(struct alloc_heap *h);

#endif
