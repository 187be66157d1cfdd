/* number_lists: the lists of decimal numbers in elements of XML, which others refer to by their id.
 *
 *     <text-addresses id="24">4331406713 4331406716</text-addresses>      24 -> 4331406713, 4331406716 */
#ifndef COLLAPSE_TEXT_NUMBER_LISTS_H
#define COLLAPSE_TEXT_NUMBER_LISTS_H

#include <stddef.h>
#include <stdint.h>

#include "core/map.h"

struct number_list {
	size_t start, count; /* in items */
};

/* {0} is valid and empty. */
struct number_lists {
	uint64_t *items;
	size_t item_count, item_cap;
	struct number_list *lists; /* [count] */
	size_t count, cap;
	struct map by_id; /* id -> number in lists + 1 */
};

/* Begin a list with this id; number_lists_append() adds to the last one that was begun. */
void number_lists_begin(struct number_lists *l, uint64_t id);
void number_lists_append(struct number_lists *l, uint64_t number);

/* Append all numbers of text, up to what is none; one that is too large is UINT64_MAX. */
void number_lists_parse(struct number_lists *l, const char *text);

/* The last list that was begun, and the one with an id: 0: there is none, else its number + 1. */
static inline uint32_t number_lists_last(const struct number_lists *l)
{
	return (uint32_t)l->count;
}

static inline uint32_t number_lists_find(const struct number_lists *l, uint64_t id)
{
	return map_get(&l->by_id, id, 0);
}

void number_lists_free(struct number_lists *l);

#endif
