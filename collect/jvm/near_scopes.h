/* near_scopes: finds the nearest debug information for an interrupted instruction that has none (code_map.h).  The
 * code of each method is read and analysed once. */
#ifndef COLLECT_JVM_NEAR_SCOPES_H
#define COLLECT_JVM_NEAR_SCOPES_H

#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/code_cache.h"
#include "collect/jvm/code/code_map.h"
#include "collect/jvm/jvm.h"
#include "collect/jvm/scopes.h"

struct near_scopes;

/* jvm must outlive the result. */
struct near_scopes *near_scopes_new(const struct jvm *jvm);

/* The nearest debug information: the offset of a scope, or methods without debug information and their callers. */
struct near_scope {
	uint32_t offset; /* 0: none */
	size_t count;    /* number of scopes, the innermost first; 0: there is only `offset` */
	struct scope scopes[SCOPES_MAX];
};

/* What is nearest to the instruction at offset `at` in the blob's code. told: the blob's PcDescs, sorted.  If the code
 * cannot be decoded, the result is the next scope at or after the instruction, as in HotSpot's own profilers. */
void near_scope_find(struct near_scopes *n, const struct code_blob *blob, const struct told *told, size_t count,
		     uint32_t at, struct near_scope *near);

void near_scopes_free(struct near_scopes *n);

#endif
