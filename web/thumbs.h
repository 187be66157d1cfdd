/* thumbs: a thumbnail for each run, in the page's own folder.
 *
 * The name of a thumbnail comes from its chart's path, size and time of modification: an existing one is not made
 * again, and the same directory has the same names. */
#ifndef WEB_THUMBS_H
#define WEB_THUMBS_H

#include "core/arena.h"
#include "core/intern.h"
#include "web/data.h"

/* Set run->thumb of all runs, and write missing thumbnails to own, the page's folder in dir.  The names of all that
 * belong there are added to wanted.  A thumbnail that cannot be written is left out, after a message. */
void thumbs_make(struct runs *runs, int dir, int own, struct intern *wanted, struct arena *text);

#endif
