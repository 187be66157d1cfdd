/* label_keys: the names that profilers give to what we call labels: "tid", "thread_id", "thread.id". */
#ifndef COLLAPSE_PARSE_LABEL_KEYS_H
#define COLLAPSE_PARSE_LABEL_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"
#include "collapse/parse/span.h"

/* Set the label that key stands for, if we know the key.  text is the value or, if text is empty, number is. */
void label_set(struct text_stacks *s, struct text_labels *labels, struct text_span key, struct text_span text,
	       uint64_t number);

/* Set the label if it says whose the samples are, as in the attributes of a resource. */
void label_set_owner(struct text_stacks *s, struct text_labels *labels, struct text_span key, struct text_span text);

/* If only pid or only tid is known, and no name, use it for both. */
void labels_complete(struct text_labels *labels);

/* The name of a unit as we write it: "ns" for "nanoseconds"; for "count", the name of what is counted, `of`.
 * TEXT_NO_NAME: it has no unit. */
uint32_t unit_name(struct text_stacks *s, struct text_span unit, struct text_span of);

/* The frame of code of which only the file is known, "[libc.so.6]"; "[unknown]" if file is empty. */
uint32_t module_frame(struct text_stacks *s, struct text_span file);

/* The frame of a function, with its file and line if they are known, otherwise with its module; without a name,
 * module_frame(). */
uint32_t function_frame(struct text_stacks *s, enum text_kind kind, struct text_span name, struct text_span file,
			uint64_t line, struct text_span module);

/* Is it the kernel's? */
bool module_is_kernel(struct text_span file);

#endif
