/* timeline_code: all spans of a timeline as text that a script decodes in milliseconds,
 * and the lines that they were made from.
 *
 * Numbers are groups of five bits, lowest first, as in encode.h: the character 63 +
 * group, plus 32 when another one follows.
 *
 * stacks   a line for each: "ROW KIND TEXT", the first two decimal numbers
 * spans    row by row, as many as the row has, in order of time, each of them:
 *              how long after the end of the one before in its row (of the first one:
 *              after the window's start) it begins, times 8,
 *                  plus 1 if the number of its stack follows (else it is that of the
 *                  one before; 0 at first),
 *                  plus 2 if its other columns follow,
 *                  plus 4 if it begins so long before that end;
 *              the number of its stack; how long it is; its count, longest and migrations
 *              (else 1, its length and 0).
 *          All times in ns.  Line ends may stand between two spans.
 *
 * About 9 bytes a span.  browser/timeline/data.js decodes it. */
#ifndef RENDER_TIMELINE_CODE_H
#define RENDER_TIMELINE_CODE_H

#include <stdio.h>

#include "core/str.h"
#include "render/timeline/timeline.h"

/* The length of a window must be less than that: a script's numbers are exact so far. */
#define TIMELINE_NS_MAX ((uint64_t)1 << 53)

enum { TIMELINE_SPAN_BYTES = 9 }; /* about */

/* Append the spans of an arranged timeline. */
void timeline_encode(const struct timeline *t, struct str *out);

/* Append its stacks, escaped for XML. */
void timeline_encode_stacks(const struct timeline *t, struct str *out);

#endif
