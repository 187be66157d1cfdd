/* bpftrace_map: an entry of a map of bpftrace, with its key and its value, as bpftrace.c reads it from text and
 * bpftrace_json.c from JSON. */
#ifndef COLLAPSE_TEXT_BPFTRACE_MAP_H
#define COLLAPSE_TEXT_BPFTRACE_MAP_H

#include "collapse/parse/stack_builder.h"

enum { GROUPS_MAX = 4 }; /* stacks in a key */

struct map_record {
	struct stack_builder frames, extra; /* further keys: neither stacks, comm nor pid */
	struct text_labels labels;
	struct text_span roots[GROUPS_MAX]; /* last line of each stack; empty: there is none */
	size_t first[GROUPS_MAX + 1];       /* number of its first frame */
	size_t groups;
	bool is_open; /* the key continues in the next line */
	const char *start;
};

/* Take a part of the key: a key that is not a stack; the first line of a stack; a further line of that stack.  The text
 * must not change until map_record_sample(). */
void map_record_take_key(struct map_record *r, struct text_span key);
void map_record_begin_stack(struct map_record *r);
void map_record_take_frame(struct map_record *r, struct text_span line);

/* Is an unindented line a line of a stack that has only an address? */
bool map_record_is_address(struct text_span line);

/* Add a sample for the parts that were taken. */
void map_record_sample(struct map_record *r, struct stack_builder *all, const struct text_value *value);

#endif
