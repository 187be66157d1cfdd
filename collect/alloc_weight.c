#include "collect/alloc_weight.h"

#include <stdlib.h>

#include "core/memory.h"

struct alloc_weights {
	uint64_t unused;
};

struct alloc_weights *alloc_weights_new(void)
{
	return xcalloc(1, sizeof(struct alloc_weights));
}

struct alloc_weight alloc_weigh(struct alloc_weights *w, int tid, uint64_t size, uint64_t tlab)
{
	uint64_t bytes = tlab > size ? tlab : size;

	(void)w, (void)tid;
	return (struct alloc_weight){ bytes, (bytes + size / 2) / size };
}

void alloc_weights_free(struct alloc_weights *w)
{
	free(w);
}
