/* perfdata_sections: reads the header of a perf.data file, and the sections that it points to. */
#ifndef COLLAPSE_PERFDATA_PERFDATA_SECTIONS_H
#define COLLAPSE_PERFDATA_PERFDATA_SECTIONS_H

#include <stdbool.h>

#include "collapse/perfdata/perfdata.h"

/* Find the records and the features, and read the events.  Sets *compressed if some
 * records are compressed.  Returns 0, or -1 after a message. */
int perfdata_read_sections(struct perfdata *d, bool *compressed);

#endif
