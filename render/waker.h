/* waker: chain graphs, in which a stack that waited is followed by the stack that
 * woke it up, and so on:
 *
 *     read;schedule;--;wake_up;irq_handler 12
 */
#ifndef RENDER_WAKER_H
#define RENDER_WAKER_H

#include "render/profile.h"

/* Annotate the frames behind a "--" as a waker's (frame.h: "_[w]"), for the palette
 * "chain", unless they are already. */
void waker_mark(struct profile *p);

#endif
