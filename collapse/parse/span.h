/* span: lines of the input as spans of text (collapse/frames/span.h), for parsers. */
#ifndef COLLAPSE_PARSE_SPAN_H
#define COLLAPSE_PARSE_SPAN_H

#include "collapse/frames/span.h"
#include "collapse/fold/text_stacks.h"

/* The next line of a part, as text_line() finds it. */
static inline bool span_line(const struct text_part *part, const char **next, struct text_span *line)
{
	return text_line(part, next, &line->text, &line->len);
}

#endif
