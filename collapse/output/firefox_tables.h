/* firefox_tables: the tables that all threads of a Firefox profile share: stacks, frames, functions, strings
 * (firefox_output.c).
 *
 *     stack      frame  prefix         a stack is a frame and the stack of its callers
 *       0        main   -
 *       1        read   0
 *
 * Strings are those of the line_view. */
#ifndef COLLAPSE_OUTPUT_FIREFOX_TABLES_H
#define COLLAPSE_OUTPUT_FIREFOX_TABLES_H

#include "collapse/output/line_view.h"
#include "collapse/wire/json_stream.h"
#include "core/map.h"

enum firefox_category { FIREFOX_OTHER, FIREFOX_USER, FIREFOX_KERNEL, FIREFOX_JIT, FIREFOX_SPAN };

struct firefox_stack {
	uint32_t frame, prefix; /* prefix: number + 1; 0: none */
};

struct firefox_frame {
	uint32_t name; /* in view.strings */
	bool inlined;
};

/* {0} is valid and empty. */
struct firefox_tables {
	struct map frame_numbers;     /* name, inlined -> number + 1 */
	struct firefox_frame *frames; /* [frame_count]; a function for each */
	size_t frame_count, frame_cap;
	struct map stack_numbers;     /* prefix, frame -> number + 1 */
	struct firefox_stack *stacks; /* [stack_count] */
	size_t stack_count, stack_cap;
};

/* The number + 1 of the stack of a frame that is called by prefix, a number + 1, or 0. */
uint32_t firefox_add_frame(struct firefox_tables *t, uint32_t prefix, const struct view_frame *frame);

/* Add the member "shared". */
void firefox_tables_write(const struct firefox_tables *t, const struct line_view *v, struct json_stream *json);

/* Add the member "categories". */
void firefox_categories(struct json_stream *json);

/* Add a column that has the same in each row. */
void firefox_same(struct json_stream *json, const char *key, const char *value, size_t count);

void firefox_tables_free(struct firefox_tables *t);

#endif
