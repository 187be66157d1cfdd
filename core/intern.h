/* intern: gives each distinct text a small number, in order of arrival.
 *
 * One growing buffer holds the texts, one table finds them:
 *
 *     text:  main\0foo\0bar\0         ids: main = 0, foo = 1, bar = 2
 *     start: 0     5    9
 *
 * Comparing ids compares texts.  {0} is a valid empty interner. */
#ifndef CORE_INTERN_H
#define CORE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "core/hash_table.h"

struct intern {
	char *text; /* every text, each followed by a NUL */
	size_t text_len, text_cap;
	struct intern_entry *entries; /* [count], by id */
	size_t count, cap;
	struct hash_table by_text;
};

struct intern_entry {
	size_t start;
	uint32_t len;
};

/* The id of text, new if it was not seen before. */
uint32_t intern_add(struct intern *in, const char *text, size_t len);

/* A new id for text, which intern_add() and intern_find() will not find by its text. */
uint32_t intern_append(struct intern *in, const char *text, size_t len);

/* The id of text, or UINT32_MAX when it is not there. */
uint32_t intern_find(const struct intern *in, const char *text, size_t len);

/* The text of id, NUL-terminated, valid until the next intern_add(). */
static inline const char *intern_text(const struct intern *in, uint32_t id)
{
	return in->text + in->entries[id].start;
}

static inline size_t intern_len(const struct intern *in, uint32_t id)
{
	return in->entries[id].len;
}

void intern_free(struct intern *in);

#endif
