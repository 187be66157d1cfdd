/* whole_order: the whole lines of all threads that parsed, in the order of their text. */
#ifndef COLLAPSE_FOLD_WHOLE_ORDER_H
#define COLLAPSE_FOLD_WHOLE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_request.h"
#include "collapse/fold/whole_lines.h"

struct whole_ref {
	uint64_t key; /* while they are sorted: a word of the text; then 0 */
	const char *text;
};

/* {0} is empty. */
struct whole_order {
	struct whole_ref *refs; /* [count]; lines of the same text, at most one of each thread, are neighbours */
	size_t count;
	size_t value_count;
};

/* Sort the lines of p, in as many threads as parsed it; p must outlive o. */
void whole_order_make(struct whole_order *o, const struct text_parsed *p);

static inline const struct whole_line *whole_order_line(const struct whole_order *o, size_t i)
{
	return (const void *)(o->refs[i].text - sizeof(struct whole_line) - o->value_count * sizeof(struct text_value));
}

void whole_order_free(struct whole_order *o);

#endif
