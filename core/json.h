/* json: finds values in JSON text (RFC 8259), without a tree of it.
 *
 * A struct json is the text of one value.  Any bytes are accepted: text that is
 * not JSON has no members and is not a number. */
#ifndef CORE_JSON_H
#define CORE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

struct json { /* {0} is no value */
	const char *at, *end;
	const struct json_index *index; /* or NULL */
};

struct json_index { /* {0} is empty */
	struct json_extent {
		const char *at, *end;
	} * extents; /* [count]: extents of objects and arrays, in the order of at; each has at least 512 bytes that
		      * no other extent has */
	size_t count, cap;
	const char *too_deep; /* the first bracket that is JSON_DEPTH_MAX deep: value ends before it; NULL: none is */
};

enum { JSON_DEPTH_MAX = 1 << 20 };

/* text[0..len) as a value; valid as long as text is. */
struct json json_make(const char *text, size_t len);

/* value with an index of where the values in it end: walking through deeply nested values then takes time in proportion
 * to their text, not to text times depth.  The index takes less memory than the text, however deep that is.  Free it
 * with json_index_free(), after the last use of any value in it. */
struct json json_indexed(struct json value, struct json_index *index);
void json_index_free(struct json_index *index);

/* Walk through an object: set *key and *value to its next member, and move *rest past it.  At first *rest is
 * the object.  Returns false at the end. */
bool json_next_member(struct json *rest, struct str *key, struct json *value);

/* The same for an array. */
bool json_next_item(struct json *rest, struct json *item);

/* The value of the first member of object with that key; {0} if there is none. */
struct json json_member(struct json object, const char *key);

/* Set *out to the text of a string.  Returns false if value is not a string. */
bool json_text(struct json value, struct str *out);

/* The same without a copy if the string has no escapes: *text is then part of value, else of *scratch; empty if value
 * is not a string. */
bool json_span(struct json value, struct str *scratch, const char **text, size_t *len);

/* A whole number, bare or in a string, as all numbers below.  Returns false if value is not one. */
bool json_u64(struct json value, uint64_t *n);

/* A number of 0 or more, times 10^power, rounded down.  Returns false if value is not one, or too large. */
bool json_scaled(struct json value, int power, uint64_t *n);

/* The same, rounded to the nearest. */
bool json_rounded(struct json value, int power, uint64_t *n);

bool json_is_true(struct json value);

/* Is value the string text? */
bool json_is(struct json value, const char *text);

#endif
