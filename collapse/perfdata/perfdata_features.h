/* perfdata_features: reads the machine, the command and the events' names from the feature sections
 * of a perf.data file. */
#ifndef COLLAPSE_PERFDATA_PERFDATA_FEATURES_H
#define COLLAPSE_PERFDATA_PERFDATA_FEATURES_H

#include "collapse/perfdata/perfdata.h"

/* Call it once the sections and the events are known.  Invalid sections are ignored. */
void perfdata_read_features(struct perfdata *d);

#endif
