/* base: cuts stacks so that they begin at a frame that the user names (--base).
 *
 *     --base handle      start;run;handle;read 5      becomes handle;read 5 */
#ifndef RENDER_BASE_H
#define RENDER_BASE_H

#include <stdbool.h>
#include <stddef.h>

#include "core/opts.h"

/* Cut what is before the last frame named in bases from *stack, frames joined by
 * ';', of *len bytes.  Returns false if there is no such frame.  Without bases
 * (NULL or empty) it does nothing. */
bool base_cut(const struct text_list *bases, const char **stack, size_t *len);

/* Is frame[0..len) named in bases? */
bool base_is(const struct text_list *bases, const char *frame, size_t len);

#endif
