/* stack_chain: a stack that is built from the leaf, for formats in which each node names its caller.  The depth is
 * limited, because callers in damaged input may form a cycle. */
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

/* Add the caller of the last frame.  Returns false if the chain is full (call_tree_room()): it then gets a frame
 * "[truncated]" instead, and is complete. */
bool stack_chain_add(struct stack_chain *c, struct text_stacks *s, uint32_t frame);

/* The stack, for fold_add_text(); frees the chain. */
uint32_t stack_chain_end(struct stack_chain *c, struct text_stacks *s);

#endif
