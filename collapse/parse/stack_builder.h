/* stack_builder: puts stacks together, for formats that have a frame in each line. */
#ifndef COLLAPSE_PARSE_STACK_BUILDER_H
#define COLLAPSE_PARSE_STACK_BUILDER_H

#include "collapse/parse/span.h"

struct stack_builder { /* with out set, the others 0, it is empty */
	struct text_stacks *out;
	uint32_t *frames; /* [count] */
	size_t count, cap;
	struct str name, frame; /* scratch */
};

/* Add a frame as it is. */
void stack_builder_add(struct stack_builder *b, enum text_kind kind, struct text_span frame);

/* Add a frame that has its number from text_frame(). */
void stack_builder_add_number(struct stack_builder *b, uint32_t frame);

/* Add a function of a list of frames from leaf to root, by its name (function_name.h).  Java's "LA;::a->LB;::b", in which
 * b was inlined into a (java_name.h), becomes two frames. */
void stack_builder_add_function(struct stack_builder *b, enum text_kind kind, struct text_span name);

/* The same for "unix`sys_syscall", where module is "unix`"; it stays, in front of the outermost function. */
void stack_builder_add_function_of(struct stack_builder *b, enum text_kind kind, struct text_span module,
				   struct text_span name);

/* Add the frame of a line that stack_builder_learn() has seen.  Otherwise returns false, with *known for that
 * call.  Lines of one format only: equal bytes must mean equal frames. */
bool stack_builder_add_known(struct stack_builder *b, struct text_span line, uint32_t *known);

/* Keep what a line became, which was added since b->count was before. */
void stack_builder_learn(struct stack_builder *b, uint32_t known, size_t before);

/* Add "[libc.so.6]" for a function without a name in /lib/libc.so.6. */
void stack_builder_add_module(struct stack_builder *b, enum text_kind kind, struct text_span path);

/* The number of the stack with the frames so far, which are from root to leaf, or else reversed; the
 * builder is empty then. */
enum stack_order { ROOT_FIRST, LEAF_FIRST };
uint32_t stack_builder_end(struct stack_builder *b, enum stack_order order);

/* Add a sample of the stack (see above), with this value.  An empty stack gets a frame "[unknown]" if
 * labels have no comm. */
void stack_builder_sample(struct stack_builder *b, enum stack_order order, const struct text_value *value,
			  const struct text_labels *labels);

/* The same for a stack that already has its number, because text_known() knows it. */
void stack_sample(struct text_stacks *s, uint32_t stack, const struct text_value *value,
		  const struct text_labels *labels);

/* stack_builder_sample() with the value 1. */
void stack_builder_sample_once(struct stack_builder *b, enum stack_order order, const struct text_labels *labels);

void stack_builder_free(struct stack_builder *b);

/* Read a value that is all of text.  Returns false after text_wrong() at text. */
bool stack_value(struct text_stacks *s, struct text_span text, struct text_value *value);

/* The stack in the lines from start on, up to the first one after *next that is_end() recognises; *next moves there.
 * parse() makes it, unless the same lines were seen before: threads that do not move have the same lines again and
 * again. */
uint32_t stack_of_lines(const struct text_part *part, const char *start, const char **next,
			bool (*is_end)(struct text_span line),
			uint32_t (*parse)(void *argument, const struct text_part *lines), void *argument);

/* Is this a function through which the kernel is entered, so that frames below it are user code? */
bool is_kernel_entry(struct text_span name);

/* How many bytes of text are before the last line with which a record starts?  0: none. */
size_t split_before(const char *text, size_t len, bool (*starts)(struct text_span line));

/* How many bytes are up to the end of the last line that ends a record, of lines that are complete? */
size_t split_after(const char *text, size_t len, bool (*ends)(struct text_span line));

/* "/srv/my app/f.py:12": the file and the line; if no number is behind the last colon, all is the file. */
struct text_source source_line_of(struct text_span source);

/* Add a function with what is known of its source. */
void source_line_add(struct stack_builder *b, enum text_kind kind, struct text_span name, struct text_source at);

#endif
