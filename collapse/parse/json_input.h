/* json_input: what formats in JSON have in common. */
#ifndef COLLAPSE_PARSE_JSON_INPUT_H
#define COLLAPSE_PARSE_JSON_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"
#include "core/json.h"

/* Is text the beginning of a JSON object that has this member, at any depth? */
bool json_begins(const char *text, size_t len, const char *member);

/* Like json_indexed(), but reports values that are nested too deep; text after them is not read. */
struct json json_input_indexed(struct text_stacks *s, struct json value, struct json_index *index);

/* The frame of a string; if value is not a string, or empty, the frame of instead. */
uint32_t json_frame(struct text_stacks *s, enum text_kind kind, struct json value, const char *instead);

/* The same with a file, if file is a string, and a line; 0: not known. */
uint32_t json_frame_at(struct text_stacks *s, enum text_kind kind, struct json value, const char *instead,
		       struct json file, uint32_t line);

/* A line number; 0: value is not one. */
uint32_t json_line(struct json value);

/* The number of a string as a name for labels; TEXT_NO_NAME if value is not one. */
uint32_t json_name(struct text_stacks *s, struct json value);

/* The same for the name of a thread; ALL_THREADS is not such a name. */
uint32_t json_thread_name(struct text_stacks *s, struct json value);

/* A value in units of 10^power, with its fraction if power is 0; negative values are read as by text_signed_read().
 * Returns false if it is not a number, or too large. */
bool json_value(struct text_stacks *s, struct json value, int power, struct text_value *to);

/* A pid or tid: a number, a stand-in for a number that does not fit or for a name (text_thread_number()), or -1 if
 * there is none. */
int32_t json_thread_number(struct json value);

/* A whole number that may be negative; fallback if value is not one. */
int64_t json_int(struct json value, int64_t fallback);

/* A number that may be negative, times 10^power, rounded to the nearest.  Returns false if value is not one, or too large. */
bool json_signed(struct json value, int power, int64_t *n);

/* The whole numbers of an array; elements that are no whole numbers (null) become UINT64_MAX.  The caller frees the
 * list. */
uint64_t *json_numbers(struct json array, size_t *count);

/* Report text after the object or array at the beginning of the current part, because nothing reads such text. */
void json_check_alone(struct text_stacks *s);

/* Report text after an object or array that was walked through; rest is what remains of it.  Reports nothing if the
 * text ends there. */
void json_check_end(struct text_stacks *s, struct json rest, char close);

#endif
