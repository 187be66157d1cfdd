/* stack_edit: changes stacks as their lines are read. */
#ifndef RENDER_PROFILE_STACK_EDIT_H
#define RENDER_PROFILE_STACK_EDIT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/opts.h"
#include "core/str.h"

/* ---- stacks that begin at a frame that the user names (--base) ----
 *
 *     --base handle      start;run;handle;read 5      becomes handle;read 5 */

/* Cut the frames before the last one named in bases from *stack, frames joined by ';', of *len bytes.  Returns
 * false if there is no such frame.  Does nothing without bases (NULL or empty). */
bool base_cut(const struct text_list *bases, const char **stack, size_t *len);

/* Is frame[0..len) named in bases? */
bool base_is(const struct text_list *bases, const char *frame, size_t len);

/* Chain graphs, in which a stack that waited is followed by the stack that
 * woke it up, and so on, with "--" between them:
 *
 *     read;schedule;--;wake_up;irq_handler 12 */

/* Annotate the frames after the first "--" of *stack (*len bytes) as a waker's (frame.h: "_[w]"), unless they
 * already are, for the palette "chain".  *stack then points into buf. */
void waker_mark(struct str *buf, const char **stack, size_t *len);

#endif
