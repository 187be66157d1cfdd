/* look: where a headline says to look, as links to the run's own charts.
 *
 *     Look at the CPU flame graph of t, and at the timeline at 2026-11-23T07:28:33.635Z: what f does ... */
#ifndef WEB_LOOK_H
#define WEB_LOOK_H

#include <stddef.h>

#include "core/str.h"
#include "web/captures.h"

/* Where line[0..len) begins to say what to look for, which is a detail: ": what f does"; len: it does not. */
size_t look_places_len(const char *line, size_t len);

/* Append line[0..len) without that detail, escaped, with links to charts of c; before is put before their paths. */
void look_add(struct str *page, const struct web_capture *c, const char *before, const char *line, size_t len);

/* How report ends the name (capture_chart()) of the next chart of which line[*at..len) speaks; sets *at to its place.
 * NULL: none is left. */
const char *look_next(const char *line, size_t len, size_t *at);

#endif
