/* script_stack: the lines below a sample's header in the text of perf script, as one stack.
 *
 * Most stacks repeat byte for byte: the lines up to the next blank one are hashed as they are, and only what is not in a
 * cache, which grows to 8 MB, is read line by line.  It compares 96 bits of their hash. */
#ifndef COLLAPSE_SCRIPT_SCRIPT_STACK_H
#define COLLAPSE_SCRIPT_SCRIPT_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/parse/blank_line.h"
#include "collapse/script/script_cache.h"
#include "collapse/script/script_frame.h"

struct script_stacks {
	struct script_lines lines;
	struct script_cache seen; /* stacks by the hash of their lines */
	uint32_t *frames;         /* scratch: of the stack that is read, from the last to the first */
	size_t count, cap;
	bool unparted; /* in this part, no blank lines follow samples */
};

/* Where a stack's lines are, and their hash. */
struct script_ahead {
	const char *at, *end;
	struct wide_hash hash;
};

/* Find the blank line that most likely ends the stack whose lines begin at `at`, and ask for its place in the cache, so
 * that nobody waits for it in script_stack_ahead().  Returns false if script_stack_read() must be called instead. */
bool script_stack_look(struct script_stacks *k, const struct text_stacks *s, const char *at,
		       struct script_ahead *ahead);

/* Read the stack that was found.  Returns what follows: ahead->end, unless the lines are not all of the stack; then other
 * stacks that were found after it may be wrong. */
const char *script_stack_ahead(struct script_stacks *k, struct text_stacks *s, const struct script_ahead *ahead,
			       uint32_t *stack);

/* Read the lines that begin at `at`, up to the next header, blank line, or the end of the part.  Returns what follows,
 * and the stack's number in *stack. */
const char *script_stack_read(struct script_stacks *k, struct text_stacks *s, const char *at, uint32_t *stack);

/* The stack of a sample whose only frame is in its header: "7f00 main+0x1 (/bin/a)". */
uint32_t script_stack_of_one(struct script_stacks *k, struct text_stacks *s, const char *frame, size_t len);

void script_stacks_free(struct script_stacks *k);

#endif
