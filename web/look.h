/* look: where a headline says to look, as links to the run's own charts.
 *
 *     Look at the CPU flame graph of index-rebuilder, and at the timeline at 2026-11-23T07:28:33.635Z: what ...
 *                 ==================================             ========
 *
 * Anybody may have written the line: a link leads only to a chart of this run, and the rest stays text. */
#ifndef WEB_LOOK_H
#define WEB_LOOK_H

#include "core/str.h"
#include "web/captures.h"

/* Append the first len bytes of line, escaped; before is put before the path of each chart. */
void look_add(struct str *page, const struct web_capture *c, const char *before, const char *line, size_t len);

#endif
