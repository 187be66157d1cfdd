/* aux_data: data of hardware that traces instructions or memory (Intel PT, ARM's CoreSight and SPE), which only
 * perf can decode. */
#ifndef COLLAPSE_PERFDATA_AUX_DATA_H
#define COLLAPSE_PERFDATA_AUX_DATA_H

#include <stdint.h>

#include "collapse/perfdata/record.h"

/* {0}: there is none. */
struct aux_data {
	uint32_t kind; /* from the record AUXTRACE_INFO; 0: not known */
	uint64_t bytes;
};

/* Count a record, if it holds or describes such data. */
void aux_data_count(struct aux_data *a, const struct record *r);

/* Warn that the data is not decoded, and say how to turn it into samples.  path is that of the
 * recording. */
void aux_data_warn(const struct aux_data *a, const char *path);

/* Report the same as an error, for a recording without other data.  Returns -1. */
int aux_data_error(const struct aux_data *a, const char *path);

#endif
