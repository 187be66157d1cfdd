/* whole_sort: sorts references to whole lines by their text. */
#ifndef COLLAPSE_FOLD_WHOLE_SORT_H
#define COLLAPSE_FOLD_WHOLE_SORT_H

#include <stddef.h>
#include <stdint.h>

struct whole_ref {
	uint64_t key; /* while they are sorted: a word of the text; then WHOLE_LEFT_OUT or 0 */
	const char *text;
};

enum { WHOLE_LEFT_OUT = 1 }; /* the line is not wanted */

/* Sort refs[0..count), whose texts differ. */
void whole_sort(struct whole_ref *refs, size_t count);

#endif
