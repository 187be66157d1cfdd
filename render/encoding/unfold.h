/* unfold: a decoded profile as the folded lines that it was made from. */
#ifndef RENDER_UNFOLD_H
#define RENDER_UNFOLD_H

#include <stdio.h>

#include "render/encoding/decode.h"

/* Write the header that d's picture had, and d's lines in the order of their
 * frames' names (those of a flame chart in the order of time):
 *
 *     main;read 17.25                 one value
 *     main;read 12 17                 a differential: two
 *     @1795342502.000000000 main;read 3   an animation: at the begin of its windows
 *     cycles;main;read 3              several events or files: a frame more
 *
 * Returns 0, or -1 after a message (path names the picture); a file that refuses
 * bytes is left to outfile_commit(). */
int unfold(FILE *out, const struct decoded *d, const char *path);

#endif
