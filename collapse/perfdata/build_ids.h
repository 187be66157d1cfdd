/* build_ids: the table of build-ids that perf puts at the end of its files, for mappings whose
 * records have no build-id. */
#ifndef COLLAPSE_PERFDATA_BUILD_IDS_H
#define COLLAPSE_PERFDATA_BUILD_IDS_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "core/intern.h"
#include "core/symbols/space/modules.h"

/* {0} is valid and empty. */
struct build_ids {
	struct intern paths;
	struct build_id {
		uint8_t bytes[BUILD_ID_MAX];
		size_t len;
	} * ids; /* by number of the path */
	size_t cap;
};

void build_ids_read(struct build_ids *b, const struct perfdata *d);

/* Copy the build-id of the file at path; returns its length, 0 when unknown. */
size_t build_ids_find(const struct build_ids *b, const char *path, size_t path_len, uint8_t id[BUILD_ID_MAX]);

void build_ids_free(struct build_ids *b);

#endif
