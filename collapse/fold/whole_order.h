/* whole_order: the whole lines of all threads that parsed, in the order of their text. */
#ifndef COLLAPSE_FOLD_WHOLE_ORDER_H
#define COLLAPSE_FOLD_WHOLE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_request.h"
#include "collapse/fold/whole_lines.h"

/* Keys of lines that are in order. */
enum { WHOLE_REPEATED = 1, WHOLE_LEFT_OUT = 2 }; /* it has the text of the line before; it is not wanted */

/* {0} is empty. */
struct whole_order {
	struct whole_ref
		*refs; /* [count]; lines of the same text, at most one of each thread, are neighbours.  Keys: 0 or
				 * as above */
	size_t count;
	size_t value_count;
};

/* Sort the lines of p, in as many threads as parsed it; p must outlive o.  Takes the references that p has. */
void whole_order_make(struct whole_order *o, struct text_parsed *p);

static inline const struct whole_line *whole_order_line(const struct whole_order *o, size_t i)
{
	return whole_line_of(o->refs[i].text, o->value_count);
}

void whole_order_free(struct whole_order *o);

#endif
