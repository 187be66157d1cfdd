/* sideband: everything in a recording except its samples: processes, mappings, the names of threads,
 * and losses.
 *
 * Records of several CPUs are not in order of time.  This pass picks out the few that change
 * something, and sorts only these.  Later, each sample looks up the state at its own time. */
#ifndef COLLAPSE_PERFDATA_SIDEBAND_H
#define COLLAPSE_PERFDATA_SIDEBAND_H

#include <stdbool.h>
#include <stdint.h>

#include "collapse/perfdata/aux_data.h"
#include "collapse/perfdata/build_ids.h"
#include "collapse/perfdata/comms.h"
#include "collapse/perfdata/deferred.h"
#include "collapse/perfdata/kernel_areas.h"
#include "collapse/perfdata/perfdata.h"
#include "collapse/perfdata/runtime_names.h"
#include "core/symbols/kernel_code.h"
#include "core/symbols/space/modules.h"
#include "core/symbols/space/spaces.h"

/* {0} is valid and empty. */
struct sideband {
	struct modules modules;
	struct spaces spaces;
	struct comms comms;
	struct runtime_names thread_names;
	uint64_t first_ns, last_ns; /* of the samples, or else of records of switches; 0 if there are none */
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

void sideband_free(struct sideband *s);

#endif
