/* alloc_weight: how many bytes, and objects, an allocation that was seen stands for. */
#ifndef COLLECT_ALLOC_WEIGHT_H
#define COLLECT_ALLOC_WEIGHT_H

#include <stdint.h>

struct alloc_weights;

struct alloc_weights *alloc_weights_new(void);

struct alloc_weight {
	uint64_t bytes, objects;
};

/* An object of size bytes did not fit into what was left of the TLAB of thread tid: it is the first one in
 * a new TLAB, of tlab bytes, or, tlab 0, outside of any. */
struct alloc_weight alloc_weigh(struct alloc_weights *w, int tid, uint64_t size, uint64_t tlab);

void alloc_weights_free(struct alloc_weights *w);

#endif
