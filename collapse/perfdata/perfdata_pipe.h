/* perfdata_pipe: the headers of a perf.data stream: what a file has in sections comes as records. */
#ifndef COLLAPSE_PERFDATA_PERFDATA_PIPE_H
#define COLLAPSE_PERFDATA_PERFDATA_PIPE_H

#include <stdbool.h>

#include "collapse/perfdata/perfdata.h"

/* The records are found.  Returns whether some are compressed. */
bool perfdata_read_pipe(struct perfdata *d);

#endif
