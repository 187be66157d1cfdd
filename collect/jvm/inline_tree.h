/* inline_tree: the methods inlined into a compiled one, according to its debug information, and their bytecodes; and
 * those that have no debug information (silent.h). */
#ifndef COLLECT_JVM_INLINE_TREE_H
#define COLLECT_JVM_INLINE_TREE_H

#include "collect/jvm/code_cache.h"
#include "collect/jvm/code/code_map.h"
#include "collect/jvm/metadata.h"
#include "collect/jvm/scopes.h"

struct inline_tree {                /* {0} is empty */
	struct inlined_scope *list; /* sorted by their scopes */
	size_t count, cap;
	struct bytecodes *methods; /* by the methods' numbers; a method that cannot be read is empty */
	uint64_t *addresses;       /* addresses of the Methods, by the same numbers; 0: it cannot be read */
	uint64_t *pools;           /* their constant pools */
	size_t method_count, method_cap;
	uint32_t activations; /* the largest number of one */
};

/* Read all scopes in `told` from the JVM of m.  Returns false, and leaves the tree empty, if they make no sense. */
bool inline_tree_read(struct inline_tree *t, const struct metadata *m, const struct code_blob *blob,
		      const struct told *told, size_t count);

/* Add a method with these bytecodes, which the tree owns from now on.  Returns the method's number. */
uint32_t inline_tree_add(struct inline_tree *t, uint64_t method, uint64_t pool, struct bytecodes code);

/* Reads the bytecodes of a method.  Returns false if they cannot be read. */
bool inline_tree_bytecodes(const struct metadata *m, const struct method_parts *parts, struct bytecodes *to);

/* The methods of a scope, innermost first; the last one is the blob's own.  Returns their number; 0: unknown. */
size_t inline_tree_scopes(const struct inline_tree *t, int32_t scope, struct scope scopes[SCOPES_MAX]);

void inline_tree_free(struct inline_tree *t);

#endif
