/* summary: what a collector reports at the end. */
#ifndef COLLECT_RUN_SUMMARY_H
#define COLLECT_RUN_SUMMARY_H

#include "collect/recording/writer.h"

/* Print size and samples of a finished recording that took ns, all losses, and advice. none_since: why there may
 * be no samples; NULL: unknown.  by: as losses_report() has it. */
void summarize(const struct recording *r, uint64_t ns, const char *none_since, const struct losses_by_source *by);

#endif
