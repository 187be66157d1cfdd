/* json_stream: JSON that is written piece by piece.  core/markup.h escapes texts, and the writer adds commas:
 *
 *     json_object(j, NULL); json_sized(j, "name", ...); json_array(j, "at"); json_number(j, NULL, 1); ...
 * json_close(j, ']');
 *     {"name":"...","at":[1]}
 *
 * key is that of a member of an object; NULL in an array, and for the outermost value. */
#ifndef COLLAPSE_WIRE_JSON_STREAM_H
#define COLLAPSE_WIRE_JSON_STREAM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/str.h"

struct json_stream {
	FILE *out; /* set it first; the caller must check it for errors */
	struct str text;
	bool comma; /* an item precedes in this object or array */
};

void json_object(struct json_stream *j, const char *key);
void json_array(struct json_stream *j, const char *key);

/* close: '}' or ']' */
void json_close(struct json_stream *j, char close);

/* Begin a value, which the caller appends to j->text. */
void json_begin(struct json_stream *j, const char *key);

void json_sized(struct json_stream *j, const char *key, const char *text, size_t len);
void json_string(struct json_stream *j, const char *key, const char *text);
void json_number(struct json_stream *j, const char *key, uint64_t number);

/* number / 10^digits, exactly. */
void json_decimal(struct json_stream *j, const char *key, uint64_t number, unsigned digits);

/* Append something that is already JSON: "null", "true", "-1". */
void json_raw(struct json_stream *j, const char *key, const char *json);

/* Begin a new line here, for people who read the text. */
void json_newline(struct json_stream *j);

/* Write what is left, and a newline. */
void json_end(struct json_stream *j);

#endif
