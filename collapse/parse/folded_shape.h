/* folded_shape: what the lines of folded text look like, according to their header, and as they are.
 *
 *     # pyrograph: ... columns=time,count,longest unit=ns     three values a line, the last one a maximum
 *     a;b 100 2 60
 *
 * A header counts for the lines up to the next one.  Files that were put one behind another are read as one if their
 * lines look alike. */
#ifndef COLLAPSE_PARSE_FOLDED_SHAPE_H
#define COLLAPSE_PARSE_FOLDED_SHAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "collapse/fold/text_stacks.h"

/* Is a line without its newline a header (FOLDED_HEADER)? */
bool shape_is_header(const char *line, size_t len);

/* Set what a header tells of its lines: value_count, longest, columns and sums_untimed; timed becomes false. */
void shape_read_header(const char *line, size_t len, struct text_setup *setup);

/* Does the beginning of a text contain a whole line that is not a comment? */
bool shape_has_stack(const struct str *text);

/* How the lines differ from the first ones, if that prevents reading them together: "other columns"; NULL: they can be
 * read together. */
const char *shape_difference(const struct text_setup *first, const struct text_setup *lines);

#endif
