/* perfdata: opens perf.data files of `perf record` and `perf sched record`, also in pipe mode or
 * compressed with zstd, and our own recordings.
 *
 * The format: linux/tools/perf/Documentation/perf.data-file-format.txt, and
 * perf_event_open(2) for the records.  Nothing in a file is trusted: every
 * offset and size is checked against the file before it is used. */
#ifndef COLLAPSE_PERFDATA_PERFDATA_H
#define COLLAPSE_PERFDATA_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/input/input.h"
#include "collapse/perfdata/event.h"
#include "collapse/perfdata/record.h"
#include "core/map.h"

/* The first bytes of a file of version 2. */
#define PERFDATA_MAGIC RECORD_FILE_MAGIC

/* Feature sections that we read (tools/perf/util/header.h), up to 255. */
enum {
	FEATURE_TRACING_DATA = 1,
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_ARCH = 6,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_COMPRESSED = 27,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_COUNT = 256,
};

struct sched_span {
	uint64_t offset, size;
};

struct perfdata {
	const char *path;     /* for messages */
	const uint8_t *bytes; /* the whole file, mapped */
	uint64_t size;
	struct sched_span data; /* the records */
	struct recorded_event *events;
	size_t event_count, event_cap;
	struct map ids; /* sample id -> event + 1 */
	struct sched_span features[FEATURE_COUNT];
	struct sched_span early_clocks;              /* found in our own recordings that were not finished */
	const uint8_t *expanded;                     /* records after decompression, or NULL */
	bool cut;                                    /* the end of the file is missing */
	char *hostname, *osrelease, *arch, *command; /* owned; NULL when not recorded */
	uint64_t mtime_ns;
};

/* Read all headers of an input, which can be closed afterwards.  Returns 0, or -1 after a message. */
int perfdata_open(struct perfdata *d, struct input_stream *in);

/* Is it our own recording, finished or not? */
bool perfdata_is_ours(const struct perfdata *d);

/* The bytes of a feature section; if it is missing, returns NULL and sets *len to 0. */
const uint8_t *perfdata_feature(const struct perfdata *d, int feature, size_t *len);

/* Release the memory pages of the records, which can still be read. */
void perfdata_drop_pages(const struct perfdata *d);

void perfdata_close(struct perfdata *d);

/* A cursor at the first record of d. */
struct record_cursor perfdata_records(const struct perfdata *d);

/* The event of samples with this id, or NULL. */
struct recorded_event *perfdata_event(const struct perfdata *d, uint64_t id);

/* Add an event that is not in the file (collapse/sched/derived.h).  The result is valid until the next call. */
struct recorded_event *perfdata_add_derived(struct perfdata *d, const char *name);

#endif
