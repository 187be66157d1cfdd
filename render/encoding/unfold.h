/* unfold: a decoded profile as the folded lines that it was made from. */
#ifndef RENDER_UNFOLD_H
#define RENDER_UNFOLD_H

#include <stdio.h>

#include "render/encoding/decode.h"

/* Write the header that d's picture had, and d's lines in the order of their
 * frames' names (those of a flame chart in the order of time):
 *
 *     main;read 17.25                     one value
 *     main;read 12 17                     a differential: two values
 *     @1795342502.000000000 main;read 3   an animation: the start of a window
 *     cycles;main;read 3                  several events or files: one frame more
 *
 * Returns 0, or -1 after a message (path names the picture).  Write errors are
 * left to outfile_commit(). */
int unfold(FILE *out, const struct decoded *d, const char *path);

/* Parts from which other charts make lines.  The first appends " key=value" to a header.  The second appends a frame,
 * without bytes that frames must not contain.  The third ends the frames that are in out from `from` on: if the last
 * frame ends in a blank and a number, as a line does, the blank becomes '_'.  The fourth appends " 17.25", which is
 * 1725 with two decimals. */
void unfold_pair(struct str *out, const char *key, const struct str *value);
void unfold_frame(struct str *out, const char *name, size_t len);
void unfold_frames(struct str *out, const char *text, size_t len); /* several, with ';' between them */
void unfold_end_frames(struct str *out, size_t from);
void unfold_value(struct str *out, uint64_t value, unsigned decimals);

/* Append the whole header of a picture's source, an object of texts, with a newline. */
void unfold_header(struct str *out, struct json source);

/* Is the key allowed in a header? */
bool unfold_is_key(const char *key);

#endif
