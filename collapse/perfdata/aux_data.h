/* aux_data: what hardware that traces instructions or memory has put into a recording, which only perf
 * can decode: Intel PT, ARM's CoreSight and SPE. */
#ifndef COLLAPSE_PERFDATA_AUX_DATA_H
#define COLLAPSE_PERFDATA_AUX_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/perfdata/record.h"

/* {0}: there is none. */
struct aux_data {
	uint32_t kind; /* as the record AUXTRACE_INFO says; 0: it does not */
	uint64_t bytes;
};

/* Count a record, if it is one of this matter. */
void aux_data_count(struct aux_data *a, const struct record *r);

/* Say that it is not decoded, and what does: a recording whose samples are made from it.  path: of the
 * recording. */
void aux_data_warn(const struct aux_data *a, const char *path);

/* The same, as an error: there is nothing else.  Returns -1. */
int aux_data_error(const struct aux_data *a, const char *path);

#endif
