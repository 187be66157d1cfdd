/* features: perf.data's sections about the machine and the run. */
#ifndef COLLECT_RECORDING_FEATURES_H
#define COLLECT_RECORDING_FEATURES_H

#include <stddef.h>
#include <stdint.h>

#include "collect/recording/writer.h"

/* Add perf's sections (host, kernel, command line, events, clock, ...) to a recording before it is finished;
 * build_ids: entries of the build-id table from build_id_entry(). */
void features_add(struct recording *r, const struct str *build_ids);

/* Append an entry of the build-id table (struct perf_record_header_build_id, as in
 * tools/lib/perf/include/perf/event.h).  cpumode is PERF_RECORD_MISC_USER or _KERNEL; len is at most 20. */
void build_id_entry(struct str *out, uint16_t cpumode, int pid, const uint8_t *id, size_t len, const char *path);

#endif
