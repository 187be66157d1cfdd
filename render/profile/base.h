/* base: cuts stacks so that they begin at a frame that the user names (--base).
 *
 *     --base handle      start;run;handle;read 5      becomes handle;read 5 */
#ifndef RENDER_BASE_H
#define RENDER_BASE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/opts.h"

/* Cut the frames before the last one named in bases from *stack, frames joined by ';', of *len bytes.  Returns
 * false if there is no such frame.  Does nothing without bases (NULL or empty). */
bool base_cut(const struct text_list *bases, const char **stack, size_t *len);

/* Is frame[0..len) named in bases? */
bool base_is(const struct text_list *bases, const char *frame, size_t len);

#endif
