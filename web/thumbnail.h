/* thumbnail: a small picture of a chart of ours, made from its plain rectangles and images: numbers and
 * colours only, whatever else the chart contains. */
#ifndef WEB_THUMBNAIL_H
#define WEB_THUMBNAIL_H

#include <stdbool.h>

#include "core/str.h"

enum { THUMBNAIL_READ = 1 << 20 }; /* so much of the chart is looked at */

/* Append a thumbnail of the chart in svg, NUL-terminated: of its foot, where flames begin, or of its head.
 * Returns false when there is nothing that can be shown. */
bool thumbnail_make(struct str *out, const char *svg, bool foot);

#endif
