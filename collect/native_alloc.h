/* native_alloc: "collect alloc --native": what programs allocate by malloc() and its like, sampled by
 * bytes (bpf/native_alloc.h), with whole stacks. */
#ifndef COLLECT_NATIVE_ALLOC_H
#define COLLECT_NATIVE_ALLOC_H

#include <stdint.h>

#include "collect/source.h"

enum { NATIVE_ALLOC_INTERVAL = 512 << 10 };

/* A sample every so many bytes, on average; before check(). */
void native_alloc_interval(uint64_t bytes);

/* To be run by collect alloc, in its place. */
extern const struct source native_alloc_source;

#endif
