/* summary: what a collector says at the end, good or bad. */
#ifndef COLLECT_RUN_SUMMARY_H
#define COLLECT_RUN_SUMMARY_H

#include "collect/recording/writer.h"

/* Size and samples of a finished recording that took ns, all losses, and what they
 * suggest to do.  none_since: why there may be no samples; NULL: nothing is known of that. */
void summarize(const struct recording *r, uint64_t ns, const char *none_since);

#endif
