/* stack_chain: a stack built from its leaf, for formats in which each node names its caller.  Its depth is limited, since callers
 * may form a cycle. */
#ifndef COLLAPSE_PARSE_STACK_CHAIN_H
#define COLLAPSE_PARSE_STACK_CHAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"
#include "core/str.h"

struct stack_chain {       /* {0} is empty */
	struct str frames; /* uint32_t each */
	size_t count, room;
};

/* Add the caller of what was added before.  Returns false if there are as many frames already as there may be
 * (call_tree_room()): then "[truncated]" is added instead, and the chain is complete. */
bool stack_chain_add(struct stack_chain *c, struct text_stacks *s, uint32_t frame);

/* The stack, for fold_add_text(); frees the chain. */
uint32_t stack_chain_end(struct stack_chain *c, struct text_stacks *s);

#endif
