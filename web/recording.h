/* recording: the facts in the header of a perf.data file, for recordings of which there is no picture.
 * The layout: linux/tools/perf/Documentation/perf.data-file-format.txt. */
#ifndef WEB_RECORDING_H
#define WEB_RECORDING_H

#include "core/arena.h"
#include "web/metadata.h"

/* Read host, kernel, command and, from a recording of ours, start and end (core/format/recording.h).  What
 * is missing, or does not make sense, stays NULL.  The facts live in text. */
void recording_read(struct picture_metadata *m, struct arena *text, int fd);

#endif
