/* no_samples: why a run may have collected no samples. */
#ifndef COLLECT_RUN_NO_SAMPLES_H
#define COLLECT_RUN_NO_SAMPLES_H

#include <stdbool.h>

#include "collect/run/collection.h"

/* Append the reason.  Returns false if it is unknown. */
bool no_samples_why(const struct collection *c, struct str *out);

#endif
