/* perfdata_pipe: reads the headers of a perf.data stream, which are records, not sections as in a
 * file. */
#ifndef COLLAPSE_PERFDATA_PERFDATA_PIPE_H
#define COLLAPSE_PERFDATA_PERFDATA_PIPE_H

#include <stdbool.h>

#include "collapse/perfdata/perfdata.h"

/* Call it once d->data is set.  Returns whether some records are compressed. */
bool perfdata_read_pipe(struct perfdata *d);

#endif
