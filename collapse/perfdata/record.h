/* record: walks the records of a perf.data file, perf_event_open(2). */
#ifndef COLLAPSE_PERFDATA_RECORD_H
#define COLLAPSE_PERFDATA_RECORD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The beginning of a file. */
#define RECORD_FILE_MAGIC "PERFILE2"

/* Record types of kernels newer than the header that we are built with. */
enum {
	RECORD_CALLCHAIN_DEFERRED = 22, /* Linux 6.19 */
};

/* Record types that perf itself adds (tools/lib/perf/include/perf/event.h). */
enum {
	RECORD_HEADER_ATTR = 64,
	RECORD_HEADER_TRACING_DATA = 66,
	RECORD_FINISHED_ROUND = 68,
	RECORD_AUXTRACE_INFO = 70,
	RECORD_AUXTRACE = 71,
	RECORD_CPU_MAP = 74,
	RECORD_EVENT_UPDATE = 78,
	RECORD_HEADER_FEATURE = 80,
	RECORD_COMPRESSED = 81,
	RECORD_COMPRESSED2 = 83,
};

struct record {
	uint32_t type;
	uint16_t misc;
	uint16_t size;
	const uint8_t *bytes; /* [size], header included */
};

struct record_cursor {
	const uint8_t *bytes; /* mapped; offsets count from here */
	uint64_t at, end;
	uint64_t dropped; /* pages before it were released */
	const char *path; /* for messages; NULL: no messages */
	bool drop;        /* release pages that were read */
};

/* The next whole record.  Returns false at the end.  An invalid record ends the
 * walk, with a warning that says where it is. */
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
