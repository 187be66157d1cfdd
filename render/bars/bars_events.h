/* bars_events: lines of several events whose times overlap make no bars. */
#ifndef RENDER_BARS_BARS_EVENTS_H
#define RENDER_BARS_BARS_EVENTS_H

#include "render/profile/source.h"

/* Are all lines of a file with this header of one event?  collapse: the options that make such lines.  Returns 0, or -1
 * after a message. */
int bars_events_check(const struct folded_source *header, const char *path, const char *collapse);

#endif
