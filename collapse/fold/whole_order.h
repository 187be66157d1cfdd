/* whole_order: the whole lines of all threads that parsed, in the order of their text: merges their runs
 * (whole_lines.h).
 *
 *     run 1   a 3, a;b 1, c 7
 *     run 2   a;b 2, d 1             a 3, a;b 1, (repeated) a;b 2, c 7, d 1 */
#ifndef COLLAPSE_FOLD_WHOLE_ORDER_H
#define COLLAPSE_FOLD_WHOLE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_request.h"
#include "collapse/fold/whole_lines.h"

/* A line, as whole_order_take() has it. */
struct whole_next {
	const struct whole_line *line;
	bool repeated; /* the line has the same text as the one before, which came from another thread */
	bool left_out; /* WHOLE_LEFT_OUT */
};

/* {0} is empty. */
struct whole_order {
	size_t value_count;
	size_t ahead;           /* how far ahead lines of a run are loaded */
	struct whole_run *runs; /* [run_count] */
	size_t run_count;
	uint32_t *losers; /* [run_count]: the losers of the matches in the tree; losers[0] is the winner of the last
			   * match */
};

/* Begin with the first line of p, which must outlive o. */
void whole_order_make(struct whole_order *o, struct text_parsed *p);

/* Get the next lines: at most count distinct ones, and those that repeat them.  lines has room for count + CREW_MAX
 * (collapse/fold/crew.h).  Returns how many there are, 0 at the end. */
size_t whole_order_take(struct whole_order *o, struct whole_next *lines, size_t count);

void whole_order_free(struct whole_order *o);

#endif
