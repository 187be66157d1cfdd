/* timeline_unfold: the folded lines of a timeline's picture, from the data in it (timeline_code.h).  Pictures
 * come from anywhere: any input gives lines or an error, and memory is proportional to the file. */
#ifndef RENDER_TIMELINE_UNFOLD_H
#define RENDER_TIMELINE_UNFOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Does the picture svg[0..len) hold such data? */
bool timeline_is_in(const char *svg, size_t len);

/* Write its header and its lines in the order of time.  Returns 0, or -1 after a message (path names the
 * picture).  Write errors are left to outfile_commit(). */
int timeline_unfold(FILE *out, const char *svg, size_t len, const char *path);

#endif
