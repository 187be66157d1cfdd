/* csv: fields of a line of comma-separated values. */
#ifndef COLLAPSE_PARSE_CSV_H
#define COLLAPSE_PARSE_CSV_H

#include "collapse/parse/span.h"

/* Take the next field off the front of line, without its quotes; blanks before the quotes belong to the
 * field.  A field that has to be changed is in buffer, until the next call.  Returns false at the end. */
bool csv_field(struct text_span *line, struct text_span *field, struct str *buffer);

/* Parse "8,735" or "8735" or "1.5", a value that may have commas between digits.  Returns false after
 * text_wrong() at `at`. */
bool csv_value(struct text_stacks *s, struct text_span field, const char *at, struct text_value *value);

#endif
