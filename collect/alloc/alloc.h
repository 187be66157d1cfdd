/* alloc: objects on the heaps of running JVMs, by stack and class: "pyrograph collect alloc". */
#ifndef COLLECT_ALLOC_ALLOC_H
#define COLLECT_ALLOC_ALLOC_H

#include "collect/run/source.h"

extern const struct source alloc_source;

#endif
