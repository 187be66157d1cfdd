/* sideband: everything in a recording except its samples: processes, mappings, the names of threads,
 * and losses.
 *
 * Records of several CPUs are not in order of time.  This pass picks the few records that change something, and sorts
 * only these.  Later, each sample looks up the state at its own time. */
#ifndef COLLAPSE_PERFDATA_SIDEBAND_H
#define COLLAPSE_PERFDATA_SIDEBAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perfdata/build_ids.h"
#include "collapse/perfdata/comms.h"
#include "collapse/perfdata/owned.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/record.h"
#include "collapse/perfdata/runtime_names.h"
#include "collapse/perfdata/sample.h"
#include "core/intern.h"
#include "core/symbols/kernel_code.h"
#include "core/symbols/space/changes.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/places.h"
#include "core/symbols/space/spaces.h"

/* Data of hardware that traces instructions or memory (Intel PT, ARM's CoreSight and SPE), which only perf can decode.
 * {0}: there is none. */
struct aux_data {
	uint32_t kind; /* from the record AUXTRACE_INFO; 0: not known */
	uint64_t bytes;
};

/* Warn that the data is not decoded, and say how to turn it into samples.  path is that of the
 * recording. */
void aux_data_warn(const struct aux_data *a, const char *path);

/* Report the same as an error, for a recording without other data.  Returns -1. */
int aux_data_error(const struct aux_data *a, const char *path);

/* User stacks that the kernel recorded after the samples that they belong to, namely on the return to user code (Linux
 * 6.19, perf_event_attr.defer_callchain).
 *
 *     sample     KERNEL k k k USER_DEFERRED cookie        one or more of them, then
 *     deferred   cookie, USER u u u u                     of the same thread, with the same cookie
 *
 * become  KERNEL k k k USER u u u u, as in perf. */
struct deferred {
	struct intern keys;     /* thread and cookie -> number */
	const uint8_t **chains; /* by number: a u64 count and the entries, pointing into the file */
	size_t cap;
};

/* The *count entries of 8 bytes that complete the chain of s; NULL: there are none. */
const uint8_t *deferred_find(const struct deferred *f, const struct recorded_sample *s, uint64_t *count);

struct kernel_area {
	uint64_t start, len;
	uint32_t module;
};

/* Where kernel modules were loaded during the recording.  With this, nameless frames in them are shown as "[joydev]",
 * as perf does, and not attributed to the kernel itself. */
struct kernel_areas {
	struct kernel_area *items; /* [count]; sorted by kernel_areas_assign() */
	size_t count, cap;
};

/* Assign nameless kernel places, after they were resolved, to the kernel module that they are in. */
void kernel_areas_assign(struct kernel_areas *k, struct places *places);

/* {0} is valid and empty. */
struct sideband {
	struct modules modules;
	struct spaces spaces;
	struct comms comms;
	struct runtime_names thread_names;
	struct owned owned;
	uint64_t first_ns, last_ns; /* times of the samples; without samples, of records of switches; without either,
				     * 0 */
	uint64_t samples;           /* of all events */
	uint64_t lost_records, lost_samples, throttled, damaged;
	uint64_t lost_sums;        /* the sums that perf writes at the end */
	uint64_t missing_switches; /* found by derived_read() */
	struct aux_data aux;       /* not decoded */
	struct kernel_areas kernel_areas;
	struct kernel_code kernel_code;
	struct deferred deferred; /* user stacks that were recorded later */
	struct build_ids build_ids;
	bool trust_build_ids;    /* use those in MMAP2 records */
	uint64_t kernel_address; /* of the symbol kernel_symbol; 0: not known */
	char kernel_symbol[64];
};

/* Walk all records of d once; counts samples into its events. */
void sideband_read(struct sideband *s, struct perfdata *d);

/* Is the thread, at a time, one of those that --threads, --container and the like select? */
bool sideband_wants(struct sideband *s, int pid, int tid, uint64_t time_ns);

void sideband_free(struct sideband *s);

#endif
