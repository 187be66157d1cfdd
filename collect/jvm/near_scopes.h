/* near_scopes: of an interrupted instruction that the compiler does not tell of, the debug information that is
 * nearest to it (code_map.h).  The code of a method is read and looked through once. */
#ifndef COLLECT_JVM_NEAR_SCOPES_H
#define COLLECT_JVM_NEAR_SCOPES_H

#include <stddef.h>
#include <stdint.h>

#include "collect/jvm/code_cache.h"
#include "collect/jvm/code_map.h"
#include "collect/jvm/jvm.h"

struct near_scopes;

/* jvm must outlive it. */
struct near_scopes *near_scopes_new(const struct jvm *jvm);

/* The scope (its offset) that is nearest to the instruction at an offset from the beginning of the blob's code.  told:
 * its PcDescs, sorted.  Where the code cannot be followed, it is the next at or behind it, as HotSpot's own profilers
 * have it.  0: nothing is near. */
uint32_t near_scope(struct near_scopes *n, const struct code_blob *blob, const struct told *told, size_t count,
		    uint32_t at);

void near_scopes_free(struct near_scopes *n);

#endif
