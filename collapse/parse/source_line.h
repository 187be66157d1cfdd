/* source_line: where a function is, as tools print it. */
#ifndef COLLAPSE_PARSE_SOURCE_LINE_H
#define COLLAPSE_PARSE_SOURCE_LINE_H

#include "collapse/parse/stack_builder.h"

/* "/srv/my app/f.py:12": the file and the line; if no number is behind the last colon, all is the file. */
struct text_source source_line_of(struct text_span source);

/* Add a function with what is known of its source. */
void source_line_add(struct stack_builder *b, enum text_kind kind, struct text_span name, struct text_source at);

#endif
