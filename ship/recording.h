/* recording: the events of a recording, and their samples, read by pyrograph-collapse in a process of its own. */
#ifndef SHIP_RECORDING_H
#define SHIP_RECORDING_H

#include "core/opts.h"
#include "ship/stream.h"

/* Run s over each event of the recording path that is wanted (list; empty: all).  s is set but for what is the event's.
 * Returns 0, or -1 after a message. */
int recording_each(const char *path, const struct text_list *events, struct stream *s);

/* Call take for each such event, until it returns other than 0, which is then returned; -1 after a message. */
int recording_events(const char *path, const struct text_list *events,
		     int (*take)(void *argument, const char *path, const char *event), void *argument);

#endif
