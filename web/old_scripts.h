/* old_scripts: removes scripts of former versions that no chart refers to any more.
 *
 *     chart-scripts/flame-0123456789abcdef.js      the chart, and the hash of the file's bytes
 *
 * Reports write them; each version of pyrograph adds its own, and old charts keep theirs. */
#ifndef WEB_OLD_SCRIPTS_H
#define WEB_OLD_SCRIPTS_H

#include <stddef.h>

#include "web/pictures.h"

/* Remove what our user has in the folder chart-scripts of dir, if its name and bytes are those of a script of ours, no
 * picture of all refers to it, and there is a newer one for the same chart: a report that draws meanwhile refers to
 * the newest.  Nothing is removed if some pictures could not be looked at.  Links are not followed.  Returns how many
 * were removed. */
size_t old_scripts_remove(const struct pictures *all, int dir);

#endif
