/* features: what a perf.data file says about the machine and the run. */
#ifndef COLLECT_FEATURES_H
#define COLLECT_FEATURES_H

#include "collect/writer.h"

/* Add perf's sections (host, kernel, command line, events, clock, ...) to a
 * recording that is about to be finished. */
void features_add(struct recording *r);

/* The build-id of the running kernel, in id[20].  Returns its length, 0 if unknown. */
size_t kernel_build_id(unsigned char id[20]);

#endif
