/* perfdata: opens perf.data files: those of `perf record`, `perf sched record`,
 * pipe mode, zstd-compressed ones, and our own recordings.
 *
 * The format: linux/tools/perf/Documentation/perf.data-file-format.txt, and
 * perf_event_open(2) for the records.  Nothing in a file is trusted: every
 * offset and size is checked against the file before it is used. */
#ifndef COLLAPSE_PERFDATA_H
#define COLLAPSE_PERFDATA_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/str.h"

/* Record types that perf itself adds (tools/lib/perf/include/perf/event.h). */
enum {
	RECORD_HEADER_ATTR = 64,
	RECORD_HEADER_TRACING_DATA = 66,
	RECORD_FINISHED_ROUND = 68,
	RECORD_AUXTRACE = 71,
	RECORD_EVENT_UPDATE = 78,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
};

/* Feature sections that we read (tools/perf/util/header.h), up to 255. */
enum {
	FEATURE_HOSTNAME = 3,
	FEATURE_OSRELEASE = 4,
	FEATURE_CMDLINE = 11,
	FEATURE_EVENT_DESC = 12,
	FEATURE_COMPRESSED = 27,
	FEATURE_CLOCK_DATA = 29,
	FEATURE_COUNT = 256,
};

/* Where the fields of a sample are, in bytes; -1: not recorded. */
struct sample_layout {
	int id, ip, tid, time, cpu, period;
	int fixed;               /* size of all that comes before READ and CALLCHAIN */
	int time_from_end;       /* of other records, counted back from their end */
};

struct event {
	char *name;                  /* "cpu-clock"; owned */
	struct perf_event_attr attr; /* fields that the file's perf did not know are 0 */
	struct sample_layout layout;
	uint64_t sample_count;       /* filled by sideband_read() */
};

struct span {
	uint64_t offset, size;
};

struct perfdata {
	const char *path;         /* for messages */
	const uint8_t *bytes;     /* the whole file (or its expansion), mapped */
	uint64_t size;
	struct span data;         /* the records */
	struct event *events;
	size_t event_count, event_cap;
	struct id_slot *ids;      /* open addressing: sample id -> event */
	size_t id_slots, id_count;
	struct span features[FEATURE_COUNT];
	struct span early_clocks; /* of our own recordings that were not finished */
	const uint8_t *expanded;  /* records after decompression, or NULL */
	bool cut;                 /* the file ends before its records do */
	char *hostname, *osrelease, *command; /* owned; NULL when not recorded */
	uint64_t mtime_ns;
};

/* Open and read all headers; "-" is stdin.  Returns 0, or -1 after a message. */
int perfdata_open(struct perfdata *d, const char *path);

/* The event that a sample with this id belongs to, or NULL. */
struct event *perfdata_event(const struct perfdata *d, uint64_t id);

/* A feature section's bytes; *len 0 and NULL when it is missing. */
const uint8_t *perfdata_feature(const struct perfdata *d, int feature, size_t *len);

void perfdata_close(struct perfdata *d);

/* --- walking the records ------------------------------------------------------ */

struct record {
	uint32_t type;
	uint16_t misc;
	uint16_t size;
	const uint8_t *bytes; /* size of them, header included */
};

struct record_cursor {
	const struct perfdata *data;
	uint64_t at, end, dropped; /* offsets; pages before dropped were given back */
};

void record_cursor_init(struct record_cursor *c, const struct perfdata *d);

/* The next whole record.  Returns false at the end; after a record that makes
 * no sense it warns, naming the place, and ends there. */
bool record_next(struct record_cursor *c, struct record *r);

/* Numbers at any alignment. */
static inline uint64_t load_u64(const uint8_t *p)
{
	uint64_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

static inline uint32_t load_u32(const uint8_t *p)
{
	uint32_t n;

	memcpy(&n, p, sizeof(n));
	return n;
}

#endif
