/* bars_unfold: the folded lines of a bar chart, from the data in the picture (chart_svg.c).
 * Pictures are not trusted: any input gives lines or an error. */
#ifndef RENDER_BARS_UNFOLD_H
#define RENDER_BARS_UNFOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Does the picture svg[0..len) hold such data? */
bool bars_are_in(const char *svg, size_t len);

/* Write its header and its lines, sorted.  Rows that were folded into one stay one.  Returns
 * 0, or -1 after a message (path names the picture); outfile_commit() reports write errors. */
int bars_unfold(FILE *out, const char *svg, size_t len, const char *path);

#endif
