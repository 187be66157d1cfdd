/* timeline_code: all spans of a timeline as text that a script decodes in milliseconds,
 * and the lines that they were made from.
 *
 * Numbers are groups of five bits, lowest first, as in encode.h: the character 63 +
 * group, plus 32 if another group follows.
 *
 * stacks   a line for each: "ROW KIND TEXT" or "ROW KIND/TRACE TEXT", numbers in decimal; "/TRACE": with the row,
 *          kind and text of the previous line
 * traces   a line for each, with the frames that follow TEXT: "SHARED REST", where SHARED, in decimal, is the
 *          number of first frames that are the same as in the previous trace
 * samples  row by row, in order of time: the distance from the previous sample in the row (for the first: from
 *          the window's start); the number of the sample's stack
 * spans    row by row, each row's in order of time.  A span is
 *              the distance of its start from the end of the span before it in its row
 *              (for the first: from the window's start), times 8,
 *                  plus 1 if its stack's number follows (else the stack is that of the
 *                  span before; at first 0),
 *                  plus 2 if its other columns follow,
 *                  plus 4 if it starts before that end;
 *              [its stack's number]; its length; [its count, longest and migrations]
 *              (else 1, its length and 0).
 *          All times are in ns.  Line breaks may stand between spans.
 *
 * A span takes about 9 bytes.  browser/timeline/data.js decodes it. */
#ifndef RENDER_TIMELINE_CODE_H
#define RENDER_TIMELINE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "core/str.h"
#include "render/timeline/timeline.h"

enum { TIMELINE_SPAN_BYTES = 9 }; /* about */

/* Append the spans of an arranged timeline. */
void timeline_encode(const struct timeline *t, struct str *out);

/* Append the timeline's stacks, and the traces of these, escaped for XML. */
void timeline_encode_stacks(const struct timeline *t, struct str *out);
void timeline_encode_traces(const struct timeline *t, struct str *out);

/* Append its samples. */
void timeline_encode_samples(const struct timeline *t, struct str *out);

/* The folded lines of a timeline's picture, from the data in it (timeline_code.h).  Since pictures come from anywhere,
 * any input gives lines or an error, and memory is proportional to the file. */

/* Does the picture svg[0..len) hold such data? */
bool timeline_is_in(const char *svg, size_t len);

/* Write the picture's header and its lines in order of time.  Returns 0, or -1 after a message (path names the
 * picture).  Write errors are left to outfile_commit(). */
int timeline_unfold(FILE *out, const char *svg, size_t len, const char *path);

#endif
