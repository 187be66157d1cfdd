/* bars_unfold: the folded lines of a picture of bars, from the data in it (chart_svg.c).
 * Pictures come from anywhere: any bytes give lines or the reason why not. */
#ifndef RENDER_BARS_UNFOLD_H
#define RENDER_BARS_UNFOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Does the picture svg[0..len) hold such data? */
bool bars_are_in(const char *svg, size_t len);

/* Write its header and its lines, sorted.  Rows that were folded are what they were folded
 * to.  Returns 0, or -1 after a message (path names the picture); a file that refuses bytes
 * is left to outfile_commit(). */
int bars_unfold(FILE *out, const char *svg, size_t len, const char *path);

#endif
