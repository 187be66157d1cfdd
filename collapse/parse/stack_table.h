/* stack_table: the stacks of Firefox's profiles, each a frame and the stack of its caller:
 *
 *     frame [0, 1, 2], prefix [null, 0, 0]       stack 1: frames 0, 1; stack 2: frames 0, 2 */
#ifndef COLLAPSE_PARSE_STACK_TABLE_H
#define COLLAPSE_PARSE_STACK_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/parse/json_input.h"

/* Set s, frame and prefix first; the table takes over frame and prefix.  UINT64_MAX: none. */
struct stack_table {
	struct text_stacks *s;
	uint64_t *frame, *prefix; /* [count], [prefix_count] */
	size_t count, prefix_count;
	struct json *strings; /* [string_count]: names */
	size_t string_count;
	uint32_t *stacks; /* [count]: numbers of text_stack(), ... */
	bool *made;       /* ... if made; NULL: none is */
	uint32_t *frames; /* [count]: by stack, the number of its frame from text_frame() + 1; 0: not known yet */
};

/* Set the strings. */
void stack_table_strings(struct stack_table *t, struct json array);

/* Add a sample, with its time, values and labels, with a stack as in the JSON; null is not a sample.  frame_of(of)
 * gives the number of a frame. */
void stack_table_sample(struct stack_table *t, struct json stack, struct text_sample sample,
			uint32_t (*frame_of)(const void *of, uint64_t frame), const void *of);

/* The time of a sample, in ms after start_ns; before is the previous sample's time, used for a sample without a
 * time. */
uint64_t stack_table_time(struct json ms, uint64_t start_ns, uint64_t before_ns);

/* The start of a profile, "meta": {"startTime": ms since 1970}; 0: unknown. */
uint64_t stack_table_start(struct json profile);

/* The pid and tid of a thread; if one of them is unknown, the other is used for both. */
void stack_table_thread(struct json thread, struct text_labels *labels);

void stack_table_free(struct stack_table *t);

#endif
