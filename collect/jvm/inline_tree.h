/* inline_tree: the methods inlined into a compiled one, according to its debug information, and their bytecodes. */
#ifndef COLLECT_JVM_INLINE_TREE_H
#define COLLECT_JVM_INLINE_TREE_H

#include "collect/jvm/code_cache.h"
#include "collect/jvm/code_map.h"
#include "collect/jvm/metadata.h"

struct inline_tree {                /* {0} is empty */
	struct inlined_scope *list; /* sorted by their scopes */
	size_t count, cap;
	struct bytecodes *methods; /* by the methods' numbers; a method that cannot be read is empty */
	size_t method_count;
};

/* Read all scopes in told from the JVM of m.  Returns false, and leaves the tree empty, if they make no sense. */
bool inline_tree_read(struct inline_tree *t, const struct metadata *m, const struct code_blob *blob,
		      const struct told *told, size_t count);

void inline_tree_free(struct inline_tree *t);

#endif
