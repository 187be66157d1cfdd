/* pairs: the "key=value" pairs, separated by single blanks, in comments of folded text: in the header, in gaps, and in
 * stalls (core/format/folded.h). */
#ifndef CORE_FORMAT_PAIRS_H
#define CORE_FORMAT_PAIRS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

/* ---- writing: each function appends a pair and a blank ---- */

void pair_add(struct str *out, const char *key, const char *value);
void pair_add_count(struct str *out, const char *key, uint64_t count);

/* pair_add_time() writes ISO 8601, pair_add_instant() seconds.nanoseconds. */
void pair_add_time(struct str *out, const char *key, uint64_t wall_ns);
void pair_add_instant(struct str *out, const char *key, uint64_t ns);

/* ---- reading ---- */

/* Points into the text. */
struct pair {
	const char *key;   /* where it begins */
	const char *value; /* the value as it is written, with its quotes and escapes; NULL: a word without a value */
	size_t key_len, value_len;
	size_t len; /* of the whole pair, from key on */
};

/* Read the pair at *at, and move *at behind it.  Returns false at the end. */
bool pair_next(const char **at, const char *end, struct pair *p);

bool pair_is(const struct pair *p, const char *key);

/* Append the value without its quotes, and with its escapes decoded. */
void pair_value(const struct pair *p, struct str *out);

/* Append the value of the first pair with this key in text.  Returns false if there is none. */
bool pairs_value(const char *text, size_t len, const char *key, struct str *out);

#endif
