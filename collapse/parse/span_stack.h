/* span_stack: turns the beginnings and ends of calls into samples: each moment counts for the innermost call.
 *
 *     begin main 0, begin read 10, end 15, end 20  -->  main 10 + 5, main;read 5 */
#ifndef COLLAPSE_PARSE_SPAN_STACK_H
#define COLLAPSE_PARSE_SPAN_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"

/* {0} is empty; use one for each thread.  Set labels to a number from text_label(). */
struct span_stack {
	struct str frames; /* uint32_t each */
	uint64_t at;       /* until then all time was given */
	uint32_t labels;
	bool untimed; /* the numbers are not times, so samples have TIMES_NONE */
};

/* A call begins, or the innermost one ends.  A time before the last one is taken for the last one. */
void span_stack_begin(struct span_stack *c, struct text_stacks *s, uint32_t frame, uint64_t at);
void span_stack_end(struct span_stack *c, struct text_stacks *s, uint64_t at);

/* How many calls have begun, but not ended. */
static inline size_t span_stack_depth(const struct span_stack *c)
{
	return c->frames.len / sizeof(uint32_t);
}

/* The frame of the innermost call; call this only if the depth is not 0. */
uint32_t span_stack_innermost(const struct span_stack *c);

void span_stack_free(struct span_stack *c);

#endif
