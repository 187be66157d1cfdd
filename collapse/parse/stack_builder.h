/* stack_builder: puts stacks together, for formats that have a frame in each line. */
#ifndef COLLAPSE_PARSE_STACK_BUILDER_H
#define COLLAPSE_PARSE_STACK_BUILDER_H

#include "collapse/parse/span.h"

struct stack_builder { /* empty when out is set, and the rest is 0 */
	struct text_stacks *out;
	uint32_t *frames; /* [count] */
	size_t count, cap;
	struct str name, frame; /* scratch */
};

/* Add a frame as it is. */
void stack_builder_add(struct stack_builder *b, enum text_kind kind, struct text_span frame);

/* Add a frame by its number from text_frame(). */
void stack_builder_add_number(struct stack_builder *b, uint32_t frame);

/* Add a function by its name (function_name.h), in a list of frames from leaf to root.  Java's "LA;::a->LB;::b", in
 * which b was inlined into a (java_name.h), becomes two frames. */
void stack_builder_add_function(struct stack_builder *b, enum text_kind kind, struct text_span name);

/* The same for "unix`sys_syscall", with "unix`" as module, which stays in front of the outermost function. */
void stack_builder_add_function_of(struct stack_builder *b, enum text_kind kind, struct text_span module,
				   struct text_span name);

/* Add the frame of a line that stack_builder_learn() has seen.  Otherwise returns false, and sets *known for that call.
 * All lines must be of one format, so that equal bytes mean equal frames. */
bool stack_builder_add_known(struct stack_builder *b, struct text_span line, uint32_t *known);

/* Remember what a line became: the frames that were added since b->count was before. */
void stack_builder_learn(struct stack_builder *b, uint32_t known, size_t before);

/* Add "[libc.so.6]" for a function without a name in /lib/libc.so.6. */
void stack_builder_add_module(struct stack_builder *b, enum text_kind kind, struct text_span path);

/* The number of a stack of the frames so far.  Their order is root first, or leaf first, and then they are reversed.
 * The builder is empty afterwards. */
enum stack_order { ROOT_FIRST, LEAF_FIRST };
uint32_t stack_builder_end(struct stack_builder *b, enum stack_order order);

/* Add a sample of the stack (see above), with this value.  An empty stack gets a frame "[unknown]" if
 * labels have no comm. */
void stack_builder_sample(struct stack_builder *b, enum stack_order order, const struct text_value *value,
			  const struct text_labels *labels);

/* The same for a stack whose number is already known from text_known(). */
void stack_sample(struct text_stacks *s, uint32_t stack, const struct text_value *value,
		  const struct text_labels *labels);

/* stack_builder_sample() with the value 1. */
void stack_builder_sample_once(struct stack_builder *b, enum stack_order order, const struct text_labels *labels);

void stack_builder_free(struct stack_builder *b);

/* Read a value that is all of text.  Returns false after text_wrong() at text. */
bool stack_value(struct text_stacks *s, struct text_span text, struct text_value *value);

/* The stack in the lines from start up to the first line after *next that is_end() recognises; *next moves to that
 * line.  parse() makes the stack, unless the same lines were seen before: a thread that does not move has the same
 * lines again and again. */
uint32_t stack_of_lines(const struct text_part *part, const char *start, const char **next,
			bool (*is_end)(struct text_span line),
			uint32_t (*parse)(void *argument, const struct text_part *lines), void *argument);

/* Is this a function that enters the kernel, so that the frames below it are user code? */
bool is_kernel_entry(struct text_span name);

/* How many bytes of text precede the last line that begins a record; 0: none. */
size_t split_before(const char *text, size_t len, bool (*starts)(struct text_span line));

/* How many bytes of text there are up to the end of the last complete line that ends a record. */
size_t split_after(const char *text, size_t len, bool (*ends)(struct text_span line));

/* Split "/srv/my app/f.py:12" into file and line; if no number follows the last colon, the whole text is the file. */
struct text_source source_line_of(struct text_span source);

/* Add a function with what is known of its source. */
void source_line_add(struct stack_builder *b, enum text_kind kind, struct text_span name, struct text_source at);

#endif
