/* deferred: user stacks that the kernel recorded after the samples that they belong to, on the return
 * to user code (Linux 6.19, perf_event_attr.defer_callchain).
 *
 *     sample     KERNEL k k k USER_DEFERRED cookie        one or more of them, then
 *     deferred   cookie, USER u u u u                     of the same thread, with the same cookie
 *
 * become  KERNEL k k k USER u u u u, as in perf. */
#ifndef COLLAPSE_PERFDATA_DEFERRED_H
#define COLLAPSE_PERFDATA_DEFERRED_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/sample.h"
#include "core/intern.h"

/* {0} is valid and empty. */
struct deferred {
	struct intern keys;     /* thread and cookie -> number */
	const uint8_t **chains; /* by number: a u64 count and the entries, in the file */
	size_t cap;
};

/* Add a record of type RECORD_CALLCHAIN_DEFERRED.  Returns false if it is malformed. */
bool deferred_add(struct deferred *f, const struct perfdata *d, const struct record *r);

/* The *count entries of 8 bytes that complete s; NULL: there are none. */
const uint8_t *deferred_find(const struct deferred *f, const struct recorded_sample *s, uint64_t *count);

void deferred_free(struct deferred *f);

#endif
