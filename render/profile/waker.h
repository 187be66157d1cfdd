/* waker: chain graphs, in which a stack that waited is followed by the stack that
 * woke it up, and so on, with "--" between them:
 *
 *     read;schedule;--;wake_up;irq_handler 12 */
#ifndef RENDER_WAKER_H
#define RENDER_WAKER_H

#include <stddef.h>

#include "core/str.h"

/* Annotate the frames after the first "--" of *stack (*len bytes) as a waker's (frame.h: "_[w]"), unless they
 * already are, for the palette "chain".  *stack then points into buf. */
void waker_mark(struct str *buf, const char **stack, size_t *len);

#endif
