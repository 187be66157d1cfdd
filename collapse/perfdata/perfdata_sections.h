/* perfdata_sections: the header of a perf.data file, and the sections that it tells of. */
#ifndef COLLAPSE_PERFDATA_PERFDATA_SECTIONS_H
#define COLLAPSE_PERFDATA_PERFDATA_SECTIONS_H

#include <stdbool.h>

#include "collapse/perfdata/perfdata.h"

/* Find the records and the features, read the events.  Returns 0, or -1 after a message;
 * *compressed: some records are. */
int perfdata_read_sections(struct perfdata *d, bool *compressed);

#endif
