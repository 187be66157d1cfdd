/* no_samples: why a collection of samples may have got none. */
#ifndef COLLECT_RUN_NO_SAMPLES_H
#define COLLECT_RUN_NO_SAMPLES_H

#include <stdbool.h>

#include "collect/run/collection.h"

/* Append what is known to be the reason.  Returns whether anything is. */
bool no_samples_why(const struct collection *c, struct str *out);

#endif
