/* texts: the stacks and the labels that a store's samples refer to, by hash. */
#ifndef SHIP_TEXTS_H
#define SHIP_TEXTS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/hash_table.h"
#include "core/str.h"
#include "ship/sip.h"

struct text_entry {
	unsigned char hash[SIP_BYTES];
	size_t start, len; /* in texts.text */
	bool came;
	uint32_t number; /* the user's; 0 at first */
};

struct hashed_texts {
	struct text_entry *items; /* [by_hash.count] */
	size_t cap;
	struct hash_table by_hash;
	struct str text, rest; /* rest: the beginning of an incomplete row */
	/* Append the part of a text that is kept; NULL: all of it. */
	void (*change)(const void *argument, const char *text, size_t len, struct str *out);
	const void *argument;
	bool wanted_only; /* texts that nobody wants are not taken */
	bool in_doubt;    /* ... nor texts that do not match their hash, since anything may follow the rows */
	/* Called with the entry of a text that arrived, instead of keeping the text; NULL: it is kept. */
	void (*came)(void *owner, struct text_entry *e, const char *text, size_t len);
	void *owner;
};

/* That text is wanted. */
void texts_want(struct hashed_texts *t, const unsigned char hash[SIP_BYTES]);

/* Append the hashes of texts that are wanted and have not arrived.  Returns how many there are. */
size_t texts_left(const struct hashed_texts *t, struct str *out);

/* Take rows "hash, frames" in format RowBinary; an http_take (http.h) whose argument is the struct hashed_texts. */
bool texts_take(void *argument, const char *bytes, size_t len);

/* NULL: it has not come. */
struct text_entry *texts_find(const struct hashed_texts *t, const unsigned char hash[SIP_BYTES]);

static inline const char *texts_text(const struct hashed_texts *t, const struct text_entry *e)
{
	return str_text(&t->text) + e->start;
}

void texts_free(struct hashed_texts *t);

#endif
