/* source_line: frames with the lines that a text has for them, for --srcline: "main:prog.c:12". */
#ifndef COLLAPSE_PARSE_SOURCE_LINE_H
#define COLLAPSE_PARSE_SOURCE_LINE_H

#include "collapse/parse/stack_builder.h"

/* Add a frame as it is or, if setup->lines asks for that, with its source.  The folders of the file are left out; an
 * empty or unknown ("0", "-1") line adds nothing. */
void source_line_add(struct stack_builder *b, enum text_kind kind, struct text_span name, struct text_span file,
		     struct text_span line);

/* "/srv/my app/f.py:12": the file and the number behind the last colon; if there is no number, all is the file. */
void source_line_split(struct text_span source, struct text_span *file, struct text_span *line);

/* A path without its folders. */
struct text_span source_line_base(struct text_span path);

#endif
