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

/* json_indexed(), which reports values that are nested too deep: text after those is not read. */
struct json json_input_indexed(struct text_stacks *s, struct json value, struct json_index *index);

/* The frame of a string, or of instead if value is not one, or empty. */
uint32_t json_frame(struct text_stacks *s, enum text_kind kind, struct json value, const char *instead);

/* The same with the file, if it is a string, and the line; 0: not known. */
uint32_t json_frame_at(struct text_stacks *s, enum text_kind kind, struct json value, const char *instead,
		       struct json file, uint32_t line);

/* The number of a line; 0: value is none. */
uint32_t json_line(struct json value);

/* The number of a string as a name for labels; TEXT_NO_NAME if value is not one. */
uint32_t json_name(struct text_stacks *s, struct json value);

/* The same for the name of a thread, which ALL_THREADS is not. */
uint32_t json_thread_name(struct text_stacks *s, struct json value);

/* A value in units of 10^power, with its fraction if power is 0; negative ones as text_signed_read() has them.  Returns
 * false if it is not a number, or too large. */
bool json_value(struct text_stacks *s, struct json value, int power, struct text_value *to);

/* A pid or tid: a number, or what stands for one that does not fit, or a name (text_thread_number()); -1: there is none. */
int32_t json_thread_number(struct json value);

/* A whole number that may be negative; fallback if value is not one. */
int64_t json_int(struct json value, int64_t fallback);

/* A number that may be negative, times 10^power, rounded to the nearest.  Returns false if value is not one, or too large. */
bool json_signed(struct json value, int power, int64_t *n);

/* The whole numbers of an array; those that are not (null) are UINT64_MAX.  The caller frees them. */
uint64_t *json_numbers(struct json array, size_t *count);

/* Report text after the object or array that the current part begins with: nothing reads it. */
void json_check_alone(struct text_stacks *s);

/* Report text after rest, the remainder of an object or array that was walked through, if the text does not end
 * there. */
void json_check_end(struct text_stacks *s, struct json rest, char close);

#endif
