/* textsort: sorts many texts bytewise, eight bytes at a time.
 *
 * Function names share long prefixes (org.apache. ...), which makes comparing them
 * from the front again and again slow.  Here texts are partitioned by eight bytes, and
 * only those that are equal in these are compared further (multikey quicksort:
 * Bentley and Sedgewick, "Fast Algorithms for Sorting and Searching Strings"). */
#ifndef RENDER_PROFILE_TEXTSORT_H
#define RENDER_PROFILE_TEXTSORT_H

#include <stddef.h>
#include <stdint.h>

struct sort_text {
	const char *text;
	size_t len;
	uint64_t key; /* for textsort() only */
	uint32_t id;  /* the caller's */
};

/* Sort texts[0..count).  Equal texts come in no particular order. */
void textsort(struct sort_text *texts, size_t count);

#endif
