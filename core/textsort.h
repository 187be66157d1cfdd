/* textsort: sorts many texts bytewise, and other items that have long keys, eight bytes at a time.
 *
 * Function names, and stacks, share long beginnings (org.apache. ...), which makes comparing them from the front again
 * and again slow.  As in multikey quicksort (Bentley and Sedgewick, "Fast algorithms for sorting and searching
 * strings", 1997), each part of the texts is compared once.  But unlike there, texts are compared by words of eight
 * bytes, which are kept beside the items, and large ranges are divided by eight bits of these words at once. */
#ifndef CORE_TEXTSORT_H
#define CORE_TEXTSORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/intern.h"

struct sort_text {
	const char *text;
	size_t len;
	uint64_t key; /* the caller's */
	uint32_t id;  /* the caller's */
};

/* Sort texts[0..count).  Equal texts come in no particular order. */
void textsort(struct sort_text *texts, size_t count);

/* The place of each text among all, [count] by number, sorted; the caller frees it. */
uint32_t *textsort_ranks(const struct intern *texts);

struct sort_ref {
	uint64_t key; /* a word of the item, while it is sorted */
	const void *item;
};

struct sort_order {
	/* Set the keys of refs[0..count), whose items are equal up to *depth, to their next words, and move *depth past
	 * these.  If the next words are equal, too, load() may skip them as well.  *depth is 0 at first; load() chooses
	 * its unit.  Returns false if all items end at *depth: they are equal. */
	bool (*load)(const void *context, struct sort_ref *refs, size_t count, size_t *depth);
	/* Compare two items that are equal up to depth: less than 0, 0, or more than 0. */
	int (*compare)(const void *context, const void *a, const void *b, size_t depth);
};

/* Sort refs[0..count).  Equal items come in no particular order. */
void textsort_refs(struct sort_ref *refs, size_t count, const struct sort_order *order, const void *context);

#endif
